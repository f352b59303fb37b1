package io.margay.transport.tls;

import io.margay.transport.BufferPool;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.HandshakeCounts;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.ProxyProtocol;
import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.proxy.ProxyHandshake;
import io.margay.transport.proxy.ProxyRefusals;
import io.margay.transport.quic.QuicHandshake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// TLS for the listeners of one transport: the threads for handshakes, the buffers, and the watch
/// over certificate files. Thread-safe; threads start with the first TLS listener, or connection to
/// a peer.
public final class TlsLayer implements AutoCloseable {
    /// Room for a record of any version: 16 KiB of text, 2 KiB of overhead.
    static final int RECORD_BYTES_MAX = 18 * 1024;

    private static final int POOLED_BUFFERS = 128;
    private static final int THREAD_IDLE_SECONDS = 30;

    /// Handshakes that wait for the network at a time: others are not to wait behind them.
    private static final int WAITING_MAX = 64;

    /// A look at the files of one certificate takes some 10 µs of a processor.
    private static final Duration REST_FOR_EACH = Duration.ofMillis(1);

    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final HandshakeCounts NO_HANDSHAKES = new HandshakeCounts(0, 0, 0);

    private final TransportConfig config;
    private final boolean inline;
    private final BufferPool<ByteBuffer> buffers =
            new BufferPool<>(POOLED_BUFFERS, () -> ByteBuffer.allocate(RECORD_BYTES_MAX));
    private final List<TlsContext> watched = new CopyOnWriteArrayList<>();
    private final OutboundEngines outbound = new OutboundEngines(System::nanoTime);
    private final ThreadPoolExecutor tasks;
    private final ThreadPoolExecutor waiting;
    private volatile @Nullable ScheduledExecutorService watcher;

    /// What a listener uses instead of the plain handlers.
    ///
    /// @param reload reads the certificate files again
    /// @param close ends the watch over them
    /// @param provider whose TLS it is; null for plain text
    /// @param handshakes the handshakes so far
    /// @param withoutHeader connections without the header that comes before, so far
    public record Secured(
            ConnectionHandler.Factory handlers,
            Runnable reload,
            Runnable close,
            @Nullable String provider,
            Supplier<HandshakeCounts> handshakes,
            LongSupplier withoutHeader) {
        private Secured behind(@Nullable ProxyProtocol header) {
            if (header == null) {
                return this;
            }
            ProxyRefusals refusals = new ProxyRefusals(System::nanoTime);
            return new Secured(
                    ProxyHandshake.before(header, handlers, System::nanoTime, refusals),
                    reload,
                    close,
                    provider,
                    handshakes,
                    refusals::count);
        }
    }

    /// Opens the server socket for handlers behind TLS.
    @FunctionalInterface
    public interface Opening {
        Listener open(Secured secured) throws IOException;
    }

