package io.margay.server.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// When it is in doubt whether the client of a request waits still.
final class StandstillClockTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND);
    private final Standstill standstill = new Standstill(now::get);

    private boolean isDoubtful(long after) {
        return standstill.isDoubtful(now.addAndGet(after));
    }

    private void beats(long each, int count) {
        for (int i = 0; i < count; i++) {
            now.addAndGet(each);
            standstill.beat();
        }
    }

    @Test
    void processAtWork_isNeverInDoubt() {
        for (int i = 0; i < 100; i++) {
            beats(SECOND / 2, 1);
            assertFalse(isDoubtful(SECOND / 2));
            assertFalse(standstill.isDoubtful());
        }
    }

    @Test
    void pause_isNoticedBeforeTheNextBeat() {
        beats(SECOND / 4, 3);
        assertTrue(isDoubtful(Standstill.PAUSE_NANOS + 1));
        assertFalse(standstill.isDoubtful(), "known from the next beat on");
        standstill.beat();
        assertTrue(standstill.isDoubtful());
    }

    @Test
    void doubt_lastsForAWhileAfterAPause() {
        beats(2 * SECOND, 1);
        int beats = (int) (Standstill.DOUBT_NANOS / SECOND);
        beats(SECOND, beats - 1);
        assertTrue(isDoubtful(0));
        beats(SECOND, 1);
        assertFalse(isDoubtful(0));
        assertFalse(standstill.isDoubtful());
    }
}
