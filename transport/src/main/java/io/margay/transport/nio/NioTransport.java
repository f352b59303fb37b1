package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.Dialer;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TransportConfig;
import io.margay.transport.loop.LoopListener;
import io.margay.transport.loop.LoopTransport;
import io.margay.transport.loop.ServerChannels;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.List;

/// Selector loops, one per processor: the transport that works everywhere. Thread-safe.
public final class NioTransport extends LoopTransport<NioLoop> {
    /// Bytes that one system call moves at most.
    static final int TRANSFER_BYTES = 64 * 1024;

    private static final int POOLED_BUFFERS = 32;

    private final BufferPool<ByteBuffer> buffers;

    public NioTransport(TransportConfig config) throws IOException {
        this(config, new TlsLayer(config, false), newBuffers());
    }

    private NioTransport(TransportConfig config, TlsLayer tls, BufferPool<ByteBuffer> buffers)
            throws IOException {
        super("nio", config, tls, () -> new NioLoop(tls, buffers));
        this.buffers = buffers;
    }

    private static BufferPool<ByteBuffer> newBuffers() {
        return new BufferPool<>(POOLED_BUFFERS, () -> ByteBuffer.allocateDirect(TRANSFER_BYTES));
    }

    /// The dialer of one of the loops.
    public Dialer dialer(long number) {
        return loops.get((int) Math.floorMod(number, (long) loops.size())).dialer();
    }

    @Override
    protected LoopListener open(ListenerConfig config, TlsLayer.Secured secured)
            throws IOException {
        ServerSocketChannel channel = ServerChannels.bind(config);
        channel.configureBlocking(false);
        LoopListener listener =
                new LoopListener(
                        config, channel.getLocalAddress(), secured, loops, secured.close());
        listener.start(List.of(new NioAcceptor(nextLoop(), listener, channel, buffers)));
        return listener;
    }
}
