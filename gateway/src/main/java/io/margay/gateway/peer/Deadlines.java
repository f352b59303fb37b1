package io.margay.gateway.peer;

import io.margay.transport.Connection;
import java.time.Duration;

/// Times as [System#nanoTime], of which [Connection#NEVER] is none. Stateless.
final class Deadlines {
    private Deadlines() {}

    /// So long after a time; a duration of zero is for ever.
    static long after(long nanoTime, Duration time) {
        return time.isZero() ? Connection.NEVER : nanoTime + time.toNanos();
    }

    static long earlier(long one, long other) {
        if (one == Connection.NEVER || other == Connection.NEVER) {
            return one == Connection.NEVER ? other : one;
        }
        return one - other < 0 ? one : other;
    }

    static boolean isPast(long deadline, long now) {
        return deadline != Connection.NEVER && deadline - now <= 0;
    }
}
