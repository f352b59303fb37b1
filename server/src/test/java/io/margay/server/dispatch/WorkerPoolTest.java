package io.margay.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(60)
class WorkerPoolTest {
    private static WorkerPool pool(int threads, int queued) {
        return new WorkerPool(new WorkerLimits(threads, 1, queued, Duration.ofMillis(200)));
    }

    @Test
    void tasks_ofManyProducers_allRunOnce() throws Exception {
        try (WorkerPool pool = pool(8, 1024)) {
            AtomicInteger ran = new AtomicInteger();
            AtomicInteger accepted = new AtomicInteger();
            Thread[] producers = new Thread[4];
            for (int p = 0; p < producers.length; p++) {
                producers[p] =
                        Thread.ofPlatform()
                                .start(() -> {
                                    for (int i = 0; i < 50_000; i++) {
                                        if (pool.submit(ran::incrementAndGet)) {
                                            accepted.incrementAndGet();
                                        } else {
                                            Thread.yield();
                                        }
                                    }
                                });
            }
            for (Thread producer : producers) {
                producer.join();
            }
            Eventually.holds("all ran", () -> ran.get() == accepted.get());
            assertTrue(accepted.get() > 0);
        }
    }

    /// The submitter finds no idle worker at the moment in which the only one lies down.
    @Test
    void taskForTheOnlyWorker_asItLiesDown_isNotLeftWaiting() {
        try (WorkerPool pool = pool(1, 16)) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            AtomicInteger ran = new AtomicInteger();
            int sent = 0;
            while (System.nanoTime() - end < 0) {
                assertTrue(pool.submit(ran::incrementAndGet));
                sent++;
                long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (ran.get() != sent) {
                    assertTrue(System.nanoTime() - patience < 0, "task " + sent + " waits");
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void tasksThatBlock_doNotHoldUpOthers() throws Exception {
        try (WorkerPool pool = pool(50, 1024)) {
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch blocked = new CountDownLatch(49);
            for (int i = 0; i < 49; i++) {
                pool.submit(() -> {
                    blocked.countDown();
                    await(go);
                });
            }
            assertTrue(blocked.await(10, TimeUnit.SECONDS), "all block at the same time");
            CountDownLatch quick = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                pool.submit(quick::countDown);
            }
            assertTrue(quick.await(10, TimeUnit.SECONDS));
            go.countDown();
        }
    }

    @Test
    void queueFull_refuses() throws Exception {
        try (WorkerPool pool = pool(1, 4)) {
            CountDownLatch go = new CountDownLatch(1);
            pool.submit(() -> await(go));
            Eventually.holds("the worker is busy", () -> pool.active() == 1);
            for (int i = 0; i < 4; i++) {
                assertTrue(pool.submit(() -> {}));
            }
            assertFalse(pool.submit(() -> {}));
            go.countDown();
            Eventually.holds("there is room again", () -> pool.submit(() -> {}));
        }
    }

    @Test
    void idleWorkers_aboveTheKept_end() throws Exception {
        try (WorkerPool pool = pool(10, 100)) {
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch running = new CountDownLatch(10);
            for (int i = 0; i < 10; i++) {
                pool.submit(() -> {
                    running.countDown();
                    await(go);
                });
            }
            assertTrue(running.await(10, TimeUnit.SECONDS));
            assertEquals(10, pool.threads());
            go.countDown();
            Eventually.holds("one is left", () -> pool.threads() == 1);
            CountDownLatch again = new CountDownLatch(1);
            pool.submit(again::countDown);
            assertTrue(again.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void burstOfShortTasks_onOneWorker_wakesFew() throws Exception {
        try (WorkerPool pool = pool(100, 4096)) {
            CountDownLatch done = new CountDownLatch(1000);
            for (int i = 0; i < 1000; i++) {
                pool.submit(done::countDown);
            }
            assertTrue(done.await(10, TimeUnit.SECONDS));
            assertTrue(pool.threads() < 30, "threads " + pool.threads());
        }
    }

    @Test
    void taskThatThrows_doesNotKillTheWorker() throws Exception {
        try (WorkerPool pool = pool(1, 16)) {
            pool.submit(() -> {
                throw new IllegalStateException("as the test asked");
            });
            CountDownLatch next = new CountDownLatch(1);
            pool.submit(next::countDown);
            assertTrue(next.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void close_runsWhatWasTaken_andEndsTheThreads() {
        WorkerPool pool = pool(4, 100);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            pool.submit(ran::incrementAndGet);
        }
        pool.close();
        assertFalse(pool.submit(() -> {}));
        Eventually.holds("all ran", () -> ran.get() == 50);
        Eventually.holds("the threads have ended", () -> pool.threads() == 0);
    }

    /// A system that starts threads or does not, as the test says, and counts how often it was
    /// asked.
    private static final class Threads {
        private volatile boolean some;
        private volatile boolean carriers = true;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicLong nanos = new AtomicLong();
        private final VirtualDispatcher virtual =
                new VirtualDispatcher(
                        4,
                        task -> {
                            if (!carriers) {
                                throw new OutOfMemoryError("as the test asked");
                            }
                            return Thread.ofVirtual().start(task);
                        });
        private final WorkerPool pool =
                new WorkerPool(
                        new WorkerLimits(4, 1, 64, Duration.ofSeconds(60)),
                        nanos::get,
                        this::start,
                        virtual);

        private void start(Thread thread) {
            asked.incrementAndGet();
            if (!some) {
                throw new OutOfMemoryError("as the test asked");
            }
            thread.start();
        }
    }

    @Test
    void systemWithoutThreads_hasTasksRunByVirtualOnes_andIsAskedSeldom() throws Exception {
        Threads system = new Threads();
        try (WorkerPool pool = system.pool) {
            AtomicInteger virtual = new AtomicInteger();
            for (int i = 1; i <= 100; i++) {
                int count = i;
                assertTrue(
                        pool.submit(() -> {
                            if (Thread.currentThread().isVirtual()) {
                                virtual.incrementAndGet();
                            }
                        }));
                Eventually.holds("task " + count + " ran", () -> virtual.get() == count);
            }
            assertEquals(0, pool.threads());
            assertEquals(1, system.asked.get());

            // More than there may be at once: those that run take what waits.
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(20);
            for (int i = 0; i < 20; i++) {
                assertTrue(
                        pool.submit(() -> {
                            await(go);
                            done.countDown();
                        }));
            }
            go.countDown();
            assertTrue(done.await(10, TimeUnit.SECONDS));

            system.some = true;
            system.nanos.addAndGet(WorkerPool.REFUSED_NANOS);
            FutureTask<Boolean> last = new FutureTask<>(() -> Thread.currentThread().isVirtual());
            assertTrue(pool.submit(last));
            assertFalse(last.get(10, TimeUnit.SECONDS));
            assertEquals(1, pool.threads());
        }
    }

    @Test
    void systemWithoutAnyThread_hasTasksRefused_untilThereAreSome() throws Exception {
        Threads system = new Threads();
        system.carriers = false;
        try (WorkerPool pool = system.pool) {
            for (int i = 0; i < 10; i++) {
                assertFalse(
                        pool.submit(() -> {
                            throw new IllegalStateException("it was refused");
                        }));
            }
            assertEquals(0, pool.queued());
            system.carriers = true;
            FutureTask<Boolean> next = new FutureTask<>(() -> true);
            assertTrue(pool.submit(next));
            assertTrue(next.get(10, TimeUnit.SECONDS));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void renewal_ofIdleWorkers_endsThem() {
        try (WorkerPool pool = pool(4, 16)) {
            AtomicInteger ran = new AtomicInteger();
            assertTrue(pool.submit(ran::incrementAndGet));
            Eventually.holds("the first ran", () -> ran.get() == 1 && pool.active() == 0);
            assertEquals(1, pool.threads());
            pool.renew();
            Eventually.holds("it has ended", () -> pool.threads() == 0);
            assertTrue(pool.submit(ran::incrementAndGet));
            Eventually.holds("the second ran", () -> ran.get() == 2);
        }
    }

    @Test
    void renewal_whileTasksCome_leavesNoneWaiting() throws Exception {
        try (WorkerPool pool = pool(2, 16)) {
            AtomicInteger ran = new AtomicInteger();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            Thread renewing =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (System.nanoTime() - end < 0) {
                                    pool.renew();
                                    Thread.yield();
                                }
                            });
            int sent = 0;
            while (System.nanoTime() - end < 0) {
                assertTrue(pool.submit(ran::incrementAndGet));
                sent++;
                int count = sent;
                Eventually.holds("task " + count + " ran", () -> ran.get() == count);
            }
            renewing.join();
        }
    }
}
