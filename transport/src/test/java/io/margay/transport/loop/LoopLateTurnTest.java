package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

/// What comes first after a turn in which the process stood still: what clients have sent
/// meanwhile, or the deadline that has passed.
final class LoopLateTurnTest {
    private final AtomicLong now = new AtomicLong(1);
    private final List<String> seen = new ArrayList<>();
    private long poll;
    private boolean interrupted;

    /// Waits as told; a signal that interrupts it keeps it from seeing an event.
    private final class Waiting implements Poller {
        @Override
        public int poll(long timeoutNanos) {
            if (timeoutNanos != 0) {
                now.addAndGet(poll);
                return interrupted ? 0 : 1;
            }
            return interrupted ? 1 : 0;
        }

        @Override
        public @Nullable Pollable target(int place) {
            return _ -> seen.add("event");
        }

        @Override
        public int operations(int place) {
            return 1;
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }

    private final EventLoop loop =
            new EventLoop(now::get, new Waiting(), LoopLateTurnTest::noDialer);

    private static Dialer noDialer(EventLoop loop) {
        return new LoopDialer(
                loop,
                new TlsLayer(TransportConfig.defaults(), true),
                (address, of, result) -> {
                    throw new IOException("no sockets");
                });
    }

    private List<String> turn(long seconds, boolean isInterrupted) throws IOException {
        poll = TimeUnit.SECONDS.toNanos(seconds);
        interrupted = isInterrupted;
        DeadlineWheel.Entry deadline = new DeadlineWheel.Entry(() -> seen.add("deadline"));
        boolean _ = deadline.move(now.get() + TimeUnit.SECONDS.toNanos(2));
        loop.schedule(deadline);
        loop.adoptThread(Thread.currentThread());
        boolean _ = loop.turn(true);
        return seen;
    }

    @Test
    void eventsOverAPause_comeBeforeDeadlinesOverIt() throws IOException {
        assertEquals(List.of("event", "deadline"), turn(5, true));
    }

    @Test
    void turnInTime_pollsOnce() throws IOException {
        assertEquals(List.of(), turn(1, true));
    }

    @Test
    void eventsOfALatePoll_areDeliveredOnce() throws IOException {
        assertEquals(List.of("event", "deadline"), turn(5, false));
    }
}
