package io.margay.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which paths run on loops: those that have been quick, and have held up none of late.
class InlineDispatcherTest {
    private long now = 7;
    private final InlineDispatcher dispatcher =
            new InlineDispatcher(new WorkerPool(WorkerLimits.defaults()), 0, 0, () -> now);

    @AfterEach
    void close() {
        dispatcher.close();
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private InlineDispatcher careful() {
        return new InlineDispatcher(
                new WorkerPool(WorkerLimits.defaults()), QuickPaths.QUICK_MIN, 0, () -> now);
    }

    private static void take(InlineDispatcher dispatcher, int times, long nanos) {
        for (int i = 0; i < times; i++) {
            dispatcher.quickPaths().took("/a", nanos);
        }
    }

    @Test
    void path_runsOnALoop_onlyOnceItHasBeenQuick() {
        try (InlineDispatcher careful = careful()) {
            assertFalse(careful.runsOnLoop("/a"));
            take(careful, QuickPaths.QUICK_MIN - 1, QuickPaths.QUICK_NANOS - 1);
            assertFalse(careful.runsOnLoop("/a"));
            take(careful, 1, QuickPaths.QUICK_NANOS - 1);
            assertTrue(careful.runsOnLoop("/a"));
            assertFalse(careful.runsOnLoop("/b"));
        }
    }

    @Test
    void pathsThatDifferInNumbers_areOne() {
        try (InlineDispatcher careful = careful()) {
            for (int i = 0; i < QuickPaths.QUICK_MIN; i++) {
                careful.quickPaths().took("/shop/orders/" + i + "/lines", 1000);
            }
            assertTrue(careful.runsOnLoop("/shop/orders/4711-c/lines"));
            assertFalse(careful.runsOnLoop("/shop/orders/list/lines"));
            assertFalse(careful.runsOnLoop("/shop/orders/4711"));
            assertFalse(careful.runsOnLoop("/"));
        }
    }

    @Test
    void pathThatIsNotQuickAnyMore_leavesTheLoop_withinAFewTasks() {
        try (InlineDispatcher careful = careful()) {
            take(careful, 10_000, 1000);
            assertTrue(careful.runsOnLoop("/a"));
            take(careful, 7, QuickPaths.QUICK_NANOS);
            assertFalse(careful.runsOnLoop("/a"));
        }
    }

    @Test
    void pathOfWhichOneInEightIsSlow_staysInThePool() {
        try (InlineDispatcher careful = careful()) {
            for (int i = 0; i < 100; i++) {
                take(careful, 7, 1000);
                take(careful, 1, QuickPaths.QUICK_NANOS);
                assertFalse(careful.runsOnLoop("/a"));
            }
        }
    }

    @Test
    void pathThatOverran_hasToBeQuickAgain() {
        try (InlineDispatcher careful = careful()) {
            take(careful, QuickPaths.QUICK_MIN, 1000);
            careful.overran("/a");
            pass(1000);
            assertFalse(careful.runsOnLoop("/a"));
            take(careful, QuickPaths.QUICK_MIN, 1000);
            assertTrue(careful.runsOnLoop("/a"));
        }
    }

    @Test
    void pathThatOverranOnceInThousandsOfTasks_staysOnTheLoop() {
        take(dispatcher, InlineDispatcher.FORGIVEN_AFTER, 1000);
        dispatcher.overran("/a");
        assertTrue(dispatcher.runsOnLoop("/a"));
        take(dispatcher, InlineDispatcher.FORGIVEN_AFTER - 1, 1000);
        dispatcher.overran("/a");
        assertFalse(dispatcher.runsOnLoop("/a"));
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
