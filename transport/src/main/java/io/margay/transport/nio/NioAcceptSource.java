package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.loop.AcceptSource;
import io.margay.transport.loop.Pollable;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A listening channel on one selector. Confined to its loop.
final class NioAcceptSource implements AcceptSource {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final NioPoller poller;
    private final ServerSocketChannel server;
    private final BufferPool<ByteBuffer> buffers;
    private @Nullable SelectionKey key;

    NioAcceptSource(NioPoller poller, ServerSocketChannel server, BufferPool<ByteBuffer> buffers) {
        this.poller = poller;
        this.server = server;
        this.buffers = buffers;
    }

    @Override
    public void report(Pollable target, boolean on) throws IOException {
        SelectionKey k = key;
        if (k == null) {
            if (on) {
                key = server.register(poller.selector, SelectionKey.OP_ACCEPT, target);
            }
        } else if (k.isValid()) {
            k.interestOps(on ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    @Override
    public @Nullable Accepted accept() throws IOException {
        SocketChannel channel = server.accept();
        if (channel == null) {
            return null;
        }
        SocketAddress local;
        SocketAddress remote;
        try {
            channel.configureBlocking(false);
            local = channel.getLocalAddress();
            if (SocketFile.isUnix(local)) {
                local = SocketFile.LOCAL;
                remote = SocketFile.LOCAL;
            } else {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                remote = channel.getRemoteAddress();
            }
        } catch (IOException e) {
            // Reset by the peer already. Others that wait are reported again.
            close(channel);
            return null;
        }
        SocketAddress own = local;
        return target -> new NioSocket(target, channel, buffers, own, remote);
    }

    @Override
    public void turnAwayOne() throws IOException {
        SocketChannel channel = server.accept();
        if (channel != null) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
    }

    @Override
    public void close() {
        close(server);
    }

    @Override
    public boolean shared() {
        return false;
    }

    private static void close(java.io.@Nullable Closeable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing failed", e);
        }
    }
}
