package io.margay.protocol.quic.recovery;

/// How a congestion window grows once its limit is about known, and how far it falls. Windows are
/// octets. Confined to the connection's owner.
sealed interface Avoidance permits Reno, Cubic {
    /// The window after more octets were acknowledged.
    long grow(long window, int acked, int datagram, long now, long roundTrip);

    /// The window after congestion.
    long reduce(long window, int datagram);

    /// Persistent congestion: what was learnt is not true any more.
    void forget();
}
