package io.margay.servlet.session;

/// Time as sessions see it: wall time to show, monotonic time to measure idleness.
public interface SessionClock {
    /// The machine's clocks.
    SessionClock SYSTEM =
            new SessionClock() {
                @Override
                public long millis() {
                    return System.currentTimeMillis();
                }

                @Override
                public long nanos() {
                    return System.nanoTime();
                }
            };

    /// Milliseconds since the epoch.
    long millis();

    /// A monotonic count of nanoseconds.
    long nanos();
}
