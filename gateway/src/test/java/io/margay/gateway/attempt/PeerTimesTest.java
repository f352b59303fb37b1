package io.margay.gateway.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PeerTimesTest {
    private static final long TEN = TimeUnit.MILLISECONDS.toNanos(10);

    private final PeerTimes times = new PeerTimes();
    private long now = TimeUnit.HOURS.toNanos(1);

    private void good(int count) {
        for (int i = 0; i < count; i++) {
            times.add(TEN, false, now);
        }
    }

    private void failed(int count) {
        for (int i = 0; i < count; i++) {
            times.add(TEN / 10, true, now);
        }
    }

    /// In answers of ten milliseconds.
    private double cost() {
        return times.cost(now, true) / TEN;
    }

    @Test
    void peerWhoseClientIsSlow_costsWhatItDid() {
        good(1);
        times.begun(true, ++now);
        times.withdraw(now);
        now += 100 * TEN;
        assertEquals(0.9, cost(), 0.01);
        times.begun(false, now);
        long other = ++now;
        times.begun(false, other);
        times.withdraw(other);
        now += 100 * TEN;
        assertEquals(100, cost(), 0.1, "the one before is still awaited");
    }

    @Test
    void peerThatDoesNotAnswer_costsTheTimeSinceItWasAsked() {
        good(1);
        times.begun(true, ++now);
        now += TEN / 2;
        assertEquals(1, cost(), 0.01);
        now += 100 * TEN;
        times.begun(false, now);
        assertEquals(100.5, cost(), 0.01, "the first request counts");
        assertEquals(0.9, times.cost(now, false) / TEN, 0.01, "it has none: its client has left");
        good(1);
        assertEquals(1, cost(), 0.1, "it has answered");
        now += 10 * TEN;
        assertEquals(1, cost(), 0.1, "what it has is being sent, or waits behind");
    }

    @Test
    void oneFailure_isForgottenWithTheNextAnswers() {
        good(1);
        failed(1);
        assertEquals(2, cost(), 0.01);
        good(4);
        assertTrue(cost() < 1.05, () -> "cost " + cost());
    }

    @Test
    void oneFailure_isForgottenWithinSeconds_whereNothingIsAsked() {
        good(1);
        failed(1);
        now += TimeUnit.SECONDS.toNanos(5);
        assertTrue(cost() < 1, () -> "cost " + cost());
    }

    @Test
    void failuresInARow_costMuch_afterAFew() {
        good(1);
        failed(8);
        assertEquals(256, cost(), 1);
        failed(1000);
        assertEquals(65_536, cost(), 1);
    }

    @Test
    void fewFailuresAmongMany_costLittle() {
        double sum = 0;
        for (int i = 0; i < 100; i++) {
            failed(1);
            good(9);
            sum += cost();
        }
        assertTrue(sum / 100 < 1.01, "a tenth of failures");
    }

    @Test
    void peerThatHasOnlyFailed_isNotTheFastest_andIsKnownWithItsFirstAnswer() {
        failed(1);
        assertTrue(cost() > 100);
        good(4);
        assertTrue(cost() < 1.05, () -> "cost " + cost());
    }
}
