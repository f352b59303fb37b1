package io.margay.transport.blocking;

import io.margay.transport.HandshakeCounts;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.ProxyHeader;
import io.margay.transport.RefusalCounts;
import io.margay.transport.loop.AddressCounts;
import io.margay.transport.loop.ServerChannels;
import io.margay.transport.loop.SpareDescriptors;
import io.margay.transport.loop.SteadyLog;
import io.margay.transport.tls.TlsLayer;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Accepts on a virtual thread of its own and starts one for each connection. Thread-safe.
final class BlockingListener implements Listener {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final long BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BACK_OFF_MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Duration STOP_WAIT = Duration.ofSeconds(2);

    private final BlockingTransport transport;
    private final ServerSocketChannel server;
    private final SocketAddress address;
    private final TlsLayer.Secured secured;
    private final Semaphore places;
    private final AddressCounts counts;
    private final Set<BlockingConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;
    private volatile boolean closed;
    private volatile @Nullable Thread acceptThread;

    /// Confined to the accepting thread.
    private final SpareDescriptors spares = new SpareDescriptors();

    BlockingListener(
            BlockingTransport transport,
            ServerChannels.Opened server,
            ListenerConfig config,
            TlsLayer.Secured secured) {
        this.transport = transport;
        this.server = server.channel();
        this.address = server.address();
        this.secured = secured;
        this.places = new Semaphore(config.connectionsMax());
        this.counts = new AddressCounts(config);
    }

    void start() {
        acceptThread = Thread.ofVirtual().name("margay-accept-" + address).start(this::acceptAll);
    }

    private void acceptAll() {
        long backOff = BACK_OFF_NANOS;
        spares.take();
        try {
            while (!stopped) {
                if (!places.tryAcquire(1, TimeUnit.SECONDS)) {
                    continue;
                }
                try {
                    open(server.accept());
                    backOff = BACK_OFF_NANOS;
                } catch (ClosedChannelException e) {
                    return;
                } catch (IOException e) {
                    places.release();
                    waitAfter(e, backOff);
                    backOff = Math.min(backOff * 2, BACK_OFF_MAX_NANOS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            transport.fail(e);
        } finally {
            spares.giveUp();
        }
    }

    private void open(SocketChannel channel) {
        BlockingConnection connection;
        try {
            if (!SocketFile.isUnix(address)) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            connection = new BlockingConnection(transport, this, channel);
        } catch (IOException e) {
            // Reset by the peer already.
            close(channel);
            places.release();
            return;
        }
        if (!counts.enter(connection.remote())) {
            resetNow(channel);
            places.release();
            return;
        }
        connections.add(connection);
        connection.start(secured.handlers());
        if (closed) {
            connection.close();
        }
    }

    private static void resetNow(SocketChannel channel) {
        try (channel) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing failed", e);
        }
    }

    private void waitAfter(IOException failure, long backOffNanos) {
        if (stopped) {
            return;
        }
        spares.giveUp();
        if (backOffNanos == BACK_OFF_NANOS) {
            SteadyLog.log(
                    Level.WARNING,
                    "cannot accept connections on "
                            + address
                            + " for now ("
                            + failure.getMessage()
                            + "); raise the limit of open files or lower the connections",
                    null);
        }
        turnAwayOne();
        spares.take();
        LockSupport.parkNanos(this, backOffNanos);
    }

    /// Resets the oldest waiting client, if one waits.
    private void turnAwayOne() {
        if (SocketFile.isUnix(address)) {
            return; // The JDK accepts from a Unix socket without a timeout only.
        }
        try {
            // Linux refuses a descriptor before it looks whether a client waits; so do not wait.
            server.socket().setSoTimeout(1);
            try (Socket socket = server.socket().accept()) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException e) {
            SteadyLog.log(Level.DEBUG, "nobody could be turned away: " + e, null);
        }
    }

    /// Whether a client that a load balancer has told may have one more connection.
    boolean admits(ProxyHeader told) {
        return counts.enter(told);
    }

    void released(BlockingConnection connection) {
        connections.remove(connection);
        counts.leave(connection.peer(), connection.proxied());
        places.release();
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    @Override
    public int connectionCount() {
        return connections.size();
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
        stopped = true;
        close(server);
        secured.close().run();
        Thread thread = acceptThread;
        try {
            // The port is free once nobody is in accept() any more.
            if (thread != null && !thread.equals(Thread.currentThread())) {
                var _ = thread.join(STOP_WAIT);
            }
            SocketFile.closed(address);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        stopAccepting();
        connections.forEach(BlockingConnection::close);
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
