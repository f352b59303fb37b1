package io.margay.transport.loop;

import io.margay.transport.HandshakeCounts;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.ProxyHeader;
import io.margay.transport.RefusalCounts;
import io.margay.transport.tls.TlsLayer;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A listener whose connections live on event loops. Thread-safe.
public final class LoopListener implements Listener {
    /// How long [#stopAccepting] waits for the loops, so that the port is free when it returns.
    private static final long STOP_MILLIS = 2000;

    private final SocketAddress address;
    private final TlsLayer.Secured secured;
    private final int connectionsMax;
    private final AddressCounts counts;
    private final List<EventLoop> loops;
    private final Runnable closeSocket;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<Acceptor> acceptors = List.of();
    private volatile boolean stopped;
    private volatile boolean closed;

    /// @param secured the handlers, behind TLS or not
    /// @param closeSocket called once, when no acceptor uses the socket any more
    public LoopListener(
            ListenerConfig config,
            SocketAddress address,
            TlsLayer.Secured secured,
            List<EventLoop> loops,
            Runnable closeSocket) {
        this.address = address;
        this.secured = secured;
        this.connectionsMax = config.connectionsMax();
        this.counts = new AddressCounts(config);
        this.loops = List.copyOf(loops);
        this.closeSocket = closeSocket;
    }

    /// Starts accepting.
    public void start(List<Acceptor> starting) {
        acceptors = List.copyOf(starting);
        acceptors.forEach(Acceptor::start);
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    @Override
    public int connectionCount() {
        return count.get();
    }

    @Override
    public void reloadCertificates() {
        secured.reload().run();
    }

    @Override
    public @Nullable String tlsProvider() {
        return secured.provider();
    }

    @Override
    public HandshakeCounts handshakes() {
        return secured.handshakes().get();
    }

    @Override
    public RefusalCounts refusals() {
        return new RefusalCounts(counts.refused(), secured.withoutHeader().getAsLong());
    }

    @Override
    public void stopAccepting() {
        synchronized (this) {
            if (stopped) {
                return;
            }
            stopped = true;
        }
        // Whoever is last closes the socket: never while a loop may still have its descriptor.
        AtomicInteger left = new AtomicInteger(acceptors.size() + 1);
        CountDownLatch done = new CountDownLatch(1);
        Runnable one =
                () -> {
                    if (left.decrementAndGet() == 0) {
                        closeSocket.run();
                        done.countDown();
                    }
                };
        acceptors.forEach(a -> a.stop(one));
        one.run();
        if (loops.stream().anyMatch(EventLoop::inLoop)) {
            return;
        }
        try {
            var _ = done.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        stopAccepting();
        for (EventLoop loop : loops) {
            loop.execute(() -> loop.closeConnectionsOf(this));
        }
    }

    boolean isStopped() {
        return stopped;
    }

    /// Opens a connection that did not come through an acceptor.
    ///
    /// @return false when there is no place for it
    public boolean adopt(EventLoop loop, Supplier<LoopConnection> connection) {
        if (stopped || !reserve()) {
            return false;
        }
        LoopConnection made = connection.get();
        loop.execute(() -> open(made));
        return true;
    }

    /// Takes one of the places for connections.
    ///
    /// @return false when all are taken
    boolean reserve() {
        for (; ; ) {
            int c = count.get();
            if (c >= connectionsMax) {
                return false;
            }
            if (count.compareAndSet(c, c + 1)) {
                return true;
            }
        }
    }

    /// Whether the client may have one more connection, which is counted then.
    boolean admits(SocketAddress remote) {
        return counts.enter(remote);
    }

    /// The same of a client that a load balancer has told.
    boolean admits(ProxyHeader told) {
        return counts.enter(told);
    }

    /// A connection has ended.
    void released(SocketAddress remote, @Nullable ProxyHeader told) {
        counts.leave(remote, told);
        released();
    }

    /// Gives a place back, and lets acceptors that wait for one go on.
    void released() {
        if (count.getAndDecrement() >= connectionsMax) {
            acceptors.forEach(Acceptor::roomAgain);
        }
    }

    /// The loop for a connection that `from` has accepted: its own, unless another has clearly less
    /// to do.
    EventLoop chooseLoop(EventLoop from, boolean stay) {
        int size = loops.size();
        if (size == 1) {
            return from;
        }
        EventLoop best = stay ? from : loops.get(Math.floorMod(turn.getAndIncrement(), size));
        int least = best.connectionCount() - 1;
        for (EventLoop loop : loops) {
            if (loop.connectionCount() < least) {
                least = loop.connectionCount();
                best = loop;
            }
        }
        return best;
    }

    void open(LoopConnection connection) {
        connection.open(secured.handlers());
        if (closed) {
            connection.close();
        }
    }
}
