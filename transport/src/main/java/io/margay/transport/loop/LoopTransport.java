package io.margay.transport.loop;

import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.FatalHandler;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A transport of loops, which take turns. Thread-safe.
public final class LoopTransport implements Transport {
    private static final long JOIN_MILLIS = 5000;

    private final List<EventLoop> loops;
    private final Sockets sockets;
    private final TlsLayer tls;
    private final List<LoopListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final FatalHandler onFatal;
    private final Watch watch;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    /// Starts as many loops as the configuration wants.
    public LoopTransport(TransportConfig config, Sockets sockets) throws IOException {
        this.sockets = sockets;
        this.tls = new TlsLayer(config, false);
        this.onFatal = config.onFatal();
        List<EventLoop> made = new ArrayList<>();
        try {
            for (int i = 0; i < config.loops(); i++) {
                made.add(loop(sockets, tls));
            }
        } catch (IOException e) {
            made.forEach(EventLoop::discard);
            throw e;
        }
        loops = List.copyOf(made);
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).start("margay-" + sockets.name() + "-" + i, this::fail);
        }
        watch = new Watch(loops, "margay-" + sockets.name() + "-watch");
        watch.start();
    }

    /// A loop with its dialer; not started.
    public static EventLoop loop(Sockets sockets, TlsLayer tls) throws IOException {
        Poller poller = sockets.poller();
        return new EventLoop(
                System::nanoTime,
                poller,
                loop -> new LoopDialer(loop, tls, sockets.connector(poller)));
    }

    @Override
    public String name() {
        return sockets.name();
    }

    /// The loop whose turn it is.
    private EventLoop nextLoop() {
        return loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
    }

    @Override
    public Dialer dialer() {
        return nextLoop().dialer();
    }

    /// The dialer of one of the loops.
    public Dialer dialer(long number) {
        return loops.get((int) Math.floorMod(number, (long) loops.size())).dialer();
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
        return tls.prepare(
                config,
                handlers,
                secured -> {
                    LoopListener listener = open(config, secured);
                    listeners.add(listener);
                    return listener;
                });
    }

    private LoopListener open(ListenerConfig config, TlsLayer.Secured secured) throws IOException {
        Sockets.Bound bound = sockets.bind(config);
        LoopListener listener =
                new LoopListener(
                        config,
                        bound.address(),
                        secured,
                        loops,
                        () -> {
                            bound.close();
                            secured.close().run();
                        });
        List<EventLoop> accepting = bound.shared() ? loops : List.of(nextLoop());
        listener.start(
                accepting.stream()
                        .map(loop -> new Acceptor(loop, listener, bound.on(loop.poller())))
                        .toList());
        return listener;
    }

    @Override
    public void renew() {
        loops.forEach(EventLoop::renew);
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    /// A thread of a loop dies: what is its to serve would go unanswered. On that thread.
    private void fail(Throwable cause) {
        failure = cause;
        onFatal.fatal(cause);
        SteadyLog.log(Level.ERROR, "a loop has died; the listeners are closed", cause);
        listeners.forEach(LoopListener::close);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listeners.forEach(LoopListener::close);
        loops.forEach(EventLoop::stop);
        watch.interrupt();
        try {
            for (EventLoop loop : loops) {
                loop.join(JOIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tls.close();
    }

    /// Logs which handler holds a loop up, so that all connections of the loop wait for it: once
    /// each time that a loop has not come round for two looks.
    private static final class Watch extends Thread {
        private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final int FRAMES_MAX = 40;

        private final List<EventLoop> loops;
        private final long[] seen;
        private final int[] looks;

        Watch(List<EventLoop> loops, String name) {
            super(name);
            this.loops = loops;
            seen = new long[loops.size()];
            looks = new int[loops.size()];
            setDaemon(true);
        }

        @Override
        public void run() {
            long looked = System.nanoTime();
            while (!isInterrupted()) {
                LockSupport.parkNanos(this, PERIOD_NANOS);
                long now = System.nanoTime();
                // After a look that comes late all threads may have stood still.
                look(now - looked > 2 * PERIOD_NANOS);
                looked = now;
            }
        }

        private void look(boolean late) {
            for (int i = 0; i < looks.length; i++) {
                long busy = loops.get(i).busySinceNanos();
                boolean same = busy != 0 && busy == seen[i] && !late;
                seen[i] = busy;
                looks[i] = same ? looks[i] + 1 : 0;
                if (looks[i] == 2) {
                    log(loops.get(i));
                }
            }
        }

        private static void log(EventLoop loop) {
            Thread leader = loop.leader();
            if (leader == null) {
                return;
            }
            StackTraceElement[] frames = leader.getStackTrace();
            Throwable where = new Throwable("stack of " + leader.getName());
            where.setStackTrace(Arrays.copyOf(frames, Math.min(frames.length, FRAMES_MAX)));
            SteadyLog.log(
                    Level.ERROR,
                    "a handler has held up "
                            + leader.getName()
                            + " for 2 s, and all its connections wait: what may wait belongs in"
                            + " Exchange.dispatch",
                    where);
        }
    }
}
