package io.margay.transport.quic;

import io.margay.transport.HandshakeCounts;
import io.margay.transport.handover.DatagramSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A UDP port with its loops, among which the system divides clients by their addresses.
/// Thread-safe.
///
/// Another server can go on with the port: it is given the sockets ([#handOver]), and receives what
/// comes from the time on at which this one does not ([#leave]). What belongs to a connection of
/// this one, it gives back ([#giveBack]).
public interface DatagramListener extends AutoCloseable {
    /// A port that is about to be opened. Opened or closed, once.
    interface Prepared {
        /// Opens it and starts its loops.
        ///
        /// @throws java.net.BindException when the address is in use or not of this machine
        DatagramListener open(InetSocketAddress address) throws IOException;

        /// It is not wanted any more.
        void close();
    }

    /// Takes datagrams that another server has received. Any thread.
    @FunctionalInterface
    interface Returned {
        /// @param place which of the loops is meant
        void received(int place, byte[] bytes, InetSocketAddress peer, InetAddress local, int ecn);
    }

    /// Its loops, at least one.
    List<? extends DatagramLoop> loops();

    /// What the server before has told of itself; null when the sockets are not its.
    byte @Nullable [] before();

    /// Gives the server before a datagram.
    ///
    /// @return false when there is none any more
    boolean giveBack(
            int place,
            byte[] bytes,
            int from,
            int to,
            InetSocketAddress peer,
            InetAddress local,
            int ecn);

    /// Whether it stands between the server before, which has not ended, and the next: that gives
    /// datagrams back to this one alone.
    boolean relays();

    /// The sockets for another server, which owns what it is given; null where that cannot be.
    ///
    /// @param state what it is told of this one
    @Nullable DatagramSockets handOver(byte[] state) throws IOException;

    /// Receives no more; that is so when it returns. Those whose sockets were not handed over are
    /// closed.
    ///
    /// @param returned takes what the other server gives back
    void leave(Returned returned);

    /// See [io.margay.transport.Listener#reloadCertificates].
    void reloadCertificates();

    /// See [io.margay.transport.Listener#handshakes].
    HandshakeCounts handshakes();

    /// Closes the sockets and ends the loops, after [DatagramLoop.Handler#closing].
    @Override
    void close();
}
