package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// How often tasks come to a loop.
final class TaskRateTest {
    private static final long BEGUN = Long.MAX_VALUE - 1_000_000;

    private final TaskRate rate = new TaskRate(BEGUN);

    private long offer(long micros) {
        return rate.offer(BEGUN + TimeUnit.MICROSECONDS.toNanos(micros));
    }

    @Test
    void rate_isKnownAfterASpan() {
        for (int i = 1; i < 50; i++) {
            assertEquals(0, offer(i * 100L));
        }
        assertEquals(10_000, offer(5_000));
    }

    @Test
    void pause_countsAsTimeInWhichFewCame() {
        assertEquals(10, offer(100_000));
        assertEquals(10, offer(100_100));
        assertEquals(400, offer(105_000));
    }

    @Test
    void burst_isOften_inTheSpansAfterIt() {
        for (int i = 0; i < 99; i++) {
            assertEquals(0, offer(10));
        }
        assertEquals(10_000, offer(10_000));
        assertEquals(100, offer(20_000));
    }
}
