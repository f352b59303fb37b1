package io.margay.compat.tomcat.valve;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import io.margay.compat.tomcat.filter.InitParams;
import io.margay.testkit.LoggedLines;
import jakarta.servlet.ServletException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that take very long, with a clock of the test's own.
@Tag("slow")
@Timeout(30)
final class StuckRequestsTest {
    private final AtomicLong seconds = new AtomicLong();

    private StuckRequests requests(long threshold, long interrupt) {
        return new StuckRequests(
                TimeUnit.SECONDS.toNanos(threshold),
                TimeUnit.SECONDS.toNanos(interrupt),
                () -> TimeUnit.SECONDS.toNanos(seconds.get()));
    }

    private static LoggedLines log() {
        return LoggedLines.of(StuckRequests.class.getName());
    }

    @Test
    void request_beyondTheThreshold_isToldOnce_andWhenItHasFinished() {
        try (LoggedLines lines = log()) {
            StuckRequests requests = requests(600, 0);
            StuckRequests.Work slow = requests.enter("POST", "/shop/report");
            seconds.set(599);
            StuckRequests.Work quick = requests.enter("GET", "/shop/");
            requests.look();
            assertEquals(0, lines.count(""), lines.toString());
            seconds.set(601);
            requests.look();
            requests.look();
            assertEquals(1, requests.stuck());
            String thread = Thread.currentThread().getName();
            assertEquals(
                    1, lines.count("WARNING POST /shop/report may be stuck: thread " + thread));
            assertEquals(1, lines.count("601 s"), lines.toString());
            seconds.set(700);
            requests.leave(quick);
            requests.leave(slow);
            assertEquals(1, lines.count("POST /shop/report has finished after 700 s"));
            assertEquals(2, lines.count(""), lines.toString());
            seconds.set(5000);
            assertEquals(0, requests.stuck());
            requests.look();
            assertEquals(2, lines.count(""), "what has left is not looked at: " + lines);
        }
    }

    @Test
    void warning_hasTheStackOfTheThread() throws Exception {
        AtomicBoolean seen = new AtomicBoolean();
        Logger logger = Logger.getLogger(StuckRequests.class.getName());
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord event) {
                        for (StackTraceElement at : event.getThrown().getStackTrace()) {
                            seen.compareAndSet(false, at.getMethodName().equals("waitFor"));
                        }
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.addHandler(handler);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        StuckRequests requests = requests(1, 0);
        Thread worker =
                Thread.ofVirtual()
                        .start(() -> {
                            requests.enter("GET", "/");
                            entered.countDown();
                            waitFor(end);
                        });
        try {
            entered.await();
            while (worker.getState() != Thread.State.WAITING) {
                LockSupport.parkNanos(1_000_000);
            }
            seconds.set(1);
            requests.look();
            assertTrue(seen.get());
        } finally {
            end.countDown();
            worker.join();
            logger.removeHandler(handler);
        }
    }

    private static boolean waitFor(CountDownLatch latch) {
        try {
            latch.await();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void thread_beyondTheOtherThreshold_isInterrupted_andFreeOfItAfterwards() throws Exception {
        try (LoggedLines lines = log()) {
            StuckRequests requests = requests(10, 20);
            CountDownLatch entered = new CountDownLatch(1);
            AtomicBoolean interrupted = new AtomicBoolean();
            AtomicBoolean left = new AtomicBoolean(true);
            Thread worker =
                    Thread.ofPlatform()
                            .start(() -> {
                                StuckRequests.Work work = requests.enter("GET", "/");
                                entered.countDown();
                                interrupted.set(waitFor(new CountDownLatch(1)));
                                Thread.currentThread().interrupt(); // As code does that gives up.
                                requests.leave(work);
                                left.set(Thread.currentThread().isInterrupted());
                            });
            entered.await();
            seconds.set(19);
            requests.look();
            assertTrue(worker.isAlive());
            seconds.set(20);
            requests.look();
            worker.join();
            assertTrue(interrupted.get());
            assertFalse(left.get(), "the next request of the thread is not interrupted");
            assertEquals(1, lines.count("GET / has taken 20 s"), lines.toString());
            assertEquals(1, lines.count("and its thread was interrupted"), lines.toString());
        }
    }

    @Test
    void manyStuckRequests_writeFewStacks() {
        try (LoggedLines lines = log()) {
            StuckRequests requests = requests(1, 0);
            for (int i = 0; i < 100; i++) {
                requests.enter("GET", "/");
            }
            seconds.set(1);
            requests.look();
            assertEquals(10, lines.count("may be stuck"), lines.toString());
            assertEquals(1, lines.count("90 more requests are stuck"), lines.toString());
            requests.look();
            assertEquals(11, lines.count(""), lines.toString());
        }
    }

    @Test
    void settings_areThoseOfTomcat() throws Exception {
        assertEquals(new StuckThreadFilter.Settings(600, 0), settings(Map.of()));
        assertEquals(new StuckThreadFilter.Settings(0, 0), settings(Map.of("threshold", "0")));
        assertEquals(new StuckThreadFilter.Settings(0, 0), settings(Map.of("threshold", "-1")));
        assertEquals(
                new StuckThreadFilter.Settings(60, 60),
                settings(Map.of("threshold", "60", "interruptThreadThreshold", "30")),
                "nothing is interrupted before it is told");
        assertThrows(ServletException.class, () -> settings(Map.of("threshhold", "60")));
    }

    private static StuckThreadFilter.Settings settings(Map<String, String> values)
            throws ServletException {
        return StuckThreadFilter.Settings.of(new InitParams("valve", values));
    }

    @Test
    void filter_hasItsRequestsWatched_untilItIsDestroyed() throws Exception {
        try (LoggedLines lines = log()) {
            StuckThreadFilter filter = started(new StuckThreadFilter(), Map.of("threshold", "1"));
            FakeExchange exchange = new FakeExchange();
            assertTrue(
                    exchange.passes(
                            filter,
                            (_, _) -> {
                                while (lines.count("GET /app/page may be stuck") == 0) {
                                    LockSupport.parkNanos(1_000_000);
                                }
                            }));
            assertEquals(1, lines.count("GET /app/page has finished"), lines.toString());
            filter.destroy();
        }
    }
}
