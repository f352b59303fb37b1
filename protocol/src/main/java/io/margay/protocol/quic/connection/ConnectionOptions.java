package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.recovery.Congestion;
import io.margay.protocol.quic.recovery.PathMtu;
import io.margay.protocol.quic.stream.StreamSettings;

/// How a connection is to be. Immutable.
///
/// @param version the version that a client begins with
/// @param streams what the peer may do on streams
/// @param algorithm how the congestion window grows
/// @param idleMillis after which a connection on which nothing comes is forgotten; 0 for never
/// @param datagramMax octets of the largest datagram that is tried, at least 1 200
/// @param migration whether the peer may move to another address
public record ConnectionOptions(
        QuicVersion version,
        StreamSettings streams,
        Congestion.Algorithm algorithm,
        long idleMillis,
        int datagramMax,
        boolean migration) {
    public ConnectionOptions {
        if (idleMillis < 0 || datagramMax < PathMtu.LEAST || datagramMax > 65_527) {
            throw new IllegalArgumentException("options of a connection out of range");
        }
    }

    /// Datagrams of 1 452 octets fit into Ethernet with IPv6.
    public static ConnectionOptions defaults() {
        return new ConnectionOptions(
                QuicVersion.V1,
                StreamSettings.defaults(),
                Congestion.Algorithm.CUBIC,
                30_000,
                1_452,
                true);
    }
}
