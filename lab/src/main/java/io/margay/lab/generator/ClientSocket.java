package io.margay.lab.generator;

import io.margay.lab.wire.Sockets;
import io.margay.lab.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// What a client has while it is connected or about to be: what it speaks, and its key at the
/// loop's selector. Confined to the loop's thread.
final class ClientSocket {
    private @Nullable Wire wire;
    private @Nullable SelectionKey key;

    /// Makes what is spoken on a socket.
    interface Wires {
        Wire of(SocketChannel channel) throws IOException;
    }

    /// Begins to connect.
    ///
    /// @param client what the selector finds ready
    /// @return whether it is connected already
    boolean open(InetSocketAddress address, Selector selector, Wires wires, Client client)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean connected;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connected = channel.connect(address);
            wire = wires.of(channel);
        } catch (IOException e) {
            Sockets.close(channel);
            throw e;
        }
        int interest = connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
        key = channel.register(selector, interest, client);
        return connected;
    }

    Wire wire() {
        if (wire == null) {
            throw new IllegalStateException("not connected");
        }
        return wire;
    }

    SelectionKey key() {
        if (key == null) {
            throw new IllegalStateException("not connected");
        }
        return key;
    }

    void close() {
        if (key != null) {
            key.cancel();
            key = null;
        }
        if (wire != null) {
            wire.close();
            wire = null;
        }
    }
}
