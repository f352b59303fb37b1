package io.margay.server.http3;

import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.transport.quic.DatagramLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Datagrams of a connection that are built together, under its lock, and then given to the socket,
/// without it. Those that the socket does not take wait for it, and no connection builds more.
/// Confined to its loop.
final class Flight {
    private static final int DATAGRAMS_MAX = 16;
    private static final int DATAGRAM_BYTES = 2_048;

    private final DatagramLoop socket;
    private final byte[][] datagrams = new byte[DATAGRAMS_MAX][DATAGRAM_BYTES];
    private final int[] sizes = new int[DATAGRAMS_MAX];
    private final boolean[] marked = new boolean[DATAGRAMS_MAX];
    private final @Nullable InetSocketAddress[] targets =
            new @Nullable InetSocketAddress[DATAGRAMS_MAX];
    private InetAddress from;
    private int count;
    private int given;

    Flight(DatagramLoop socket) {
        this.socket = socket;
        from = socket.address().getAddress();
    }

    /// Builds as many datagrams as the connection has to send and as fit; none must wait.
    ///
    /// @param local the address that they leave from
    /// @return whether there are any
    boolean build(QuicConnection of, InetAddress local, long now) {
        from = local;
        count = 0;
        given = 0;
        int size = of.send(datagrams[0], now);
        while (size > 0) {
            sizes[count] = size;
            targets[count] = of.target();
            marked[count] = of.isMarked();
            size = ++count < DATAGRAMS_MAX ? of.send(datagrams[count], now) : 0;
        }
        return count > 0;
    }

    /// Gives the socket what was built.
    ///
    /// @return whether it takes more
    boolean send() {
        while (given < count && socket.hasRoom()) {
            InetSocketAddress to = targets[given];
            if (to != null) {
                socket.send(datagrams[given], sizes[given], to, from, marked[given]);
            }
            given++;
        }
        return socket.hasRoom();
    }
}
