package io.margay.embed;

import io.margay.protocol.http.RequestTarget;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.MemoryLimits;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.InlineDispatcher;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Handler;
import io.margay.server.files.StaticFiles;
import io.margay.server.files.StaticFilesConfig;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TransportConfig;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/// Embeds a server in a program:
///
/// ```java
/// var server = Margay.builder().http(8080).servlet("/hello", new HelloServlet()).start();
/// ```
public final class Margay {
    private Margay() {}

    /// A server with nothing to serve and, unless some are named, one listener at 127.0.0.1:8080.
    public static Builder builder() {
        return new Builder();
    }

    /// Collects what a server is to do. Used by one thread.
    public static final class Builder {
        private static final String LOOPBACK = "127.0.0.1";
        private static final int PORT_DEFAULT = 8080;

        private final List<ServerPlan.Listening> listeners = new ArrayList<>();
        private final List<WebContext> contexts = new ArrayList<>();
        private final List<ServerPlan.War> wars = new ArrayList<>();
        private final Map<String, Handler> handlers = new LinkedHashMap<>();
        private @Nullable WebContext root;
        private @Nullable String transport;
        private TransportConfig transportConfig = TransportConfig.defaults();
        private Supplier<Dispatcher> workers = () -> new WorkerPool(WorkerLimits.defaults());
        private int workersMax = WorkerLimits.defaults().threadsMax();
        private HttpServerConfig http = HttpServerConfig.defaults();
        private MemoryLimits memory = MemoryLimits.defaults();
        private UnaryOperator<WebAppSettings> settings = UnaryOperator.identity();
        private @Nullable Compression compression;
        private ServerPlan.@Nullable Log accessLog;
        private @Nullable Path work;
        private Duration drain = Duration.ofSeconds(25);

        private Builder() {}

        // Listeners

        /// Listens for HTTP at a port of 127.0.0.1; 0 lets the system choose one.
        public Builder http(int port) {
            return http(LOOPBACK, port);
        }

        /// Listens for HTTP at a port of an address or host name; `*` means every address.
        public Builder http(String host, int port) {
            return listener(ListenerConfig.of(address(host, port)));
        }

        /// Listens for HTTPS at a port of 127.0.0.1, with a PEM certificate and key.
        public Builder https(int port, Path cert, Path key) {
            return https(LOOPBACK, port, TlsConfig.of(cert, key));
        }

        /// Listens for HTTPS at a port of 127.0.0.1, with the keys of a key manager.
        public Builder https(int port, X509KeyManager keys) {
            return https(LOOPBACK, port, TlsConfig.of(keys));
        }

        /// Listens for HTTPS. See [#http(String, int)].
        public Builder https(String host, int port, TlsConfig tls) {
            return listener(ListenerConfig.of(address(host, port)).withTls(tls));
        }

        /// Listens for HTTP, or HTTPS where there is TLS, with limits of its own.
        public Builder listener(ListenerConfig socket) {
            listeners.add(new ServerPlan.Listening(socket, null));
            return this;
        }

        /// Listens for AJP13, for a web server in front. See [#http(String, int)].
        public Builder ajp(String host, int port, AjpConfig config) {
            ListenerConfig socket = ListenerConfig.of(address(host, port));
            listeners.add(new ServerPlan.Listening(socket, config));
            return this;
        }

        /// Sets the length of the accept queue and the number of open connections of the listeners
        /// that have been named so far.
        public Builder sockets(int backlog, int connectionsMax) {
            listeners.replaceAll(one ->
                    new ServerPlan.Listening(
                            one.socket().withBacklog(backlog).withConnectionsMax(connectionsMax),
                            one.ajp(),
                            one.http3()));
            return this;
        }

        private static InetSocketAddress address(String host, int port) {
            return host.equals("*")
                    ? new InetSocketAddress(port)
                    : new InetSocketAddress(host, port);
        }

        /// Chooses how bytes are moved: `blocking`, `nio` or `native`; unless said, the best of
        /// this machine.
        public Builder transport(String name) {
            transport = name;
            return this;
        }

        /// Settings of the transport, such as the number of its loops.
        public Builder transport(TransportConfig config) {
            transportConfig = config;
            return this;
        }

        // What is served

