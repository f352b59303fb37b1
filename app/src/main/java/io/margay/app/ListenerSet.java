package io.margay.app;

import io.margay.app.acme.OwnCertificates;
import io.margay.app.admin.ManagedServer;
import io.margay.app.admin.ManagedServerListenerBuilder;
import io.margay.app.config.AjpSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.TransportChoice;
import io.margay.app.shared.SharedState;
import io.margay.app.upgrade.Inheritance;
import io.margay.server.HttpServer;
import io.margay.server.ListenerProtocol;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.acme.AcmeReading;
import io.margay.server.acme.StapleReading;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.forwarded.Networks;
import io.margay.server.sight.SightKey;
import io.margay.server.sight.Watched;
import io.margay.transport.AddressLimit;
import io.margay.transport.FatalHandler;
import io.margay.transport.ListenerConfig;
import io.margay.transport.ListenerConfigBuilder;
import io.margay.transport.ProxyLimits;
import io.margay.transport.ProxyProtocol;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import io.margay.transport.handover.ListeningSocket;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The open listeners and the transports below them. Guarded by the lock of [MargayServer], but for
/// [#read] and [#renew], which any thread may call.
final class ListenerSet {
    private static final System.Logger LOG = System.getLogger(ListenerSet.class.getName());

    private final Handler handler;
    private final @Nullable ExchangeObserver observer;
    private final Dispatcher dispatcher;
    private final MemoryBudget memory;

    /// Before the names of sockets, so that two sets never take each other's.
    private final String of;

    private final TransportConfig transportConfig;
    private final OwnCertificates own;
    private final Map<TransportChoice, Transports.Choice> transports =
            new EnumMap<>(TransportChoice.class);
    private final List<Open> open = new CopyOnWriteArrayList<>();
    private volatile Predicate<SocketAddress> exempt = _ -> false;

    /// A listener that is open.
    ///
    /// @param server one of its own, so that it can be drained alone
    /// @param isShared whether sessions of TLS are to resume at other servers, too
    private record Open(
            ListenerSettings settings, HttpServer server, Transports.Choice on, boolean isShared) {
        SocketAddress address() {
            return server.listeners().getFirst().socket().address();
        }

        /// The start-up line: URL, transport, and why that one when the user did not choose.
        String line() {
            String how =
                    settings.accepting().transport() == TransportChoice.AUTO
                            ? on.reason()
                            : on.transport().name();
            String tls = server.listeners().getFirst().socket().tlsProvider();
            String by =
                    how
                            + (tls == null ? "" : ", TLS by " + tls)
                            + (settings.http3() ? ", HTTP/3" : "")
                            + (isShared && "JSSE".equals(tls) ? ", sessions of it not shared" : "");
            if (!(address() instanceof InetSocketAddress at)) {
                return settings.scheme() + " at " + settings.endpoint() + " (" + by + ")";
            }
            String host = settings.endpoint().host();
            String shown =
                    host.equals("*") || host.equals("0.0.0.0") || host.equals("::")
                            ? "127.0.0.1"
                            : host.indexOf(':') >= 0 ? "[" + host + "]" : host;
            String url = settings.scheme() + "://" + shown + ":" + at.getPort() + "/";
            String everywhere = at.getAddress().isAnyLocalAddress() ? ", every address" : "";
            return url + " (" + by + everywhere + ")";
        }
    }

    /// Those of administration, without certificates that the server gets by itself.
    ListenerSet(
            Handler handler,
            @Nullable ExchangeObserver observer,
            Dispatcher dispatcher,
            MemoryBudget memory,
            FatalHandler onFatal) {
        this(
                handler,
                observer,
                dispatcher,
                memory,
                onFatal,
                new OwnCertificates(AcmeLimits.defaults(), new SharedState(null)),
                "admin ");
    }

    /// @param memory what clients may make all listeners hold
    /// @param onFatal what is done when a thread of a transport dies
    /// @param own certificates that the server gets by itself; it is closed with the listeners
    ListenerSet(
            Handler handler,
            @Nullable ExchangeObserver observer,
            Dispatcher dispatcher,
            MemoryBudget memory,
            FatalHandler onFatal,
            OwnCertificates own) {
        this(handler, observer, dispatcher, memory, onFatal, own, "");
    }

    private ListenerSet(
            Handler handler,
            @Nullable ExchangeObserver observer,
            Dispatcher dispatcher,
            MemoryBudget memory,
            FatalHandler onFatal,
            OwnCertificates own,
            String of) {
        this.of = of;
        this.memory = memory;
        this.own = own;
        own.onChange(this::reloadCertificates);
        transportConfig = TransportConfig.defaults().withOnFatal(onFatal);
        this.handler = handler;
        this.observer = observer;
        this.dispatcher = dispatcher;
    }

