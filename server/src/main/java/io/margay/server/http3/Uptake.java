package io.margay.server.http3;

import io.margay.protocol.quic.stream.Streams;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.TransferRate;

/// Whether a client acknowledges what was sent to it: something within the time for writing, and
/// what is more than a little as fast as a response must be taken. Guarded by the lock of its
/// connection.
final class Uptake {
    /// What may be under way to a client at any time, however slowly it takes that.
    private static final int UNDER_WAY_BYTES = 16_384;

    private final TransferRate rate;
    private final long patienceNanos;
    private long acknowledged;
    private long progressNanos;
    private boolean waited;

    Uptake(ConnectionContext context, long now) {
        rate = context.outputRate();
        patienceNanos = context.writeNanos;
        progressNanos = now;
    }

    /// Looks again.
    ///
    /// @param elapsed since the last look
    /// @return false when the client is to be given up
    boolean goesOn(Streams streams, long now, long elapsed) {
        long outstanding = streams.outstanding();
        long moved = streams.acknowledged() - acknowledged;
        acknowledged += moved;
        if (outstanding == 0 || moved > 0) {
            progressNanos = now;
        }
        if (outstanding <= UNDER_WAY_BYTES) {
            rate.reset();
            waited = false;
        } else if (waited) {
            rate.waited(elapsed);
            rate.moved(moved);
            rate.renew();
        } else {
            waited = true;
        }
        return now - progressNanos <= patienceNanos && !rate.isTooSlow();
    }
}
