package io.margay.server.connection;

import java.util.function.LongSupplier;

/// How long a peer has been waited for, and how much it moved: what tells a slow client from a slow
/// handler. Owned as its connection is.
public final class TransferRate {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final LongSupplier nanos;
    private final long graceNanos;
    private final int bytesPerSecondMin;
    private long waitedNanos;
    private long bytes;
    private long waitStartNanos;

    /// @param nanos the clock
    public TransferRate(long graceNanos, int bytesPerSecondMin, LongSupplier nanos) {
        this.nanos = nanos;
        this.graceNanos = graceNanos;
        this.bytesPerSecondMin = bytesPerSecondMin;
    }

    /// The peer is waited for from now on, until [#endWait].
    public void beginWait() {
        waitStartNanos = nanos.getAsLong();
    }

    public void endWait() {
        waited(nanos.getAsLong() - waitStartNanos);
    }

    /// The peer has been waited for, so long.
    public void waited(long nanos) {
        waitedNanos += nanos;
    }

    /// How long the peer has been waited for, nanoseconds.
    public long waitedNanos() {
        return waitedNanos;
    }

    public void moved(long count) {
        bytes += count;
    }

    /// Begins anew, for the next message.
    public void reset() {
        waitedNanos = 0;
        bytes = 0;
    }

    /// Begins anew when it has been long enough: a peer that was quick once may not be slow for
    /// ever.
    public void renew() {
        if (waitedNanos > 4 * graceNanos && !isTooSlow()) {
            reset();
        }
    }

    /// Whether the peer, after the time of grace, moves less than it must.
    public boolean isTooSlow() {
        return waitedNanos > graceNanos
                && bytes < waitedNanos / NANOS_PER_SECOND * bytesPerSecondMin;
    }
}
