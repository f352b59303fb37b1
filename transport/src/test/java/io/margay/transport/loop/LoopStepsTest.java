package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.Dialer;
import io.margay.transport.TransportConfig;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How long a loop computes before it looks at its events again.
final class LoopStepsTest {
    private static final long STALL_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int STEPS = 40;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000);
    private final List<String> events = new ArrayList<>();

    /// Has no sockets, and tells whether it was to wait.
    private final class Bare implements Poller {
        boolean waited;

        @Override
        public int poll(long timeoutNanos) {
            waited = timeoutNanos != 0;
            events.add("poll");
            return 0;
        }

        @Override
        public @Nullable Pollable target(int place) {
            return null;
        }

        @Override
        public int operations(int place) {
            return 0;
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }

    private final Bare poller = new Bare();
    private final EventLoop loop = new EventLoop(now::get, poller, LoopStepsTest::noDialer);

    LoopStepsTest() {
        loop.adoptThread(Thread.currentThread());
    }

    private static Dialer noDialer(EventLoop loop) {
        return new LoopDialer(
                loop,
                new TlsLayer(TransportConfig.defaults(), true),
                (address, of, result) -> {
                    throw new IOException("no sockets");
                });
    }

    private boolean add(String name, long micros) {
        return loop.compute(() -> {
            now.addAndGet(TimeUnit.MICROSECONDS.toNanos(micros));
            events.add(name);
        });
    }

    @Test
    void steps_ofAnyLengthBelowAMillisecond_holdEventsUpForLessThanTwo() throws IOException {
        for (long micros : new long[] {1, 90, 275, 330, 999}) {
            for (int i = 0; i < STEPS; i++) {
                assertTrue(add("step", micros));
            }
            events.clear();
            int turns = 0;
            while (loop.hasTasks()) {
                long begun = now.get();
                loop.turn(true);
                assertFalse(poller.waited, "steps wait");
                assertTrue(now.get() - begun < STALL_NANOS_MAX, "steps of " + micros + " us");
                turns++;
            }
            assertEquals(STEPS, events.stream().filter("step"::equals).count());
            long each = Math.ceilDiv(1000, micros);
            assertEquals(Math.ceilDiv(STEPS, each), turns, "steps of " + micros + " us");
        }
    }

    @Test
    void steps_ofOneTurn_comeAfterItsTasksAndEventsInTheirOrder() throws IOException {
        assertTrue(add("first", 600));
        assertTrue(add("second", 600));
        assertTrue(add("third", 600));
        loop.execute(() -> events.add("task"));
        loop.turn(true);
        loop.execute(() -> events.add("task"));
        loop.turn(true);
        assertEquals(List.of("task", "poll", "first", "second", "task", "poll", "third"), events);
        loop.turn(true);
        assertTrue(poller.waited, "nothing is left to do");
    }

    @Test
    void step_thatFails_keepsNoOtherFromItsTurn() throws IOException {
        assertTrue(
                loop.compute(() -> {
                    throw new IllegalStateException("as the test wants");
                }));
        assertTrue(add("other", 10));
        loop.turn(true);
        assertEquals(List.of("poll", "other"), events);
    }

    @Test
    void steps_beyondThoseThatMayWait_areRefused() throws IOException {
        for (int i = 0; i < EventLoop.STEPS_WAITING_MAX; i++) {
            assertTrue(add("step", 1001));
        }
        assertFalse(add("too many", 10));
        loop.turn(true);
        assertTrue(add("step", 1001), "one has had its turn");
        assertFalse(add("too many", 10));
    }

    @Test
    void steps_thatWaitAtTheLoopsEnd_areDropped() {
        assertTrue(add("step", 10));
        loop.end();
        assertFalse(loop.hasTasks());
        assertEquals(List.of(), events);
    }
}