        /// Adds a servlet to the context at `/`. See [WebContext#servlet(String, Servlet)].
        public Builder servlet(String pattern, Servlet servlet) {
            root().servlet(pattern, servlet);
            return this;
        }

        /// Adds a servlet to the context at `/`, made by the container.
        public Builder servlet(String pattern, Class<? extends Servlet> type) {
            root().servlet(pattern, type);
            return this;
        }

        /// Adds a filter to the context at `/`.
        public Builder filter(String pattern, Filter filter) {
            root().filter(pattern, filter);
            return this;
        }

        /// Adds a filter to the context at `/`, made by the container.
        public Builder filter(String pattern, Class<? extends Filter> type) {
            root().filter(pattern, type);
            return this;
        }

        /// Adds a listener to the context at `/`.
        public Builder listener(EventListener listener) {
            root().listener(listener);
            return this;
        }

        /// Adds a listener to the context at `/`, made by the container.
        public Builder listener(Class<? extends EventListener> type) {
            root().listener(type);
            return this;
        }

        /// Runs an initializer when the context at `/` starts.
        public Builder initializer(ServletContainerInitializer initializer, Class<?>... classes) {
            root().initializer(initializer, classes);
            return this;
        }

        /// Runs an initializer when the context at `/` starts, made by its constructor.
        public Builder initializer(Class<? extends ServletContainerInitializer> type) {
            root().initializer(type);
            return this;
        }

        /// Serves the files of a folder in the context at `/`.
        public Builder resources(Path folder) {
            root().resources(folder);
            return this;
        }

        /// Serves the files of a folder of the class path in the context at `/`.
        public Builder classPathResources(String folder) {
            root().classPathResources(folder);
            return this;
        }

        private WebContext root() {
            if (root == null) {
                root = WebContext.at("/");
                contexts.add(root);
            }
            return root;
        }

        /// Serves a context that the program has made.
        public Builder context(WebContext context) {
            contexts.add(context);
            return this;
        }

        /// Serves a WAR or exploded folder at a path such as `/` or `/shop`.
        public Builder app(String path, Path app) {
            wars.add(new ServerPlan.War(path.equals("/") ? "" : path, app));
            return this;
        }

        /// Serves static files under a path, without a servlet.
        public Builder files(String path, Path folder) {
            String prefix = path.equals("/") ? "" : path;
            try {
                return handler(
                        prefix + "/*",
                        new StaticFiles(
                                StaticFilesConfig.of(folder, prefix), new SplittableRandom()));
            } catch (IOException e) {
                throw new IllegalArgumentException(folder + " cannot be served", e);
            }
        }

        /// Answers what a pattern takes (`/path`, `/path/*`, `*.extension`, `/`) by a handler of
        /// the program's own. The longest pattern wins, contexts included.
        ///
        /// The handler begins on the connection's loop thread, beside all other connections of that
        /// loop, and so must not wait; with the transport `blocking` it has a thread of its own.
        /// What may wait goes through `exchange.dispatch(task)`: the task runs on a thread of the
        /// workers, where `read` and `write` may wait for the client. The exchange is over when
        /// `end` has been called, on whichever thread.
        public Builder handler(String pattern, Handler handler) {
            if (handlers.putIfAbsent(pattern, handler) != null) {
                throw new IllegalArgumentException("two handlers for " + pattern);
            }
            return this;
        }

        // How

        /// Runs servlets on a pool of platform threads, as is done unless said otherwise.
        public Builder threads(WorkerLimits limits) {
            workers = () -> new WorkerPool(limits);
            workersMax = limits.threadsMax();
            return this;
        }

        /// Runs each request of a servlet on a virtual thread of its own.
        ///
        /// @param requestsMax that run at once
        public Builder virtualThreads(int requestsMax) {
            workers = () -> new VirtualDispatcher(requestsMax);
            workersMax = requestsMax;
            return this;
        }

        /// Runs servlets on the connection's loop as long as they are quick, else on the pool.
        public Builder onLoop(WorkerLimits limits) {
            workers = () -> new InlineDispatcher(new WorkerPool(limits));
            workersMax = limits.threadsMax();
            return this;
        }

        /// Limits of messages and connections.
        public Builder limits(HttpLimits limits) {
            http = http.withLimits(limits);
            return this;
        }

