package io.margay.transport.nio;

import io.margay.transport.loop.Acceptor;
import io.margay.transport.loop.BufferPool;
import io.margay.transport.loop.LoopListener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// Accepts on one loop and spreads the connections over all. Confined to its loop.
final class NioAcceptor extends Acceptor {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final NioLoop home;
    private final ServerSocketChannel server;
    private final BufferPool<ByteBuffer> buffers;
    private @Nullable SelectionKey key;

    NioAcceptor(
            NioLoop loop,
            LoopListener listener,
            ServerSocketChannel server,
            BufferPool<ByteBuffer> buffers) {
        super(loop, listener);
        this.home = loop;
        this.server = server;
        this.buffers = buffers;
    }

    @Override
    protected void report(boolean on) throws IOException {
        SelectionKey k = key;
        if (k == null) {
            if (on) {
                key = server.register(home.selector, SelectionKey.OP_ACCEPT, this);
            }
        } else if (k.isValid()) {
            k.interestOps(on ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    @Override
    protected @Nullable Accepted accept() throws IOException {
        SocketChannel channel = server.accept();
        if (channel == null) {
            return null;
        }
        SocketAddress local;
        SocketAddress remote;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            local = channel.getLocalAddress();
            remote = channel.getRemoteAddress();
        } catch (IOException e) {
            // Reset by the peer already. Others that wait are reported again.
            close(channel);
            return null;
        }
        return target ->
                new NioConnection((NioLoop) target, listener, channel, buffers, local, remote);
    }

    @Override
    protected void turnAwayOne() throws IOException {
        SocketChannel channel = server.accept();
        if (channel != null) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
    }

    @Override
    protected void release() {
        close(server);
        try {
            home.poll(0); // a selector closes a channel for good at its next turn
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "poll after closing failed", e);
        }
    }

    @Override
    protected boolean shared() {
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
