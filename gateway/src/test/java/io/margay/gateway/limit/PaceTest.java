package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// When how much of a response may be sent.
final class PaceTest {
    private static final long START = 1_000_000_000;

    @Test
    void bytesThatAreFree_areSentAtOnce_andThenThePaceHolds() {
        Pace pace = new Pace(1_000, 5_000, START);
        assertTrue(pace.takes(5_000, START));
        assertFalse(pace.takes(5_001, START));
        pace.sent(5_000, START);
        assertEquals(125, pace.allowed(START));
        pace.sent(125, START);
        assertEquals(0, pace.allowed(START));
        long due = pace.dueNanos();
        assertEquals(0, pace.allowed(due - 1));
        assertEquals(125, pace.allowed(due));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 4_096, 100_000, 50_000_000})
    void timersThatAreLate_doNotChangeTheRate(long rate) {
        SplittableRandom random = new SplittableRandom(5);
        Pace pace = new Pace(rate, 0, START);
        long now = START;
        long sent = 0;
        long end = START + TimeUnit.SECONDS.toNanos(20);
        while (now - end < 0) {
            int allowed = pace.allowed(now);
            if (allowed == 0) {
                now = pace.dueNanos() + random.nextLong(TimeUnit.MILLISECONDS.toNanos(100));
            } else {
                assertTrue(allowed <= Pace.PIECE_BYTES_MAX);
                pace.sent(allowed, now);
                sent += allowed;
            }
        }
        double seconds = (now - START) / 1e9;
        double measured = sent / seconds;
        assertTrue(
                measured <= rate * 1.02 + 1 && measured >= rate * 0.95 - 1,
                () -> measured + " bytes in a second, not " + rate);
    }

    @Test
    void whoHasSentNothingForLong_doesNotMakeUpForIt() {
        Pace pace = new Pace(1_000, 0, START);
        long later = START + TimeUnit.HOURS.toNanos(1);
        long sent = 0;
        while (pace.allowed(later) > 0) {
            sent += pace.allowed(later);
            pace.sent(pace.allowed(later), later);
        }
        assertTrue(sent <= 500, "half a second's at most");
    }
}