    /// Makes the transports that `wanted` needs. What cannot be had is reported by [#open].
    void prepare(List<ListenerSettings> wanted) {
        try {
            wanted.forEach(settings -> transport(settings.accepting().transport()));
        } catch (StartException e) {
            LOG.log(System.Logger.Level.DEBUG, "preparing", e);
        }
    }

    /// Opens those of `wanted` that are not open, as a configuration says; on failure opens none.
    ///
    /// @param inherited sockets of the process before
    /// @throws StartException saying which could not be opened, and why
    void open(MargayConfig config, List<ListenerSettings> wanted, Inheritance inherited) {
        own.prepare(config.acme());
        own.responses().keepIn(config.work());
        exempt = FrontEnds.of(config)::includes;
        open(wanted, config.limits().http(), inherited);
        own.follow(config.acme());
    }

    /// Has new handshakes meet what is in the files of certificates. Any thread.
    private void reloadCertificates() {
        open.stream()
                .flatMap(one -> one.server.listeners().stream())
                .forEach(HttpServer.HttpListener::reloadCertificates);
    }

    /// How it stands about the certificates that the server gets by itself. Any thread.
    List<AcmeReading> ownCertificates() {
        return own.read();
    }

    /// The certificates that the server gets by itself. Any thread.
    OwnCertificates own() {
        return own;
    }

    /// How it stands about the OCSP responses that are stapled. Any thread.
    List<StapleReading> staples() {
        return own.responses().read();
    }

    /// Opens those of `wanted` that are not open; on failure opens none.
    ///
    /// @throws StartException saying which could not be opened, and why
    void open(List<ListenerSettings> wanted, HttpLimits limits) {
        open(wanted, limits, Inheritance.none());
    }

    /// The same, with sockets that are open already.
    void open(List<ListenerSettings> wanted, HttpLimits limits, Inheritance inherited) {
        List<Ready> ready = new ArrayList<>();
        List<Open> added = new ArrayList<>();
        try {
            for (ListenerSettings settings : wanted) {
                if (open.stream().noneMatch(one -> one.settings.equals(settings))) {
                    ready.add(prepareOne(settings, limits, inherited));
                }
            }
            for (Ready one : ready) {
                tried(one.what.settings, () -> one.socket.open());
                added.add(one.what);
            }
        } catch (StartException e) {
            ready.subList(added.size(), ready.size()).forEach(one -> one.socket.close());
            added.forEach(one -> one.server.close());
            throw e;
        }
        open.addAll(added);
    }

    /// One that is about to be opened, together with others.
    private record Ready(Open what, HttpServer.Prepared socket) {}

    /// A part of opening a listener.
    @FunctionalInterface
    private interface Part<T> {
        T run() throws IOException;
    }

    private static <T> T tried(ListenerSettings settings, Part<T> part) {
        try {
            return part.run();
        } catch (BindException e) {
            throw new StartException(BindFailure.of(settings, e), e);
        } catch (IOException | IllegalArgumentException | TlsSetupException e) {
            throw new StartException(
                    "the listener "
                            + settings.scheme()
                            + " "
                            + settings.endpoint()
                            + " cannot be opened: "
                            + e.getMessage(),
                    e);
        }
    }

    private @Nullable AddressLimit perAddress(ListenerSettings settings) {
        return settings.accepting().perAddressMax() == 0
                ? null
                : new AddressLimit(
                        settings.accepting().perAddressMax(), remote -> exempt.test(remote));
    }

    private static @Nullable ProxyProtocol proxyProtocol(ListenerSettings settings) {
        ListenerSettings.Senders senders = settings.proxyProtocol();
        if (senders.trusted().isEmpty()) {
            return null;
        }
        Networks trusted = Networks.of(senders.trusted());
        Networks except = Networks.of(senders.except());
        return new ProxyProtocol(trusted::includes, except::includes, ProxyLimits.defaults());
    }

    /// Lets the threads of transports end on which applications may have run. Any thread.
    void renew() {
        for (Open one : open) {
            one.on.transport().renew();
        }
    }

    /// Whether a listener has lost what moves its bytes. Any thread.
    boolean isDead() {
        for (Open one : open) {
            if (one.on.transport().failure() != null) {
                return true;
            }
        }
        return false;
    }

