package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TransportConfig;
import io.margay.transport.loop.AcceptSource;
import io.margay.transport.loop.Connector;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopTransport;
import io.margay.transport.loop.Pollable;
import io.margay.transport.loop.Poller;
import io.margay.transport.loop.ServerChannels;
import io.margay.transport.loop.Sockets;
import io.margay.transport.tls.TlsLayer;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;

/// Channels on selectors: the sockets that work everywhere. Thread-safe.
public final class NioSockets implements Sockets {
    /// Bytes that one system call moves at most.
    static final int TRANSFER_BYTES = 64 * 1024;

    private static final int POOLED_BUFFERS = 32;

    private final BufferPool<ByteBuffer> buffers =
            new BufferPool<>(POOLED_BUFFERS, () -> ByteBuffer.allocateDirect(TRANSFER_BYTES));

    private NioSockets() {}

    /// Selector loops, one per processor: the transport `nio`.
    public static LoopTransport transport(TransportConfig config) throws IOException {
        return new LoopTransport(config, new NioSockets());
    }

    /// A loop on a selector, beside those of a transport; not started.
    public static EventLoop loop(TlsLayer tls) throws IOException {
        return LoopTransport.loop(new NioSockets(), tls);
    }

    /// Has a loop of [#loop] report what comes to a channel; on that loop.
    ///
    /// @param room whether it also reports that something can be written
    public static void report(
            EventLoop loop, DatagramChannel channel, boolean room, Pollable target)
            throws IOException {
        NioPoller poller = (NioPoller) loop.poller();
        int operations = SelectionKey.OP_READ | (room ? SelectionKey.OP_WRITE : 0);
        channel.register(poller.selector, operations, target);
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public Poller poller() throws IOException {
        return new NioPoller();
    }

    @Override
    public Connector connector(Poller poller) {
        return new NioConnector((NioPoller) poller, buffers);
    }

    @Override
    public Bound bind(ListenerConfig config) throws IOException {
        ServerChannels.Opened opened = ServerChannels.bind(config);
        opened.channel().configureBlocking(false);
        return new BoundChannel(opened.channel(), opened.address(), buffers);
    }

    private record BoundChannel(
            ServerSocketChannel channel, SocketAddress address, BufferPool<ByteBuffer> buffers)
            implements Bound {
        @Override
        public boolean shared() {
            return false;
        }

        @Override
        public AcceptSource on(Poller poller) {
            return new NioAcceptSource((NioPoller) poller, channel, buffers);
        }

        /// The acceptor has closed the channel, on the loop whose selector must notice.
        @Override
        public void close() {
            SocketFile.closed(address);
        }
    }
}
