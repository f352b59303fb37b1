package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import io.margay.transport.TransportConfig;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which tasks a loop runs as its leader: a row of them at a time, where they come often.
@Timeout(60)
final class LeaderRoundsTest {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final Rounds rounds = new Rounds();
    private final EventLoop loop =
            new EventLoop(System::nanoTime, rounds, LeaderRoundsTest::noDialer);
    private final BlockingQueue<Boolean> taken = new LinkedBlockingQueue<>();
    private final AtomicInteger ran = new AtomicInteger();
    private volatile int perSecondMin;

    /// Brings rounds of so many events, each of which offers a task.
    private final class Rounds implements Poller {
        final BlockingQueue<Integer> next = new LinkedBlockingQueue<>();

        @Override
        public int poll(long timeoutNanos) {
            try {
                Integer count = timeoutNanos == 0 ? next.poll() : next.take();
                return count == null ? 0 : count;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public @Nullable Pollable target(int place) {
            return _ -> taken.add(loop.runAsLeader(new Counted()));
        }

        @Override
        public int operations(int place) {
            return 1;
        }

        @Override
        public void wake() {
            next.add(0);
        }

        @Override
        public void close() {}
    }

    private final class Counted implements LeaderTask {
        @Override
        public int perSecondMin() {
            return perSecondMin;
        }

        @Override
        public void overrun() {}

        @Override
        public void run() {
            ran.incrementAndGet();
        }
    }

    private static Dialer noDialer(EventLoop of) {
        return new LoopDialer(
                of,
                new TlsLayer(TransportConfig.defaults(), true),
                (address, owner, result) -> {
                    throw new IOException("no sockets");
                });
    }

    /// Brings a round of so many events.
    ///
    /// @return how many tasks of it the loop has taken
    private int round(int events) throws InterruptedException {
        rounds.next.add(events);
        int count = 0;
        for (int i = 0; i < events; i++) {
            Boolean one = taken.poll(30, TimeUnit.SECONDS);
            assertNotNull(one, "the loop stands still");
            count += one ? 1 : 0;
        }
        return count;
    }

    @AfterEach
    void stop() throws InterruptedException {
        loop.stop();
        loop.join(TimeUnit.SECONDS.toMillis(30));
    }

    @Test
    void tasksOfARound_runOnTheLoop_upToARow() throws InterruptedException {
        loop.start("rounds", _ -> {});
        assertEquals(1, round(1));
        int offered = LeaderFollowers.ROW_MAX + 1;
        int row = Math.min(offered, LeaderFollowers.rowMax(PROCESSORS));
        assertEquals(row, round(offered));
        assertEquals(1, round(1), "the row has been run");
        stop();
        assertEquals(row + 2, ran.get());
    }

    @Test
    void row_isLonger_whereThereIsNoOtherProcessor() {
        assertEquals(LeaderFollowers.ROW_MAX_ALONE, LeaderFollowers.rowMax(1));
        assertEquals(LeaderFollowers.ROW_MAX, LeaderFollowers.rowMax(2));
    }

    @Test
    void tasksThatComeSeldom_needAnotherThread() throws InterruptedException {
        perSecondMin = Integer.MAX_VALUE;
        loop.start("rounds", _ -> {});
        for (int i = 0; i < 100; i++) {
            assertEquals(0, round(1));
        }
        perSecondMin = 0;
        assertEquals(1, round(1));
    }
}
