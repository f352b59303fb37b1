package io.margay.server.connection;

import io.margay.protocol.http1.Http1RequestDecoder;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.TlsSession;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What all connections of a server share. Thread-safe.
public final class Http1Context {
    private static final int BUFFERS_KEPT = 256;

    /// What holds a servlet's whole response buffer, the head and what frames it, bytes.
    private static final int WIDE_BYTES = 40_960;

    private static final int WIDE_BUFFERS_KEPT = 64;

    final Handler handler;
    final Dispatcher dispatcher;
    final HttpLimits limits;
    final ServerStats stats;
    final @Nullable ExchangeObserver observer;
    final @Nullable String serverName;
    final boolean strictSni;
    final boolean http2;
    final MemoryBudget memory;
    final DateLine date;
    final ArrayPool smallBuffers;
    final ArrayPool largeBuffers;
    final ArrayPool wideBuffers;
    final FailureLog log = new FailureLog();
    final long headNanos;
    final long idleNanos;
    final long bodyNanos;
    final long writeNanos;
    final long drainNanos;
    final long lingerNanos;
    final long lingerPauseNanos;

    private static final AtomicLong EXCHANGES = new AtomicLong();
    private final Set<ServedConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

    /// @param observer told of each exchange's end, or null
    public Http1Context(
            Handler handler,
            Dispatcher dispatcher,
            HttpServerConfig config,
            ServerStats stats,
            @Nullable ExchangeObserver observer,
            InstantSource clock) {
        this.handler = handler;
        this.dispatcher = dispatcher;
        limits = config.limits();
        this.stats = stats;
        this.observer = observer;
        serverName = config.serverName();
        strictSni = config.strictSni();
        http2 = config.http2();
        memory = config.memory();
        date = new DateLine(clock);
        smallBuffers = new ArrayPool(limits.inputBufferBytes(), BUFFERS_KEPT);
        largeBuffers = new ArrayPool(limits.outputBufferBytes(), BUFFERS_KEPT);
        int wide = Math.max(WIDE_BYTES, limits.outputBufferBytes());
        wideBuffers = new ArrayPool(wide, WIDE_BUFFERS_KEPT);
        headNanos = limits.headTimeout().toNanos();
        idleNanos = limits.idleTimeout().toNanos();
        bodyNanos = limits.bodyTimeout().toNanos();
        writeNanos = limits.writeTimeout().toNanos();
        drainNanos = limits.drainTimeout().toNanos();
        lingerNanos = limits.lingerTimeout().toNanos();
        lingerPauseNanos = limits.lingerPause().toNanos();
    }

    /// The handler of a new connection: of HTTP/2 when TLS has agreed on that.
    public ConnectionHandler open(Connection connection) {
        TlsSession session = connection.tls();
        boolean agreed = session != null && "h2".equals(session.applicationProtocol());
        return agreed ? acceptHttp2(connection) : accept(connection);
    }

    Http1Connection accept(Connection connection) {
        Http1Connection accepted = new Http1Connection(connection, this);
        opened(accepted);
        accepted.start();
        return accepted;
    }

    private Http2Connection acceptHttp2(Connection connection) {
        Http1Input input =
                new Http1Input(
                        connection,
                        new BlockingWait(connection),
                        bodyNanos,
                        smallBuffers,
                        largeBuffers);
        Http2Connection accepted = new Http2Connection(connection, this, input);
        opened(accepted);
        accepted.start();
        return accepted;
    }

    void opened(ServedConnection connection) {
        connections.add(connection);
        stats.connectionAccepted();
    }

    void closed(ServedConnection connection) {
        if (connections.remove(connection)) {
            stats.connectionClosed();
        }
    }

    /// A connection has turned to another protocol.
    void replaced(ServedConnection before, ServedConnection now) {
        connections.add(now);
        connections.remove(before);
    }

    Http1RequestDecoder newDecoder(boolean secure) {
        return new Http1RequestDecoder(limits.http1(), secure);
    }

    long nextExchangeId() {
        return EXCHANGES.incrementAndGet();
    }

    boolean isDraining() {
        return draining;
    }

    /// Ends connections as soon as they idle, and says `Connection: close` on those that do not.
    public void drain() {
        draining = true;
        for (ServedConnection connection : connections) {
            connection.drain();
        }
    }

    /// Open connections.
    public int connectionCount() {
        return connections.size();
    }

    /// Closes every connection at once.
    public void closeAll() {
        for (ServedConnection connection : connections) {
            connection.closeNow();
        }
    }
}
