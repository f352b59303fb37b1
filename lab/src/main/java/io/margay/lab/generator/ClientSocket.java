package io.margay.lab.generator;

import io.margay.lab.wire.Sockets;
import io.margay.lab.wire.Wire;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// What a client has while it is connected or about to be: what it speaks, and its key at the
/// loop's selector. Confined to the loop's thread.
final class ClientSocket {
    private @Nullable Wire wire;
    private @Nullable SelectionKey key;

    /// Begins to connect.
    ///
    /// @return whether it is connected already
    boolean open(LoadLoop loop, Client client) throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean connected;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connected = channel.connect(loop.address());
            wire = loop.wire(channel);
        } catch (IOException e) {
            Sockets.close(channel);
            throw e;
        }
        loop.recorder().opened();
        int interest = connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
        key = channel.register(loop.selector(), interest, client);
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
