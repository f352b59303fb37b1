package io.margay.server;

import io.margay.server.ajp.AjpContext;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.http3.Http3Service;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.HandshakeCounts;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.quic.DatagramListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Listeners that speak HTTP or AJP13, and the handler behind them. Thread-safe.
///
/// Transports and dispatcher are the caller's: [#close] leaves them running.
public final class HttpServer implements AutoCloseable {
    private static final long DRAIN_POLL_NANOS = 10_000_000L;

    /// How long clients remember where HTTP/3 is spoken, seconds: a day, as with other servers.
    private static final int ALTERNATIVE_SECONDS = 86_400;

    /// What a client gets that speaks HTTP without TLS where TLS is spoken.
    private static final byte[] NOT_TLS =
            """
            HTTP/1.1 400 Bad Request\r
            Content-Type: text/plain;charset=utf-8\r
            Content-Length: 51\r
            Connection: close\r
            \r
            400 Bad Request
            This port speaks TLS: use https://
            """
                    .getBytes(StandardCharsets.US_ASCII);

    private final HttpServerConfig config;
    private final Handler handler;
    private final Dispatcher dispatcher;
    private final @Nullable ExchangeObserver observer;
    private final LongSupplier nanos = System::nanoTime;
    private final List<HttpListener> listeners = new CopyOnWriteArrayList<>();

    /// An HTTP listener with its own counters.
    public static final class HttpListener {
        private final Listener listener;
        private final @Nullable Beside beside;
        private final ServerStats stats;
        private final Contexts contexts;

        private HttpListener(
                Listener listener, @Nullable Beside beside, Contexts contexts, ServerStats stats) {
            this.listener = listener;
            this.beside = beside;
            this.contexts = contexts;
            this.stats = stats;
        }

        /// See [Listener#reloadCertificates].
        public void reloadCertificates() {
            listener.reloadCertificates();
            if (beside != null) {
                beside.socket.reloadCertificates();
            }
        }

        /// Accepts no more connections; those that are open go on.
        public void stopAccepting() {
            contexts.alternative(null);
            listener.stopAccepting();
            if (beside != null) {
                beside.service.stopAccepting();
            }
        }

        /// The same, and leaves the port of UDP to the server that was given [#datagrams]; without
        /// one connections of HTTP/3 end, and their clients begin new ones.
        public void leave() {
            stopAccepting();
            if (beside != null) {
                beside.service.leave();
            }
        }

        /// The sockets of UDP for a server that is to go on with them; null when there are none.
        public @Nullable DatagramSockets datagrams() throws IOException {
            return beside == null ? null : beside.socket.handOver(beside.service.state());
        }

        private void close() {
            listener.close();
            contexts.all().forEach(ConnectionContext::closeAll);
            if (beside != null) {
                beside.socket.close();
            }
        }

        /// The socket.
        public Listener socket() {
            return listener;
        }

        /// The TLS handshakes of its connections, those of HTTP/3 included.
        public HandshakeCounts handshakes() {
            HandshakeCounts counts = listener.handshakes();
            return beside == null ? counts : counts.plus(beside.socket.handshakes());
        }

        /// Its counters.
        public ServerStats stats() {
            return stats;
        }
    }

    /// What speaks HTTP/3 beside a listener, at the same port of UDP.
    private record Beside(DatagramListener socket, Http3Service service) {}

    /// The context of new connections, and those of connections that were accepted under other
    /// limits. Thread-safe.
    private static final class Contexts implements ConnectionHandler.Factory {
        private final Function<ConnectionContext, ConnectionHandler.Factory> protocol;
        private volatile ConnectionContext current;
        private volatile ConnectionHandler.Factory factory;
        private final List<ConnectionContext> all = new CopyOnWriteArrayList<>();
        private volatile @Nullable String alternative;

        /// @param protocol what new connections speak
        Contexts(
                ConnectionContext first,
                Function<ConnectionContext, ConnectionHandler.Factory> protocol) {
            this.protocol = protocol;
            current = first;
            factory = protocol.apply(first);
            all.add(first);
        }

