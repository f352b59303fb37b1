package io.margay.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for something that another thread brings about, up to a deadline.
public final class Eventually {
    private static final long POLL_NANOS = 5_000_000L;

    private Eventually() {}

    /// Waits until `condition` holds, 10 s at most.
    ///
    /// @throws AssertionError when it does not come to hold
    public static void holds(String what, BooleanSupplier condition) {
        holds(what, Duration.ofSeconds(10), condition);
    }

    /// Waits until `condition` holds.
    public static void holds(String what, Duration patience, BooleanSupplier condition) {
        if (!comes(patience, condition)) {
            throw new AssertionError("after " + patience + " still not: " + what);
        }
    }

    /// Waits until `condition` holds, and says whether it has come to.
    public static boolean comes(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }
}
