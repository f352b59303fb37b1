package io.margay.transport.blocking;

import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.loop.LoopTransport;
import io.margay.transport.loop.ServerChannels;
import io.margay.transport.loop.SteadyLog;
import io.margay.transport.nio.NioSockets;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A virtual thread per connection on blocking channels. Thread-safe.
public final class BlockingTransport implements Transport {
    private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Reaper reaper = new Reaper(this::fail);
    private final List<BlockingListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());
    private final TlsLayer tls;
    private final TransportConfig config;
    private final AtomicLong turn = new AtomicLong();
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    /// Loops for outbound connections, or null; guarded by this object.
    private @Nullable LoopTransport beside;

    public BlockingTransport(TransportConfig config) {
        this.config = config;
        tls = new TlsLayer(config, true);
        reaper.start();
    }

    @Override
    public String name() {
        return "blocking";
    }

    @Override
    public Listener listen(ListenerConfig config, ConnectionHandler.Factory handlers)
            throws IOException {
        return prepare(config, handlers).open();
    }

    @Override
    public Prepared prepare(ListenerConfig config, ConnectionHandler.Factory handlers)
            throws IOException {
        if (closed || failure != null) {
            throw new IOException("the transport is closed");
        }
        return tls.prepare(config, handlers, secured -> listen(config, secured));
    }

    private Listener listen(ListenerConfig config, TlsLayer.Secured secured) throws IOException {
        BlockingListener listener =
                new BlockingListener(this, ServerChannels.bind(config), config, secured);
        listeners.add(listener);
        listener.start();
        return listener;
    }

    @Override
    public Dialer dialer() {
        return dialer(turn.getAndIncrement());
    }

    /// The dialer for a connection, on a loop beside the blocking ones: a thread that waits in a
    /// read cannot look after a second connection. The loops start with the first use.
    Dialer dialer(long connectionId) {
        try {
            return beside().dialer(connectionId);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized LoopTransport beside() throws IOException {
        LoopTransport made = beside;
        if (made == null) {
            if (closed) {
                throw new IOException("the transport is closed");
            }
            made = NioSockets.transport(config.withOnFatal(this::fail));
            beside = made;
        }
        return made;
    }

    private synchronized void closeBeside() {
        if (beside != null) {
            beside.close();
        }
    }

    Reaper reaper() {
        return reaper;
    }

    /// Logs what a handler threw: failures of I/O for debugging, faults at a bounded rate.
    void logFailure(long connectionId, Throwable failure) {
        long next = nextWarningNanos.get();
        long now = System.nanoTime();
        if (now - next >= 0 && nextWarningNanos.compareAndSet(next, now + WARN_EVERY_NANOS)) {
            SteadyLog.log(
                    Level.WARNING, "handler of connection " + connectionId + " failed", failure);
        }
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    /// A thread dies without which connections would wait for ever. On that thread.
    void fail(Throwable cause) {
        failure = cause;
        config.onFatal().fatal(cause);
        SteadyLog.log(Level.ERROR, "a thread has died; the listeners are closed", cause);
        listeners.forEach(BlockingListener::close);
    }

    @Override
    public void close() {
        closed = true;
        listeners.forEach(BlockingListener::close);
        closeBeside();
        reaper.stop();
        tls.close();
    }
}
