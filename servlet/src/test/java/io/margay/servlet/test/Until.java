package io.margay.servlet.test;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for a condition, at most ten seconds.
public final class Until {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Until() {}

    /// Returns as soon as the condition holds.
    public static void isTrue(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the condition did not come true");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
