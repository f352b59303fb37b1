package io.margay.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How long a path that has held up a loop stays away from loops.
class InlineDispatcherTest {
    private long now = 7;
    private final InlineDispatcher dispatcher =
            new InlineDispatcher(new WorkerPool(WorkerLimits.defaults()), () -> now);

    @AfterEach
    void close() {
        dispatcher.close();
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void path_thatIsQuick_isLent() {
        assertTrue(dispatcher.runsOnLoop("/a"));
    }

    @Test
    void pathThatOverran_staysAwayForASecond_andOthersDoNot() {
        dispatcher.overran("/a");
        pass(999);
        assertFalse(dispatcher.runsOnLoop("/a"));
        assertTrue(dispatcher.runsOnLoop("/b"));
        pass(1);
        assertTrue(dispatcher.runsOnLoop("/a"));
    }

    @Test
    void pathThatOverrunsAgain_staysAwayTwiceAsLong_aMinuteAtMost() {
        long away = 1;
        for (int times = 0; times < 10; times++) {
            dispatcher.overran("/a");
            pass(away * 1000 - 1);
            assertFalse(dispatcher.runsOnLoop("/a"), "for " + away);
            pass(1);
            assertTrue(dispatcher.runsOnLoop("/a"), "after " + away);
            away = Math.min(2 * away, 60);
        }
        assertEquals(60, away);
    }

    @Test
    void pathThatWasQuickForLong_beginsAnew() {
        dispatcher.overran("/a");
        pass(1000);
        dispatcher.overran("/a");
        pass(60_000);
        dispatcher.overran("/a");
        pass(1000);
        assertTrue(dispatcher.runsOnLoop("/a"));
    }

    @Test
    void manyPathsThatOverrun_endLendingForASecond() {
        for (int i = 0; i < 21; i++) {
            assertTrue(dispatcher.runsOnLoop("/quick"));
            dispatcher.overran("/items/" + i);
        }
        assertFalse(dispatcher.runsOnLoop("/quick"));
        pass(1000);
        assertTrue(dispatcher.runsOnLoop("/quick"));
    }
}
