package io.margay.gateway.proxy;

import java.time.Duration;

/// How fast a client sends the content of a request: a server that ends a request whose client is
/// slow does so because of the client. Confined to its exchange's loop.
final class ContentRate {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long pauseNanos;
    private final long bytesPerSecondMin;
    private boolean awaited;
    private long sinceNanos;
    private long waitedNanos;

    /// @param pause how long the client may be waited for before it counts as slow
    /// @param bytesPerSecondMin what it must send in the time it is waited for, from then on
    ContentRate(Duration pause, int bytesPerSecondMin) {
        pauseNanos = pause.toNanos();
        this.bytesPerSecondMin = bytesPerSecondMin;
    }

    /// The client is waited for from now on.
    void awaited(long nowNanos) {
        if (!awaited) {
            awaited = true;
            sinceNanos = nowNanos;
        }
    }

    /// The client has sent something.
    void came(long nowNanos) {
        if (awaited) {
            awaited = false;
            waitedNanos += nowNanos - sinceNanos;
        }
    }

    /// Whether the client is waited for, and has kept the server waiting longer than it should.
    ///
    /// @param bytes what it has sent in all
    boolean isSlow(long nowNanos, long bytes) {
        if (!awaited) {
            return false;
        }
        long pause = nowNanos - sinceNanos;
        long waited = waitedNanos + pause;
        return pause >= pauseNanos
                || (waited >= pauseNanos && bytes < waited / NANOS_PER_SECOND * bytesPerSecondMin);
    }
}