    private Ready prepareOne(ListenerSettings settings, HttpLimits limits, Inheritance inherited) {
        Transports.Choice choice = transport(settings.accepting().transport());
        HttpServer server =
                new HttpServer(
                        handler,
                        dispatcher,
                        HttpServerConfig.defaults()
                                .withLimits(limits)
                                .withHttp2(settings.http2())
                                .withCharacters(settings.characters())
                                .withAddress(settings.address())
                                .withMemory(memory),
                        observer);
        SocketAddress address = settings.endpoint().address();
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new StartException(
                    "the listener's host \"" + settings.endpoint().host() + "\" is not known");
        }
        Open one = new Open(settings, server, choice, own.shared().tickets() != null);
        return tried(
                settings,
                () -> {
                    ListenerConfig socket =
                            ListenerConfigBuilder.builder(ListenerConfig.of(address))
                                    .backlog(settings.accepting().backlog())
                                    .connectionsMax(settings.accepting().connectionsMax())
                                    .addresses(perAddress(settings))
                                    .tls(tls(settings))
                                    .proxyProtocol(proxyProtocol(settings))
                                    .descriptor(inherited.take(name(settings), address))
                                    .access(settings.accepting().access())
                                    .build();
                    AjpSettings ajp = settings.ajp();
                    return new Ready(
                            one,
                            ajp != null
                                    ? server.prepareAjp(choice.transport(), socket, ajp.config())
                                    : settings.http3()
                                            ? withHttp3(one, socket, inherited)
                                            : server.prepare(choice.transport(), socket));
                });
    }

    /// One that speaks HTTP/3, too.
    private HttpServer.Prepared withHttp3(Open one, ListenerConfig socket, Inheritance inherited)
            throws IOException {
        TlsConfig tls = socket.tls();
        if (tls == null) {
            throw new IllegalArgumentException("HTTP/3 needs TLS");
        }
        return one.server.prepare(
                one.on.transport(),
                socket,
                Transports.datagrams(
                        tls.withApplicationProtocols(List.of(ListenerProtocol.HTTP_3)),
                        transportConfig,
                        inherited.datagrams(socket.descriptor()),
                        inherited::whenAlone));
    }

    /// How the listener speaks TLS; ALPN offers what it speaks above.
    private @Nullable TlsConfig tls(ListenerSettings settings) {
        TlsConfig tls = settings.tls();
        return tls == null
                ? null
                : tls.withApplicationProtocols(ListenerProtocol.offered(settings.http2()))
                        .withChallenges(own.challenges())
                        .withTickets(own.shared().tickets())
                        .withStapling(
                                new TlsConfig.Stapling(tls.stapling().which(), own.responses()));
    }

    private Transports.Choice transport(TransportChoice choice) {
        Transports.Choice existing = transports.get(choice);
        if (existing != null) {
            return existing;
        }
        try {
            Transports.Choice made =
                    choice == TransportChoice.AUTO
                            ? Transports.best(transportConfig)
                            : new Transports.Choice(
                                    Transports.open(choice.word(), transportConfig), "chosen");
            transports.put(choice, made);
            return made;
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException(
                    "the transport " + choice.word() + " is not available: " + e.getMessage(), e);
        }
    }

    /// Opens the new listeners of a configuration, first closing those whose address they take; on
    /// failure the closed ones are opened again.
    void change(MargayConfig from, MargayConfig next) {
        List<ListenerSettings> inTheWay = inTheWayOf(next.listeners());
        if (!inTheWay.isEmpty()) {
            retainOnly(
                    from.listeners().stream().filter(one -> !inTheWay.contains(one)).toList(),
                    next.drain());
        }
        try {
            open(next, next.listeners(), Inheritance.none());
        } catch (StartException e) {
            open(from, inTheWay, Inheritance.none());
            throw e;
        }
    }

    /// Whether one of the same address but other settings is open, which must be closed before.
    private List<ListenerSettings> inTheWayOf(List<ListenerSettings> wanted) {
        return open.stream()
                .map(Open::settings)
                .filter(one -> !wanted.contains(one))
                .filter(one ->
                        wanted.stream().anyMatch(other -> one.endpoint().meets(other.endpoint())))
                .toList();
    }

    /// What the process that takes over knows a listener by, also if the system chose the port.
    private String name(ListenerSettings settings) {
        return of + settings.scheme() + " " + settings.endpoint();
    }

    /// The sockets, for a process that takes over. None is closed while the caller holds the lock.
    List<ListeningSocket> sockets() throws IOException {
        List<ListeningSocket> sockets = new ArrayList<>();
        for (Open one : open) {
            sockets.add(
                    ListeningSocket.own(name(one.settings), one.address())
                            .with(one.server.listeners().getFirst().datagrams()));
        }
        return sockets;
    }

    /// Accepts no more connections; another process does. Those that are open go on. The other one
    /// takes care of certificates, too.
    void leaveToOther() {
        own.close();
        open.forEach(one -> one.server.listeners().forEach(HttpServer.HttpListener::leave));
    }

    /// Drains and closes the open listeners that are not wanted, at once and each on a thread.
    void retainOnly(List<ListenerSettings> wanted, Duration deadline) {
        List<Open> gone = open.stream().filter(one -> !wanted.contains(one.settings)).toList();
        open.removeAll(gone);
        gone.forEach(one -> {
            LOG.log(System.Logger.Level.INFO, "closing {0}", one.line());
            one.server.listeners().forEach(HttpServer.HttpListener::leave);
            Thread.ofVirtual().start(() -> one.server.drain(deadline));
        });
    }

    /// Gives later connections other limits.
    void limits(HttpLimits limits) {
        open.forEach(one -> one.server.limits(limits));
    }

    /// Accepts no more, lets requests end, closes. Waits.
    ///
    /// @param patient whether clients whose connections idle get time to say something more
    void drain(Duration deadline, boolean patient) {
        CountDownLatch done = new CountDownLatch(open.size());
        for (Open one : open) {
            Thread.ofPlatform()
                    .name("margay-drain")
                    .start(() -> {
                        try {
                            one.server.drain(deadline, patient);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Closes everything at once.
    void close() {
        own.close();
        open.forEach(one -> one.server.close());
        open.clear();
        transports.values().stream().map(Transports.Choice::transport).forEach(Transport::close);
        transports.clear();
    }

    /// The counters of all that are open; from any thread.
    List<ServerStats.Reading> readings() {
        return open.stream()
                .flatMap(one -> one.server.listeners().stream())
                .map(one -> one.stats().read())
                .toList();
    }

    /// What counts their requests; from any thread.
    List<Watched> watched() {
        List<Watched> all = new ArrayList<>();
        for (Open one : open) {
            ServerStats stats = one.server.listeners().getFirst().stats();
            all.add(
                    new Watched(
                            SightKey.listener(name(one)),
                            stats.recent(),
                            () ->
                                    new Watched.Numbers(
                                            stats.statuses(),
                                            stats.failed(),
                                            stats.bytesReceived(),
                                            stats.bytesSent(),
                                            stats.active())));
        }
        return all;
    }

    /// What is bound, in the order of the configuration.
    List<SocketAddress> addresses() {
        return open.stream().map(Open::address).toList();
    }

    /// The counters of each listener.
    List<ManagedServer.Listener> read() {
        List<ManagedServer.Listener> all = new ArrayList<>();
        Set<String> connectors = new HashSet<>();
        for (Open one : open) {
            InetSocketAddress at = one.address() instanceof InetSocketAddress inet ? inet : null;
            HttpServer.HttpListener listener = one.server.listeners().getFirst();
            boolean tls = listener.socket().tlsProvider() != null;
            all.add(
                    ManagedServerListenerBuilder.builder()
                            .name(name(one))
                            .connector(connector(one, connectors))
                            .address(
                                    at == null
                                            ? one.settings.endpoint().key()
                                            : at.getAddress().getHostAddress())
                            .port(at == null ? 0 : at.getPort())
                            .connectionsMax(one.settings.accepting().connectionsMax())
                            .reading(listener.stats().read())
                            .handshakes(tls ? listener.handshakes() : null)
                            .refusals(listener.socket().refusals())
                            .build());
        }
        return all;
    }

    /// What it is called where it is counted: `http:8080`.
    private static String name(Open one) {
        String key =
                one.address() instanceof InetSocketAddress inet
                        ? String.valueOf(inet.getPort())
                        : one.settings.endpoint().key();
        return one.settings.scheme() + ":" + key;
    }

    /// How Tomcat would call it, `http-nio-8080`; with the address only where several listen at the
    /// port, for what reads such names expects none.
    private static String connector(Open one, Set<String> taken) {
        String tls = one.server.listeners().getFirst().socket().tlsProvider();
        String kind = tls == null ? "" : tls.startsWith("OpenSSL") ? "-openssl" : "-jsse";
        String name = one.settings.scheme() + kind + "-nio-";
        if (!(one.address() instanceof InetSocketAddress at)) {
            return name + one.settings.endpoint().key();
        }
        String plain = name + at.getPort();
        if (taken.add(plain)) {
            return plain;
        }
        return name + at.getAddress().getHostAddress() + "-" + at.getPort();
    }

    /// The start-up lines; those that are to be pasted elsewhere are indented.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Open one : open) {
            lines.add(one.line());
            AjpSettings ajp = one.settings.ajp();
            if (ajp != null && one.address() instanceof InetSocketAddress at) {
                lines.addAll(AjpLines.of(at, ajp));
            }
        }
        return lines;
    }
}