    /// @param inline whether the expensive steps run on the connection's own thread, because it is
    ///   a virtual one
    public TlsLayer(TransportConfig config, boolean inline) {
        this.config = config;
        this.inline = inline;
        this.tasks =
                new ThreadPoolExecutor(
                        config.tlsThreads(),
                        config.tlsThreads(),
                        THREAD_IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(config.tlsQueue()),
                        daemons("margay-tls-"));
        tasks.allowCoreThreadTimeOut(true);
        this.waiting =
                new ThreadPoolExecutor(
                        WAITING_MAX,
                        WAITING_MAX,
                        THREAD_IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(config.tlsQueue()),
                        daemons("margay-tls-waiting-"));
        waiting.allowCoreThreadTimeOut(true);
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /// Puts TLS between the connections and the handlers; without `tls`, changes nothing.
    ///
    /// @throws TlsSetupException when a file cannot be used
    public Secured secure(@Nullable TlsConfig tls, ConnectionHandler.Factory handlers) {
        if (tls == null) {
            return new Secured(handlers, () -> {}, () -> {}, null, () -> NO_HANDSHAKES, () -> 0);
        }
        HandshakeMeter meter = new HandshakeMeter();
        TlsContext context = new TlsContext(tls, !inline);
        watched.add(context);
        watch();
        return new Secured(
                raw ->
                        TlsHandshake.accepting(
                                raw, this, context, handlers, meter, tls.handshakeTimeout()),
                context::reload,
                () -> {
                    watched.remove(context);
                    context.close();
                },
                context.provider(),
                meter::read,
                () -> 0);
    }

    /// What makes the handshakes of a listener that speaks QUIC.
    ///
    /// @param next begins one; confined to the loop that has called it
    /// @param reload reads the certificate files again
    /// @param close ends the watch over them
    public record Quic(
            Supplier<QuicHandshake> next,
            Runnable reload,
            Runnable close,
            String provider,
            Supplier<HandshakeCounts> handshakes) {}

    /// Why this machine has no handshakes of QUIC, and what is needed; null when it has.
    public static @Nullable String quicProblem() {
        String problem = OpenSsl.quicProblem();
        return problem == null ? null : "HTTP/3 needs OpenSSL 3.5 or newer: " + problem;
    }

    /// Makes ready what handshakes of QUIC need: TLS 1.3 alone, by OpenSSL.
    ///
    /// @param tls with the protocol that is offered above QUIC
    /// @throws TlsSetupException when this machine has no OpenSSL that can, or a file cannot be
    ///   used
    public Quic quic(TlsConfig tls) {
        String problem = quicProblem();
        if (problem != null) {
            throw new TlsSetupException(problem);
        }
        TlsContext context = new TlsContext(OpenSslQuic.settings(tls), true);
        if (!context.isOpenSsl()) {
            context.close();
            throw new TlsSetupException(
                    "HTTP/3 needs OpenSSL, which cannot be used with this listener's settings");
        }
        HandshakeMeter meter = new HandshakeMeter();
        watched.add(context);
        watch();
        return new Quic(
                () -> new OpenSslQuic(context, meter),
                context::reload,
                () -> {
                    watched.remove(context);
                    context.close();
                },
                context.provider(),
                meter::read);
    }

    /// Puts TLS between an outbound connection and its handlers.
    ///
    /// @param failed told once when the handshake fails, on the connection's loop
    /// @throws TlsSetupException when a file cannot be used
    public ConnectionHandler.Factory secure(
            TlsClientConfig tls,
            Duration timeout,
            ConnectionHandler.Factory handlers,
            Consumer<IOException> failed) {
        Supplier<SSLEngine> engines = outbound.of(tls);
        if (watcher == null) {
            watch();
        }
        return raw -> TlsHandshake.dialling(raw, this, engines, handlers, failed, timeout);
    }

    /// Prepares a listener, with TLS if there is a configuration for it, and with the PROXY
    /// protocol before that if it is expected; the watch over its files ends if it is not opened.
    public Transport.Prepared prepare(
            ListenerConfig config, ConnectionHandler.Factory handlers, Opening opening) {
        Secured secured = secure(config.tls(), handlers);
        return new Transport.Prepared() {
            @Override
            public Listener open() throws IOException {
                try {
                    return opening.open(secured.behind(config.proxyProtocol()));
                } catch (IOException | RuntimeException e) {
                    close();
                    throw e;
                }
            }

            @Override
            public void close() {
                secured.close().run();
            }
        };
    }

    private synchronized void watch() {
        if (watcher == null) {
            ScheduledExecutorService started =
                    Executors.newSingleThreadScheduledExecutor(daemons("margay-certificates-"));
            watcher = started;
            look(started);
        }
    }

    /// Looks at the files once more, as soon as is configured; where they are many later, so that
    /// looking takes a hundredth of the time.
    private void look(ScheduledExecutorService on) {
        int certificates = watched.stream().mapToInt(TlsContext::certificates).sum();
        Duration rest = REST_FOR_EACH.multipliedBy(certificates);
        long nanos = Math.max(config.certificateCheck().toNanos(), rest.toNanos());
        try {
            var _ = on.schedule(() -> check(on), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "the watch over certificates has ended", e);
        }
    }

    private void check(ScheduledExecutorService on) {
        try {
            watched.forEach(TlsContext::check);
            outbound.check();
        } finally {
            look(on);
        }
    }

    BufferPool<ByteBuffer> buffers() {
        return buffers;
    }

    boolean inline() {
        return inline;
    }

    /// Runs an expensive step of a handshake elsewhere.
    ///
    /// @param mayWait whether it may wait for the network
    /// @throws java.util.concurrent.RejectedExecutionException when too many wait already
    void execute(Runnable step, boolean mayWait) {
        (mayWait ? waiting : tasks).execute(step);
    }

    @Override
    public synchronized void close() {
        tasks.shutdown();
        waiting.shutdown();
        ScheduledExecutorService started = watcher;
        if (started != null) {
            started.shutdownNow();
        }
    }

    /// Counts the handshakes of one listener. Thread-safe.
    static final class HandshakeMeter {
        private final LongAdder done = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        void done(long tookNanos) {
            done.increment();
            nanos.add(tookNanos);
        }

        void failed() {
            failed.increment();
        }

        HandshakeCounts read() {
            return new HandshakeCounts(done.sum(), failed.sum(), nanos.sum());
        }
    }
}
