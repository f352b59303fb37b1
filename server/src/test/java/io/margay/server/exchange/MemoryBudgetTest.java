package io.margay.server.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final int STEP = 16_384;

    private final MemoryBudget budget = new MemoryBudget(4 * STEP);

    @Test
    void take_overTheBound_changesNothing() {
        assertTrue(budget.take(3 * STEP));
        assertFalse(budget.take(STEP + 1));
        assertEquals(3 * STEP, budget.held());
        assertEquals(1, budget.refused());
        assertTrue(budget.take(STEP));
        budget.give(4 * STEP);
        assertEquals(0, budget.held());
    }

    @Test
    void share_countsInSteps_andNotWhatIsFree() {
        MemoryBudget.Share share = budget.share(1_000);
        assertTrue(share.hold(1_000));
        assertEquals(0, budget.held());
        assertTrue(share.hold(1_001));
        assertEquals(STEP, budget.held());
        assertTrue(share.hold(STEP + 1));
        assertEquals(2 * STEP, budget.held());
        assertFalse(share.hold(5 * STEP));
        assertEquals(2 * STEP, budget.held());
        assertTrue(share.hold(1));
        assertEquals(0, budget.held());
        share.release();
        assertEquals(0, budget.held());
    }

    @Test
    void part_isBoundedByItselfAndByTheWhole() {
        MemoryBudget part = budget.part(2);
        assertFalse(part.take(2 * STEP + 1));
        assertTrue(part.take(2 * STEP));
        assertEquals(2 * STEP, budget.held());
        part.give(2 * STEP);
        assertEquals(0, budget.held());
        assertTrue(budget.take(3 * STEP));
        assertFalse(part.take(2 * STEP));
        assertEquals(0, part.held());
        assertEquals(3 * STEP, budget.held());
    }
}
