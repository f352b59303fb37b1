package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.loop.LoopDialer;
import io.margay.transport.tls.TlsLayer;
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
final class NioDialer extends LoopDialer {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final NioLoop home;
    private final BufferPool<ByteBuffer> buffers;

    NioDialer(NioLoop loop, TlsLayer tls, BufferPool<ByteBuffer> buffers) {
        super(loop, tls);
        this.home = loop;
        this.buffers = buffers;
    }

    @Override
    protected Pending connect(SocketAddress address, Dialling dialling) throws IOException {
        boolean unix = address instanceof UnixDomainSocketAddress;
        SocketChannel channel =
                unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            channel.configureBlocking(false);
            if (!unix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            Connecting connecting = new Connecting(channel, dialling);
            if (channel.connect(address)) {
                home.execute(connecting::finish);
            } else {
                channel.register(home.selector, SelectionKey.OP_CONNECT, connecting);
            }
            return connecting;
        } catch (IOException | RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    /// A channel that is being connected.
    final class Connecting implements Pending {
        private final SocketChannel channel;
        private final Dialling dialling;
        private boolean over;

        private Connecting(SocketChannel channel, Dialling dialling) {
            this.channel = channel;
            this.dialling = dialling;
        }

        /// The selector, or [#connect] itself, says that there is a result.
        void finish() {
            if (over) {
                return;
            }
            try {
                if (channel.finishConnect()) {
                    over = true;
                    dialling.connected(
                            new NioConnection(
                                    home,
                                    null,
                                    channel,
                                    buffers,
                                    channel.getLocalAddress(),
                                    channel.getRemoteAddress()));
                }
            } catch (IOException e) {
                cancel();
                dialling.failed(e);
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
