package io.margay.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// When the native heap is trimmed.
final class NativeHeapTest {
    private long cpuNanos;
    private int trims;
    private boolean possible = true;

    private final NativeHeap heap =
            new NativeHeap(
                    () -> cpuNanos,
                    () -> {
                        trims++;
                        return possible;
                    });

    private boolean lookAfter(long nanos) {
        cpuNanos += nanos;
        return heap.look();
    }

    @Test
    void processThatWorks_isNotTrimmed_untilItRests() {
        assertTrue(lookAfter(NativeHeap.WORK_NANOS));
        assertTrue(lookAfter(NativeHeap.REST_NANOS + 1));
        assertEquals(0, trims);
        assertTrue(lookAfter(NativeHeap.REST_NANOS));
        assertEquals(1, trims);
    }

    @Test
    void processThatRests_isNotTrimmedAgain_beforeItHasWorked() {
        lookAfter(NativeHeap.WORK_NANOS);
        lookAfter(0);
        lookAfter(NativeHeap.WORK_NANOS - NativeHeap.REST_NANOS - 1);
        lookAfter(NativeHeap.REST_NANOS);
        assertEquals(1, trims);
        lookAfter(NativeHeap.REST_NANOS);
        assertEquals(2, trims);
    }

    @Test
    void processThatCannotBeTrimmed_isNotLookedAtAgain() {
        possible = false;
        lookAfter(NativeHeap.WORK_NANOS);
        assertFalse(lookAfter(0));
    }
}
