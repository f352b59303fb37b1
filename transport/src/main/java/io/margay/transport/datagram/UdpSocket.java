package io.margay.transport.datagram;

import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.Pollable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// A socket of UDP on a loop, as the system has it. Confined to the loop once it is reported there.
sealed interface UdpSocket permits ChannelSocket, NativeSocket {
    /// Octets that the largest datagram has.
    int DATAGRAM_BYTES_MAX = 65_536;

    /// What the system keeps of datagrams that nobody has looked at: a burst of some clients.
    int BUFFER_BYTES = 2 * 1024 * 1024;

    /// Takes a datagram; see [io.margay.transport.quic.DatagramLoop.Handler#received].
    @FunctionalInterface
    interface Receiver {
        void received(
                byte[] bytes, int from, int to, InetSocketAddress peer, InetAddress local, int ecn);
    }

    /// A loop, not started, that can report what happens to the socket.
    EventLoop loop();

    /// The address that is bound.
    InetSocketAddress address();

    /// Has its loop tell when something can be read or written.
    void report(Pollable target) throws IOException;

    /// Has its loop tell no more; it sends on.
    void pause() throws IOException;

    /// The descriptor, for another process; -1 where that cannot be.
    int descriptor();

    /// Gives what has come, but not without an end: what is left is reported again.
    void receive(Receiver to);

    /// Something can be written again.
    void writable();

    /// Whether the system takes datagrams now.
    boolean hasRoom();

    /// Sends, now or at [#flush].
    void send(byte[] source, int length, InetSocketAddress peer, InetAddress local, boolean marked);

    /// Hands the system what waits for it.
    void flush();

    void close() throws IOException;
}
