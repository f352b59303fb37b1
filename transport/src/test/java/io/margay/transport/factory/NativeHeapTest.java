package io.margay.transport.factory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// When the native heap is trimmed.
final class NativeHeapTest {
    private static final long SOON = NativeHeap.SOON.toNanos();
    private static final long REST = SOON / NativeHeap.REST_SHARE;

    private long clockNanos = -1;
    private long cpuNanos;
    private int trims;
    private boolean possible = true;

    private final NativeHeap heap =
            new NativeHeap(
                    () -> clockNanos,
                    () -> cpuNanos,
                    () -> {
                        trims++;
                        return possible;
                    });

    private @Nullable Duration lookAfter(long nanos, long usedNanos) {
        clockNanos += nanos;
        cpuNanos += usedNanos;
        return heap.look();
    }

    @Test
    void processThatWorks_isNotTrimmed_untilItRests() {
        assertEquals(NativeHeap.SOON, lookAfter(SOON, NativeHeap.WORK_NANOS));
        assertEquals(NativeHeap.SOON, lookAfter(SOON, REST + 1));
        assertEquals(0, trims);
        assertEquals(NativeHeap.LATER, lookAfter(SOON, REST));
        assertEquals(1, trims);
    }

    @Test
    void processThatHasWorkedLittle_isLookedAtLessOften() {
        assertEquals(NativeHeap.LATER, lookAfter(SOON, NativeHeap.WORK_NANOS - 1));
        assertEquals(NativeHeap.LATER, lookAfter(SOON, 0));
        assertEquals(0, trims);
        assertEquals(NativeHeap.LATER, lookAfter(SOON, 1));
        assertEquals(1, trims);
    }

    @Test
    void rest_isAShareOfTheTimeThatHasPassed() {
        lookAfter(SOON, NativeHeap.WORK_NANOS);
        assertEquals(NativeHeap.LATER, lookAfter(10 * SOON, 10 * REST));
        assertEquals(1, trims);
    }

    @Test
    void processThatRests_isNotTrimmedAgain_beforeItHasWorked() {
        lookAfter(SOON, NativeHeap.WORK_NANOS);
        lookAfter(SOON, 0);
        lookAfter(SOON, NativeHeap.WORK_NANOS - REST - 1);
        lookAfter(SOON, REST);
        assertEquals(1, trims);
        lookAfter(SOON, REST);
        assertEquals(2, trims);
    }

    @Test
    void processThatRests_isTrimmedOnceMore_whenTheJvmHasLetGo() {
        long again = NativeHeap.AGAIN.toNanos();
        lookAfter(SOON, NativeHeap.WORK_NANOS);
        lookAfter(SOON, 0);
        assertEquals(NativeHeap.LATER, lookAfter(again - 1, 0));
        assertEquals(1, trims);
        assertEquals(NativeHeap.SOON, lookAfter(1, 1));
        assertEquals(1, trims);
        assertEquals(NativeHeap.LATER, lookAfter(SOON, REST));
        assertEquals(2, trims);
        lookAfter(again, 0);
        assertEquals(2, trims);
    }

    @Test
    void processThatCannotBeTrimmed_isNotLookedAtAgain() {
        possible = false;
        lookAfter(SOON, NativeHeap.WORK_NANOS);
        assertNull(lookAfter(SOON, 0));
    }
}