        @Override
        public ConnectionHandler accept(Connection connection) {
            return factory.accept(connection);
        }

        @Override
        public byte[] plainTextAnswer() {
            return NOT_TLS.clone();
        }

        void replace(ConnectionContext next) {
            ConnectionContext before = current;
            next.alternative(alternative);
            all.add(next);
            current = next;
            factory = protocol.apply(next);
            all.removeIf(old -> old != next && old != before && old.connectionCount() == 0);
        }

        List<ConnectionContext> all() {
            return all;
        }

        ConnectionContext current() {
            return current;
        }

        /// Has responses tell of HTTP/3, or not any more.
        void alternative(@Nullable String value) {
            alternative = value;
            all.forEach(context -> context.alternative(value));
        }
    }

    public HttpServer(Handler handler, Dispatcher dispatcher) {
        this(handler, dispatcher, HttpServerConfig.defaults(), null);
    }

    /// A server without listeners.
    ///
    /// @param observer told of every exchange's end, or null
    public HttpServer(
            Handler handler,
            Dispatcher dispatcher,
            HttpServerConfig config,
            @Nullable ExchangeObserver observer) {
        this.handler = handler;
        this.dispatcher = dispatcher;
        this.config = config;
        this.observer = observer;
    }

    /// Opens a listener that speaks HTTP.
    public HttpListener listen(Transport transport, ListenerConfig socket) throws IOException {
        return prepare(transport, socket).open();
    }

    /// Makes ready a listener that speaks HTTP.
    public Prepared prepare(Transport transport, ListenerConfig socket) throws IOException {
        return prepare(transport, socket, HttpServer::http, null);
    }

    /// Makes ready a listener that speaks HTTP, and HTTP/3 at the same port of UDP.
    ///
    /// @param beside the UDP socket, which is opened and closed with the listener, and closed where
    ///   that cannot be made ready
    public Prepared prepare(
            Transport transport, ListenerConfig socket, DatagramListener.Prepared beside)
            throws IOException {
        try {
            return prepare(transport, socket, HttpServer::http, beside);
        } catch (IOException | RuntimeException e) {
            beside.close();
            throw e;
        }
    }

    /// Opens a listener that speaks AJP13 to a front end such as httpd.
    public HttpListener listenAjp(Transport transport, ListenerConfig socket, AjpConfig ajp)
            throws IOException {
        return prepareAjp(transport, socket, ajp).open();
    }

    /// Makes ready a listener that speaks AJP13.
    public Prepared prepareAjp(Transport transport, ListenerConfig socket, AjpConfig ajp)
            throws IOException {
        return prepare(transport, socket, context -> new AjpContext(context, ajp)::open, null);
    }

    /// New connections speak what TLS has agreed on, else HTTP/1.1 to begin with.
    private static ConnectionHandler.Factory http(ConnectionContext context) {
        return connection -> ListenerProtocol.of(connection.tls()).open(connection, context);
    }

    private Prepared prepare(
            Transport transport,
            ListenerConfig socket,
            Function<ConnectionContext, ConnectionHandler.Factory> protocol,
            DatagramListener.@Nullable Prepared beside)
            throws IOException {
        ServerStats stats = new ServerStats();
        Contexts contexts = new Contexts(newContext(config.limits(), stats), protocol);
        return new Prepared(socket, transport.prepare(socket, contexts), beside, contexts, stats);
    }

    /// A listener that needs only be opened. Opened or closed, once.
    public final class Prepared {
        private final ListenerConfig config;
        private final Transport.Prepared socket;
        private final DatagramListener.@Nullable Prepared beside;
        private final Contexts contexts;
        private final ServerStats stats;

        private Prepared(
                ListenerConfig config,
                Transport.Prepared socket,
                DatagramListener.@Nullable Prepared beside,
                Contexts contexts,
                ServerStats stats) {
            this.config = config;
            this.socket = socket;
            this.beside = beside;
            this.contexts = contexts;
            this.stats = stats;
        }

