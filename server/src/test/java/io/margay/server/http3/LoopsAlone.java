package io.margay.server.http3;

import io.margay.transport.HandshakeCounts;
import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.quic.DatagramListener;
import io.margay.transport.quic.DatagramLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Loops of a test as a port that no other server gets.
///
/// @param before what a server before has told of itself, or null when there was none
@SuppressWarnings("ArrayRecordComponent") // never compared
record LoopsAlone(List<? extends DatagramLoop> loops, byte @Nullable [] before)
        implements DatagramListener {

    @Override
    public boolean giveBack(
            int place,
            byte[] bytes,
            int from,
            int to,
            InetSocketAddress peer,
            InetAddress local,
            int ecn) {
        return false;
    }

    @Override
    public boolean relays() {
        return false;
    }

    @Override
    public @Nullable DatagramSockets handOver(byte[] state) {
        return null;
    }

    @Override
    public void leave(Returned returned) {}

    @Override
    public void reloadCertificates() {}

    @Override
    public HandshakeCounts handshakes() {
        throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public void close() {}
}
