package io.margay.server.connection;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.PublicAddress;
import io.margay.server.config.ServerStats;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.ArrayPool;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.forwarded.ForwardedFields;
import io.margay.server.forwarded.FrontEndTrust;
import io.margay.transport.Connection;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What all connections of a server share. Thread-safe.
public final class ConnectionContext {
    private static final int BUFFERS_KEPT = 256;

    /// What holds a servlet's whole response buffer, the head and what frames it, bytes.
    private static final int WIDE_BYTES = 40_960;

    private static final int WIDE_BUFFERS_KEPT = 64;

    public final Handler handler;
    public final Dispatcher dispatcher;
    public final HttpLimits limits;
    public final ServerStats stats;
    public final @Nullable ExchangeObserver observer;
    private final @Nullable String serverName;
    public final boolean strictSni;
    public final boolean http2;
    public final RequestTarget.Characters characters;
    public final PublicAddress address;

    /// What is taken of the fields of front ends, or null.
    final @Nullable ForwardedFields forwarded;

    public final MemoryBudget memory;
    public final DateLine date;
    public final ArrayPool smallBuffers;
    public final ArrayPool largeBuffers;
    public final ArrayPool wideBuffers;
    public final HeadDecoders headDecoders;
    public final FailureLog log = new FailureLog();
    public final Standstill standstill = Standstill.ofProcess();
    public final long headNanos;
    public final long idleNanos;
    public final long bodyNanos;
    public final long writeNanos;
    public final long drainNanos;
    public final long lingerNanos;
    public final long lingerPauseNanos;
    private final long rateGraceNanos;

    private final LongSupplier nanos;

    /// Each judges how fast a client takes a response.
    public final Supplier<TransferRate> outputRates = this::outputRate;

    private static final ExchangeNumbers EXCHANGES =
            new ExchangeNumbers(Runtime.getRuntime().availableProcessors());

    /// Tells this process from all others, so that no two requests of a site are called alike.
    private static final String PROCESS =
            HexFormat.of().toHexDigits(new SplittableRandom().nextLong());

    /// What tells clients of HTTP/3 (RFC 7838), or null.
    private volatile @Nullable String alternative;

    private final Set<ServedConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

    /// @param observer told of each exchange's end, or null
    /// @param clock for the `Date` of responses
    /// @param nanos what the transport measures deadlines by: `System::nanoTime`
    public ConnectionContext(
            Handler handler,
            Dispatcher dispatcher,
            HttpServerConfig config,
            ServerStats stats,
            @Nullable ExchangeObserver observer,
            InstantSource clock,
            LongSupplier nanos) {
        this.nanos = nanos;
        this.handler = handler;
        this.dispatcher = dispatcher;
        limits = config.limits();
        this.stats = stats;
        this.observer = observer;
        serverName = config.serverName();
        strictSni = config.strictSni();
        http2 = config.http2();
        characters = config.characters();
        address = config.address();
        FrontEndTrust trust = address.forwarded();
        forwarded = trust == null ? null : new ForwardedFields(trust);
        memory = config.memory();
        date = new DateLine(clock);
        smallBuffers = new ArrayPool(limits.inputBufferBytes(), BUFFERS_KEPT);
        largeBuffers = new ArrayPool(limits.outputBufferBytes(), BUFFERS_KEPT);
        int wide = Math.max(WIDE_BYTES, limits.outputBufferBytes());
        wideBuffers = new ArrayPool(wide, WIDE_BUFFERS_KEPT);
        headDecoders = new HeadDecoders(limits.http1(), characters);
        headNanos = limits.headTimeout().toNanos();
        idleNanos = limits.idleTimeout().toNanos();
        bodyNanos = limits.bodyTimeout().toNanos();
        writeNanos = limits.writeTimeout().toNanos();
        drainNanos = limits.drainTimeout().toNanos();
        lingerNanos = limits.lingerTimeout().toNanos();
        rateGraceNanos = limits.rateGrace().toNanos();
        lingerPauseNanos = limits.lingerPause().toNanos();
    }

    /// Has responses tell clients where HTTP/3 is spoken.
    ///
    /// @param value of `Alt-Svc`, or null for nothing
    public void alternative(@Nullable String value) {
        alternative = value;
    }

    /// Adds the fields of a response that are the listener's, unless it has them.
    public void addOwn(FieldList fields) {
        if (serverName != null && !fields.contains("Server")) {
            fields.add("Server", serverName);
        }
        String other = alternative;
        if (other != null && !fields.contains("Alt-Svc")) {
            fields.add("Alt-Svc", other);
        }
    }

    public void opened(ServedConnection connection) {
        connections.add(connection);
        stats.connectionAccepted();
    }

    public void closed(ServedConnection connection) {
        if (connections.remove(connection)) {
            stats.connectionClosed();
        }
    }

    /// A connection has turned to another protocol.
    public void replaced(ServedConnection before, ServedConnection now) {
        connections.add(now);
        connections.remove(before);
    }

    /// What [#now] asks.
    public LongSupplier clock() {
        return nanos;
    }

    /// The time by which deadlines are measured.
    public long now() {
        return nanos.getAsLong();
    }

    /// Marks waits on a blocking connection.
    public BlockingWait newWait(Connection io) {
        return io.blocking() ? new BlockingWait(io, nanos) : BlockingWait.NEVER;
    }

    /// Judges how fast a client sends content.
    public TransferRate inputRate() {
        return new TransferRate(rateGraceNanos, limits.bodyRateMin(), nanos);
    }

    /// Judges how fast a client takes a response.
    public TransferRate outputRate() {
        return new TransferRate(rateGraceNanos, limits.writeRateMin(), nanos);
    }

    long nextExchangeId() {
        return EXCHANGES.next();
    }

    /// What a request is called that nobody else has given a name.
    String requestId(long exchangeId) {
        return PROCESS + "-" + exchangeId;
    }

    public boolean isDraining() {
        return draining;
    }

    /// Ends connections as soon as they idle, and says `Connection: close` on those that do not.
    ///
    /// @param patient whether a client whose connection idles gets time to say something more
    public void drain(boolean patient) {
        draining = true;
        for (ServedConnection connection : connections) {
            connection.drain(patient);
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
