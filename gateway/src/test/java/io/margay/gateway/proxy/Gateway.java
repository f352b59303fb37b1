package io.margay.gateway.proxy;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.peer.PeerPools;
import io.margay.gateway.retry.Hedging;
import io.margay.server.HttpServer;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.TestCertificate;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A gateway on a free port of the loopback that passes every request to one upstream, for one
/// test.
final class Gateway implements AutoCloseable {
    /// Of gateways and back ends that speak TLS.
    static final TestCertificate CERTIFICATE = TestCertificate.temporary();

    /// As where a login sets such fields, and has removed those of the client.
    private static final Set<String> OF_LOGIN = Set.of("oidc-claim-*");

    final Upstream upstream;
    final PeerPools pools;
    final HttpServer server;
    private final Transport transport;
    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final HttpServer.HttpListener listener;
    private final boolean secure;

    /// The exchange that ended last; null = none has.
    volatile @Nullable Exchange ended;

    /// When a second peer is asked; null = never.
    volatile @Nullable Hedging hedging;

    Gateway(String transport, PeerConfig... peers) throws IOException {
        this(transport, ProxyRules.defaults(), Networks.NONE, peers);
    }

    Gateway(String transport, ProxyRules rules, Networks trusted, PeerConfig... peers)
            throws IOException {
        this(
                transport,
                rules,
                trusted,
                PeerLimits.defaults(),
                UpstreamConfig.of("backend", List.of(peers)));
    }

    Gateway(
            String transport,
            ProxyRules rules,
            Networks trusted,
            PeerLimits limits,
            UpstreamConfig config)
            throws IOException {
        this(transport, rules, trusted, limits, config, false);
    }

    /// @param secure whether clients speak TLS
    Gateway(
            String transport,
            ProxyRules rules,
            Networks trusted,
            PeerLimits limits,
            UpstreamConfig config,
            boolean secure)
            throws IOException {
        this(
                transport,
                rules,
                trusted,
                new PeerPools(limits),
                config,
                secure,
                MemoryBudget.UNBOUNDED);
    }

    /// A gateway that may hold so much, and the server in front of it.
    Gateway(String transport, MemoryBudget memory, PeerConfig... peers) throws IOException {
        this(
                transport,
                ProxyRules.defaults(),
                Networks.NONE,
                new PeerPools(PeerLimits.defaults(), memory, System::nanoTime),
                UpstreamConfig.of("backend", List.of(peers)),
                false,
                memory);
    }

    private Gateway(
            String transport,
            ProxyRules rules,
            Networks trusted,
            PeerPools pools,
            UpstreamConfig config,
            boolean secure,
            MemoryBudget memory)
            throws IOException {
        this.secure = secure;
        upstream = new Upstream(config);
        this.pools = pools;
        Router router =
                exchange -> {
                    exchange.notes().reserve(OF_LOGIN);
                    Hedging how = hedging;
                    ProxyTarget target =
                            new ProxyTarget(upstream, exchange.request().target().raw(), rules);
                    return how == null ? target : target.withHedging(how);
                };
        this.transport = Transports.open(transport, TransportConfig.defaults().withLoops(2));
        server =
                new HttpServer(
                        new ReverseProxy(router, pools, "margay", trusted),
                        workers,
                        HttpServerConfig.defaults().withMemory(memory),
                        exchange -> ended = exchange);
        ListenerConfig socket =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener = server.listen(this.transport, secure ? socket.withTls(tls()) : socket);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.socket().address();
    }

    RawHttpClient client() throws IOException {
        return RawHttpClient.connect(address());
    }

    /// A client that speaks HTTP/2.
    Http2Wire http2() throws IOException {
        return Http2Wire.connect(address(), secure ? CERTIFICATE.client() : null);
    }

    /// TLS of a listener that offers HTTP/2.
    static TlsConfig tls() {
        return TlsConfig.of(CERTIFICATE.cert(), CERTIFICATE.key())
                .withApplicationProtocols(List.of("h2", "http/1.1"));
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        workers.close();
    }
}
