package io.margay.server.connection;

/// How long a peer has been waited for, and how much it moved: what tells a slow client from a slow
/// handler. Owned as its connection is.
final class Pace {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long graceNanos;
    private final int bytesPerSecondMin;
    private long waitedNanos;
    private long bytes;

    Pace(long graceNanos, int bytesPerSecondMin) {
        this.graceNanos = graceNanos;
        this.bytesPerSecondMin = bytesPerSecondMin;
    }

    void waited(long nanos) {
        waitedNanos += nanos;
    }

    void moved(long count) {
        bytes += count;
    }

    /// Begins anew, for the next message.
    void reset() {
        waitedNanos = 0;
        bytes = 0;
    }

    /// Whether the peer, after the time of grace, moves less than it must.
    boolean isTooSlow() {
        return waitedNanos > graceNanos
                && bytes < waitedNanos / NANOS_PER_SECOND * bytesPerSecondMin;
    }
}
