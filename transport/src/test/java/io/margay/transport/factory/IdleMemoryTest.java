package io.margay.transport.factory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// When the native heap is trimmed.
final class IdleMemoryTest {
    private static final long SOON = IdleMemory.SOON.toNanos();
    private static final long REST = SOON / IdleMemory.REST_SHARE;

    private long clockNanos = -1;
    private long cpuNanos;
    private int trims;
    private int drops;
    private boolean possible = true;

    private final IdleMemory heap =
            new IdleMemory(
                    () -> clockNanos,
                    () -> cpuNanos,
                    () -> {
                        trims++;
                        return possible;
                    },
                    () -> drops++);

    private @Nullable Duration lookAfter(long nanos, long usedNanos) {
        clockNanos += nanos;
        cpuNanos += usedNanos;
        return heap.look();
    }

    @Test
    void processThatWorks_isNotTrimmed_untilItRests() {
        assertEquals(IdleMemory.SOON, lookAfter(SOON, IdleMemory.WORK_NANOS));
        assertEquals(IdleMemory.SOON, lookAfter(SOON, REST + 1));
        assertEquals(0, trims);
        assertEquals(IdleMemory.LATER, lookAfter(SOON, REST));
        assertEquals(1, trims);
    }

    @Test
    void processThatHasWorkedLittle_isLookedAtLessOften() {
        assertEquals(IdleMemory.LATER, lookAfter(SOON, IdleMemory.WORK_NANOS - 1));
        assertEquals(IdleMemory.LATER, lookAfter(SOON, 0));
        assertEquals(0, trims);
        assertEquals(IdleMemory.LATER, lookAfter(SOON, 1));
        assertEquals(1, trims);
    }

    @Test
    void rest_isAShareOfTheTimeThatHasPassed() {
        lookAfter(SOON, IdleMemory.WORK_NANOS);
        assertEquals(IdleMemory.LATER, lookAfter(10 * SOON, 10 * REST));
        assertEquals(1, trims);
    }

    @Test
    void processThatRests_isNotTrimmedAgain_beforeItHasWorked() {
        lookAfter(SOON, IdleMemory.WORK_NANOS);
        lookAfter(SOON, 0);
        lookAfter(SOON, IdleMemory.WORK_NANOS - REST - 1);
        lookAfter(SOON, REST);
        assertEquals(1, trims);
        lookAfter(SOON, REST);
        assertEquals(2, trims);
    }

    @Test
    void processThatRests_isTrimmedOnceMore_whenTheJvmHasLetGo() {
        long again = IdleMemory.AGAIN.toNanos();
        lookAfter(SOON, IdleMemory.WORK_NANOS);
        lookAfter(SOON, 0);
        assertEquals(IdleMemory.LATER, lookAfter(again - 1, 0));
        assertEquals(1, trims);
        assertEquals(IdleMemory.SOON, lookAfter(1, 1));
        assertEquals(1, trims);
        assertEquals(IdleMemory.LATER, lookAfter(SOON, REST));
        assertEquals(2, trims);
        lookAfter(again, 0);
        assertEquals(2, trims);
    }

    @Test
    void processThatCannotBeTrimmed_isNotLookedAtAgain() {
        possible = false;
        lookAfter(SOON, IdleMemory.WORK_NANOS);
        assertNull(lookAfter(SOON, 0));
    }

    @Test
    void pagesOfArchives_areGivenBackWithASecondTrim_andSeldom() {
        long again = IdleMemory.AGAIN.toNanos();
        lookAfter(SOON, IdleMemory.WORK_NANOS);
        lookAfter(SOON, 0);
        assertEquals(0, drops, "the first trim comes when a start has just ended");
        lookAfter(again, 0);
        assertEquals(1, drops);
        lookAfter(SOON, IdleMemory.WORK_NANOS);
        lookAfter(SOON, 0);
        lookAfter(again, 0);
        assertEquals(4, trims);
        assertEquals(1, drops, "what is in use has come back since");
        lookAfter(SOON, IdleMemory.PAGES_WORK_NANOS);
        lookAfter(SOON, 0);
        lookAfter(again, 0);
        assertEquals(2, drops);
    }

    @Test
    void pagesOfArchives_stayWhereNothingCanBeGivenBack() {
        possible = false;
        lookAfter(SOON, IdleMemory.WORK_NANOS);
        assertNull(lookAfter(SOON, 0));
        assertEquals(0, drops);
    }
}
