package io.margay.gateway.status;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.health.CheckResult;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Handler;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A status page on a free port of the loopback, over two upstreams that are asked nothing: the
/// balancer `lb` of `tc1` (route r1) and `tc2`, and the single worker `solo`.
final class StatusServer implements AutoCloseable {
    static final String TOKEN = "a long token";

    final Upstream lb =
            new Upstream(
                    UpstreamConfig.of(
                            "lb",
                            List.of(
                                    peer("tc1", 8109)
                                            .withShare(
                                                    peer("tc1", 8109)
                                                            .share()
                                                            .withRoutes("r1", "", "")),
                                    peer("tc2", 8110))));
    final Upstream solo = new Upstream(UpstreamConfig.of("solo", List.of(peer("solo", 8111))));
    final AtomicInteger changes = new AtomicInteger();
    final StatusSource source =
            new StatusSource(
                    List.of(lb, solo),
                    peer -> 0,
                    peer -> new CheckResult(0, 0, null),
                    name ->
                            List.of(
                                    new StatusSource.UriMap(
                                            "shop.example",
                                            "/" + name + "/*",
                                            List.of(0L, 3L, 0L, 0L, 1L))),
                    InstantSource.system(),
                    "Margay/0",
                    _ -> changes.incrementAndGet());

    private final Transport transport;
    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final HttpServer server;
    private final HttpServer.HttpListener listener;

    StatusServer(Function<StatusSource, Handler> page) throws IOException {
        transport = Transports.open("nio", TransportConfig.defaults().withLoops(1));
        server = new HttpServer(page.apply(source), workers);
        listener =
                server.listen(
                        transport,
                        ListenerConfig.of(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    static PeerConfig peer(String name, int port) {
        return PeerConfig.of(name, PeerAddress.of(PeerScheme.AJP, "127.0.0.1", port));
    }

    RawHttpClient.Response get(String target, String... fields) throws IOException {
        return send("GET", target, "", fields);
    }

    RawHttpClient.Response post(String target, String form, String... fields) throws IOException {
        return send("POST", target, form, fields);
    }

    private RawHttpClient.Response send(String method, String target, String form, String... fields)
            throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.socket().address();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
            head.append("Host: shop.example:8080\r\nContent-Length: ").append(form.length());
            for (String field : fields) {
                head.append("\r\n").append(field);
            }
            client.send(head + "\r\n\r\n" + form);
            return client.response();
        }
    }

    /// The field that gives the token.
    static String token() {
        return "Authorization: Bearer " + TOKEN;
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        workers.close();
    }
}
