package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.loop.Connector;
import io.margay.transport.loop.EventLoop;
import io.margay.transport.loop.LoopConnection;
import io.margay.transport.loop.Pollable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/// Connects channels on one selector. Confined to its loop.
record NioConnector(NioPoller poller, BufferPool<ByteBuffer> buffers) implements Connector {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    @Override
    public Pending connect(SocketAddress address, EventLoop loop, Result result)
            throws IOException {
        boolean unix = address instanceof UnixDomainSocketAddress;
        SocketChannel channel =
                unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            channel.configureBlocking(false);
            if (!unix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            Connecting connecting = new Connecting(loop, channel, result);
            if (channel.connect(address)) {
                loop.execute(connecting::finish);
            } else {
                channel.register(poller.selector, SelectionKey.OP_CONNECT, connecting);
            }
            return connecting;
        } catch (IOException | RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    /// A channel that is being connected.
    private final class Connecting implements Pending, Pollable {
        private final EventLoop loop;
        private final SocketChannel channel;
        private final Result result;
        private boolean over;

        private Connecting(EventLoop loop, SocketChannel channel, Result result) {
            this.loop = loop;
            this.channel = channel;
            this.result = result;
        }

        @Override
        public void ready(int operations) {
            finish();
        }

        /// The selector, or [#connect] itself, says that there is a result.
        private void finish() {
            if (over) {
                return;
            }
            try {
                if (channel.finishConnect()) {
                    over = true;
                    NioSocket socket =
                            new NioSocket(
                                    loop,
                                    channel,
                                    buffers,
                                    channel.getLocalAddress(),
                                    channel.getRemoteAddress());
                    result.connected(new LoopConnection(loop, null, socket));
                }
            } catch (IOException e) {
                cancel();
                result.failed(e);
            }
        }

        @Override
        public void cancel() {
            over = true;
            close(channel);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing failed", e);
        }
    }
}
