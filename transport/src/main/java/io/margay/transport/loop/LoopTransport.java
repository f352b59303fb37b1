package io.margay.transport.loop;

import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A transport of loops, which take turns. Thread-safe.
///
/// @param <L> its loops
public abstract class LoopTransport<L extends EventLoop> implements Transport {
    private static final long JOIN_MILLIS = 5000;

    /// Makes a loop, which is not started yet.
    @FunctionalInterface
    protected interface LoopSource<L> {
        L make() throws IOException;
    }

    protected final List<L> loops;
    private final String name;
    private final TlsLayer tls;
    private final List<LoopListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile boolean closed;

    protected LoopTransport(String name, TransportConfig config, TlsLayer tls, LoopSource<L> source)
            throws IOException {
        this.name = name;
        this.tls = tls;
        List<L> made = new ArrayList<>();
        try {
            for (int i = 0; i < config.loops(); i++) {
                made.add(source.make());
            }
        } catch (IOException e) {
            made.forEach(EventLoop::dispose);
            throw e;
        }
        loops = List.copyOf(made);
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).start("margay-" + name + "-" + i);
        }
    }

    @Override
    public final String name() {
        return name;
    }

    /// The loop whose turn it is.
    protected final L nextLoop() {
        return loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
    }

    @Override
    public final Dialer dialer() {
        return nextLoop().dialer();
    }

    @Override
    public final Listener listen(ListenerConfig config, ConnectionHandler.Factory handlers)
            throws IOException {
        if (closed) {
            throw new IOException("the transport is closed");
        }
        return tls.listen(
                config.tls(),
                handlers,
                secured -> {
                    LoopListener listener = open(config, secured);
                    listeners.add(listener);
                    return listener;
                });
    }

    /// Opens a socket and has connections accepted.
    protected abstract LoopListener open(ListenerConfig config, TlsLayer.Secured secured)
            throws IOException;

    @Override
    public final void renew() {
        loops.forEach(EventLoop::renew);
    }

    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        listeners.forEach(LoopListener::close);
        loops.forEach(EventLoop::stop);
        try {
            for (L loop : loops) {
                loop.join(JOIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tls.close();
    }
}
