package io.margay.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// How orders and requests are spread, by a clock of the test.
final class AuthorityPaceTest {
    private long nanos = -5_000_000_000L; // a nano clock may be below zero
    private final AuthorityPace pace = new AuthorityPace(() -> nanos);

    private void after(Duration time) {
        nanos += time.toNanos();
    }

    private Duration orderIn() {
        return Duration.ofNanos(pace.orderNanos());
    }

    @Test
    void requests_thatComeAtOnce_areSpreadEvenly() {
        for (int i = 0; i < 100; i++) {
            assertEquals(i * AuthorityPace.REQUEST_DISTANCE.toNanos(), pace.requestNanos());
        }
        after(Duration.ofMinutes(1));
        assertEquals(0, pace.requestNanos());
    }

    @Test
    void orders_thatNoAuthorityRefuses_waitForNothing() {
        pace.begun();
        pace.accepted();
        pace.begun();
        assertEquals(Duration.ZERO, orderIn());
        assertFalse(pace.isHeld());
    }

    @Test
    void refusal_holdsAllOrders_forWhatTheAuthorityAsks() {
        pace.begun();
        pace.refused(Duration.ofSeconds(36));
        assertTrue(pace.isHeld());
        assertEquals(Duration.ofSeconds(36), orderIn());
        after(Duration.ofSeconds(36));
        assertEquals(Duration.ZERO, orderIn());
        pace.begun();
        assertFalse(pace.isHeld());
        assertEquals(Duration.ofSeconds(36), orderIn());
        pace.accepted();
        assertEquals(Duration.ofSeconds(18), orderIn());
    }

    @Test
    void limitOfOneName_holdsTheOthersForAMinuteAtMost_thenLongerEachTime() {
        pace.refused(Duration.ofDays(2));
        assertEquals(Duration.ofMinutes(1), orderIn());
        Duration expected = Duration.ofMinutes(1);
        for (int i = 0; i < 6; i++) {
            after(orderIn());
            pace.begun();
            pace.refused(Duration.ZERO);
            expected = expected.multipliedBy(2);
            Duration most = Duration.ofMinutes(15);
            assertEquals(expected.compareTo(most) > 0 ? most : expected, orderIn());
        }
    }

    @Test
    void ordersBegunBeforeARefusal_neitherLengthenNorShortenTheWait() {
        pace.refused(Duration.ofSeconds(10));
        pace.refused(Duration.ofSeconds(10));
        pace.accepted();
        assertEquals(Duration.ofSeconds(10), orderIn());
    }

    @Test
    void refusalWithoutATime_waitsASecond_andOrdersThatAreAcceptedEndIt() {
        pace.refused(Duration.ZERO);
        assertEquals(Duration.ofSeconds(1), orderIn());
        after(orderIn());
        pace.begun();
        pace.accepted();
        assertEquals(Duration.ZERO, orderIn());
    }
}
