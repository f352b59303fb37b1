package io.margay.transport;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for a condition with a deadline.
final class Until {
    private static final long SECONDS_MAX = 20;

    private Until() {}

    /// Polls until the condition holds.
    static void holds(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + SECONDS_MAX * 1_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + SECONDS_MAX + " s: " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
