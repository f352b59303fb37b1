package io.margay.servlet.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// When a peer is too slow with what it has begun, by a clock of the test's own.
class FrameDeadlineTest {
    private long now = Long.MAX_VALUE - 5;
    private int late;

    /// Never runs anything within the test: the test looks by itself.
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

    private final FrameDeadline deadline =
            new FrameDeadline(
                    new WebSocketLimits(
                            1 << 20,
                            1 << 20,
                            Duration.ofHours(20),
                            Duration.ofHours(10),
                            2,
                            0,
                            Duration.ZERO),
                    timer,
                    () -> now,
                    () -> late++);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    private void pass(long hours) {
        now += TimeUnit.HOURS.toNanos(hours);
        deadline.look();
    }

    @Test
    void pauseWithinAMessage_isBounded() {
        deadline.await(0);
        pass(20);
        assertEquals(0, late);
        pass(1);
        assertEquals(1, late);
    }

    @Test
    void frame_mustComeAtARate_afterAGrace() {
        // Two bytes a second beyond ten hours: 3 600 for half an hour.
        deadline.await(3_700);
        pass(10);
        assertEquals(0, late);
        deadline.arrived();
        now += TimeUnit.HOURS.toNanos(5);
        deadline.await(3_700);
        deadline.look();
        assertEquals(0, late, "time that the application takes does not count");
        pass(1);
        assertEquals(1, late);
    }

    @Test
    void wholeFrame_beginsAnew() {
        deadline.await(1);
        pass(10);
        deadline.arrived();
        deadline.frameEnded();
        pass(100);
        assertEquals(0, late, "nothing is owed");
        deadline.await(1);
        pass(10);
        assertEquals(0, late);
    }

    @Test
    void endedSession_isNotKeptByTheTimer() {
        timer.setRemoveOnCancelPolicy(true);
        deadline.await(1);
        assertEquals(1, timer.getQueue().size());
        deadline.stop();
        assertEquals(0, timer.getQueue().size());
        deadline.await(1);
        deadline.look();
        assertEquals(0, timer.getQueue().size(), "nor by a look that was under way");
    }
}
