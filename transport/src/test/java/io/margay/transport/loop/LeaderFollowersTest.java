package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.LeaderTask;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How long a loop stands still for a task that does not end.
@Timeout(60)
final class LeaderFollowersTest {
    private static final long STALL_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(2);

    /// A busy machine runs no thread when it should, but does so often enough among many.
    private static final int SAMPLES_MAX = 600;

    private static final int IN_TIME = 1;

    /// What a slow task does.
    enum Slow {
        BLOCKS,
        HOGS
    }

    /// What is known of a thread that the processor is kept from, or not.
    private record Times(boolean runnable, long worksEachLook) implements ThreadTimes {
        private static final AtomicLong WORKED = new AtomicLong();

        @Override
        public int number() {
            return 1;
        }

        @Override
        public long workedNanos(Thread thread, int number) {
            return WORKED.addAndGet(worksEachLook);
        }

        @Override
        public boolean isRunnable(int number) {
            return runnable;
        }
    }

    @Test
    void taskThatOnlyWaitsForAProcessor_keepsTheLoopForAWhile() throws Exception {
        long waited = stall(Slow.HOGS, new Times(true, 0));
        assertTrue(waited > 20 * TimeUnit.MICROSECONDS.toNanos(800), waited + " ns");
        assertTrue(waited < TimeUnit.SECONDS.toNanos(10), waited + " ns");
    }

    @Test
    void taskThatWorksOrWaits_losesTheLoopAtOnce() throws Exception {
        for (Times times : List.of(new Times(true, 200_000), new Times(false, 0))) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < SAMPLES_MAX && least > STALL_NANOS_MAX; i++) {
                least = Math.min(least, stall(Slow.BLOCKS, times));
            }
            assertTrue(least <= STALL_NANOS_MAX, times + ": " + least + " ns");
        }
    }

    @ParameterizedTest
    @EnumSource
    void taskThatDoesNotEnd_losesTheLoopWithinTwoMilliseconds(Slow how) throws Exception {
        int inTime = 0;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < SAMPLES_MAX && inTime < IN_TIME; i++) {
            long stall = stall(how, null);
            least = Math.min(least, stall);
            inTime += stall <= STALL_NANOS_MAX ? 1 : 0;
        }
        assertEquals(IN_TIME, inTime, "the loop stood still for " + least + " ns at least");
    }

    /// Time from the beginning of a task that does not end until another thread is the loop.
    private static long stall(Slow how, @Nullable ThreadTimes times) throws InterruptedException {
        Stall stall = new Stall(how);
        LeaderFollowers threads = new LeaderFollowers("stalled", stall::drive, _ -> {}, times);
        stall.threads = threads;
        threads.start();
        assertTrue(stall.taken.await(30, TimeUnit.SECONDS));
        assertTrue(stall.ended.await(30, TimeUnit.SECONDS));
        assertFalse(stall.kept, "a thread that has lost the loop leaves it");
        threads.end();
        return stall.takenNanos - stall.begunNanos;
    }

    private static final class Stall implements LeaderTask {
        final CountDownLatch taken = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);
        private final Slow how;
        private final AtomicBoolean driven = new AtomicBoolean();
        volatile LeaderFollowers threads;
        volatile long begunNanos;
        volatile long takenNanos;
        volatile boolean kept;

        Stall(Slow how) {
            this.how = how;
        }

        /// The first driver runs the task, the second has taken the loop over.
        void drive() {
            if (driven.compareAndSet(false, true)) {
                assertTrue(threads.add(this));
                kept = threads.runTasks();
                ended.countDown();
            } else {
                takenNanos = System.nanoTime();
                taken.countDown();
            }
        }

        @Override
        public void run() {
            begunNanos = System.nanoTime();
            if (how == Slow.HOGS) {
                while (taken.getCount() > 0) {
                    Thread.onSpinWait();
                }
                return;
            }
            try {
                assertTrue(taken.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public int perSecondMin() {
            return 0;
        }

        @Override
        public void overrun() {}
    }
}
