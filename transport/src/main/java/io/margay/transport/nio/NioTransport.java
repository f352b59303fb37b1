package io.margay.transport.nio;

import io.margay.transport.BufferPool;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.loop.LoopListener;
import io.margay.transport.loop.ServerChannels;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Selector loops, one per processor: the transport that works everywhere. Thread-safe.
public final class NioTransport implements Transport {
    /// Bytes that one system call moves at most.
    static final int TRANSFER_BYTES = 64 * 1024;

    private static final int POOLED_BUFFERS = 32;
    private static final long JOIN_MILLIS = 5000;

    private final BufferPool<ByteBuffer> buffers =
            new BufferPool<>(POOLED_BUFFERS, () -> ByteBuffer.allocateDirect(TRANSFER_BYTES));
    private final List<NioLoop> loops = new ArrayList<>();
    private final List<LoopListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final TlsLayer tls;
    private volatile boolean closed;

    public NioTransport(TransportConfig config) throws IOException {
        tls = new TlsLayer(config, false);
        try {
            for (int i = 0; i < config.loops(); i++) {
                loops.add(new NioLoop(tls, buffers));
            }
        } catch (IOException e) {
            loops.forEach(NioLoop::dispose);
            throw e;
        }
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).start("margay-nio-" + i);
        }
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public Dialer dialer() {
        return dialer(turn.getAndIncrement());
    }

    /// The dialer of one of the loops.
    public Dialer dialer(long number) {
        return loops.get((int) Math.floorMod(number, (long) loops.size())).dialer();
    }

    @Override
    public Listener listen(ListenerConfig config, ConnectionHandler.Factory handlers)
            throws IOException {
        if (closed) {
            throw new IOException("the transport is closed");
        }
        return tls.listen(config.tls(), handlers, secured -> listen(config, secured));
    }

    private Listener listen(ListenerConfig config, TlsLayer.Secured secured) throws IOException {
        ServerSocketChannel channel = ServerChannels.bind(config);
        channel.configureBlocking(false);
        LoopListener listener =
                new LoopListener(
                        config, channel.getLocalAddress(), secured, loops, secured.close());
        NioLoop loop = loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
        listener.start(List.of(new NioAcceptor(loop, listener, channel, buffers)));
        listeners.add(listener);
        return listener;
    }

    @Override
    public void renew() {
        loops.forEach(NioLoop::renew);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listeners.forEach(LoopListener::close);
        loops.forEach(NioLoop::stop);
        try {
            for (NioLoop loop : loops) {
                loop.join(JOIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tls.close();
    }
}