        /// Limits of what clients may make the server hold.
        public Builder memory(MemoryLimits limits) {
            memory = limits;
            return this;
        }

        /// Whether HTTP/2 is spoken beside HTTP/1.1, over TLS and in clear text; it is unless said.
        public Builder http2(boolean spoken) {
            http = http.withHttp2(spoken);
            return this;
        }

        /// Has the listeners with TLS that have been named so far speak HTTP/3, too, at the same
        /// port of UDP. It needs OpenSSL 3.5 or newer: without it the server does not start.
        public Builder http3() {
            listeners.replaceAll(one ->
                    new ServerPlan.Listening(one.socket(), one.ajp(), one.socket().tls() != null));
            return this;
        }

        /// The value of the field `Server`; none is sent unless said.
        public Builder serverName(@Nullable String name) {
            http = http.withServerName(name);
            return this;
        }

        /// Whether a request over TLS must be for the host that the handshake named; it must unless
        /// said.
        public Builder strictSni(boolean strict) {
            http = http.withStrictSni(strict);
            return this;
        }

        /// Lets clients leave characters unencoded that no URI has: some of `"`, `<`, `>`, `\\`,
        /// `^`, `{`, `|`, `}` and the backtick.
        ///
        /// @param path in paths; a backslash is answered with 400 all the same
        /// @param query in queries
        public Builder relaxedCharacters(String path, String query) {
            http = http.withCharacters(RequestTarget.Characters.of(path, query));
            return this;
        }

        /// Chooses who speaks TLS for the listeners that have been named so far.
        public Builder tlsProvider(TlsConfig.Provider provider) {
            listeners.replaceAll(one -> {
                ListenerConfig socket = one.socket();
                TlsConfig tls = socket.tls();
                return tls == null
                        ? one
                        : new ServerPlan.Listening(
                                socket.withTls(tls.with(provider)), one.ajp(), one.http3());
            });
            return this;
        }

        /// Compresses responses.
        public Builder compression(CompressionConfig config) {
            return compression(Compression.of(config));
        }

        /// Compresses the responses that the program chooses.
        public Builder compression(Compression how) {
            compression = how;
            return this;
        }

        /// Changes settings of the container for all contexts and applications.
        public Builder settings(UnaryOperator<WebAppSettings> change) {
            UnaryOperator<WebAppSettings> before = settings;
            settings = asked -> change.apply(before.apply(asked));
            return this;
        }

        /// Logs every request.
        ///
        /// @param format `common`, `combined`, `json`, or a format string as Apache's
        public Builder accessLog(Path file, String format) {
            accessLog = new ServerPlan.Log(file, format);
            return this;
        }

        /// Folder for unpacked archives and compiled pages; unless said, one among the system's
        /// temporary files, deleted when the server stops.
        public Builder work(Path folder) {
            work = folder;
            return this;
        }

        /// How long [EmbeddedServer#close] lets running requests take; 25 s unless said.
        public Builder drain(Duration time) {
            drain = time;
            return this;
        }

        /// A server that does not run yet.
        public EmbeddedServer build() {
            List<ServerPlan.Listening> all =
                    listeners.isEmpty()
                            ? List.of(
                                    new ServerPlan.Listening(
                                            ListenerConfig.of(address(LOOPBACK, PORT_DEFAULT)),
                                            null))
                            : List.copyOf(listeners);
            return new EmbeddedServer(
                    ServerPlanBuilder.builder()
                            .listeners(all)
                            .transport(transport)
                            .transportConfig(transportConfig)
                            .workers(workers)
                            .workersMax(workersMax)
                            .http(http.withMemory(memory.budget()))
                            .contexts(List.copyOf(contexts))
                            .wars(List.copyOf(wars))
                            .handlers(new LinkedHashMap<>(handlers))
                            .settings(settings)
                            .compression(compression)
                            .accessLog(accessLog)
                            .work(work)
                            .drain(drain)
                            .build());
        }

        /// Builds and starts a server.
        ///
        /// @throws ServerStartException when an application or a listener cannot be started;
        ///   nothing is left running
        public EmbeddedServer start() {
            EmbeddedServer server = build();
            server.start();
            return server;
        }
    }
}
