package io.margay.protocol.quic.recovery;

/// Units and marks of time. All times of a connection are nanoseconds since it began, so that they
/// are never negative and can be compared.
public final class Times {
    /// Later than any time.
    public static final long NEVER = Long.MAX_VALUE;

    public static final long MILLISECOND = 1_000_000;

    /// What timers are exact to (RFC 9002 §6.1.2).
    public static final long GRANULARITY = MILLISECOND;

    private Times() {}

    /// A time later by so much, or [#NEVER].
    public static long after(long time, long delay) {
        return time > NEVER - delay ? NEVER : time + delay;
    }
}