        /// Opens it.
        public HttpListener open() throws IOException {
            Listener opened;
            try {
                opened = socket.open();
            } catch (IOException | RuntimeException e) {
                closeBeside();
                throw e;
            }
            Beside also = null;
            try {
                also = openBeside(opened);
            } catch (IOException | RuntimeException e) {
                opened.close();
                throw e;
            }
            HttpListener added = new HttpListener(opened, also, contexts, stats);
            listeners.add(added);
            return added;
        }

        private @Nullable Beside openBeside(Listener opened) throws IOException {
            DatagramListener.Prepared prepared = beside;
            if (prepared == null) {
                return null;
            }
            if (!(opened.address() instanceof InetSocketAddress at)) {
                prepared.close();
                throw new IOException("HTTP/3 needs a port");
            }
            DatagramListener made = prepared.open(at);
            Http3Service service;
            try {
                service =
                        Http3Service.open(
                                made,
                                contexts::current,
                                config.connectionsMax(),
                                config.addresses());
            } catch (RuntimeException e) {
                made.close();
                throw e;
            }
            int known = HttpServer.this.config.address().port();
            int port = known == 0 ? at.getPort() : known;
            contexts.alternative("h3=\":" + port + "\"; ma=" + ALTERNATIVE_SECONDS);
            return new Beside(made, service);
        }

        private void closeBeside() {
            if (beside != null) {
                beside.close();
            }
        }

        /// It is not wanted any more.
        public void close() {
            socket.close();
            closeBeside();
        }
    }

    /// Gives connections that are accepted from now on other limits.
    public void limits(HttpLimits limits) {
        for (HttpListener listener : listeners) {
            listener.contexts.replace(newContext(limits, listener.stats));
        }
    }

    private ConnectionContext newContext(HttpLimits limits, ServerStats stats) {
        return new ConnectionContext(
                handler,
                dispatcher,
                config.withLimits(limits),
                stats,
                observer,
                InstantSource.system(),
                nanos);
    }

    /// The listeners, in the order of their opening.
    public List<HttpListener> listeners() {
        return List.copyOf(listeners);
    }

    /// Accepts no more connections, lets requests that have begun end, and closes what idles; what
    /// is still open at the deadline is closed then. Waits.
    ///
    /// @return whether every request has ended by itself
    public boolean drain(Duration deadline) {
        return drain(deadline, false);
    }

    /// The same.
    ///
    /// @param patient whether clients that have connected, or whose connections idle, get time for
    ///   a request, so that none is lost that is on its way; handshakes are waited for, too
    public boolean drain(Duration deadline, boolean patient) {
        for (HttpListener listener : listeners) {
            listener.stopAccepting();
            listener.contexts.all().forEach(context -> context.drain(patient));
        }
        long end = nanos.getAsLong() + deadline.toNanos();
        // Looked at once: one that is accepted after the last look has begun no request.
        int open = connectionCount();
        while ((open > 0 || (patient && socketCount() > 0) || relays())
                && nanos.getAsLong() - end < 0) {
            LockSupport.parkNanos(this, DRAIN_POLL_NANOS);
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                break;
            }
            open = connectionCount();
        }
        close();
        return open == 0;
    }

    /// Open connections of all listeners.
    public int connectionCount() {
        int count = 0;
        for (HttpListener listener : listeners) {
            for (ConnectionContext context : listener.contexts.all()) {
                count += context.connectionCount();
            }
        }
        return count;
    }

    /// Whether datagrams of a server before this one go through this one.
    private boolean relays() {
        return listeners.stream().anyMatch(one -> one.beside != null && one.beside.socket.relays());
    }

    /// The same with those that are not served yet, as during a handshake.
    private int socketCount() {
        return listeners.stream().mapToInt(one -> one.listener.connectionCount()).sum();
    }

    /// Closes the listeners and every connection.
    @Override
    public void close() {
        listeners.forEach(HttpListener::close);
    }
}
