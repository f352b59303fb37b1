package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.sample.FixedServlet;
import io.margay.app.site.Front;
import io.margay.app.site.Site;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.peer.PeerPools;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyTarget;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.server.HttpServer;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.Handler;
import io.margay.server.files.StaticFiles;
import io.margay.server.files.StaticFilesConfig;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.memory.MemoryPeer;
import io.margay.transport.memory.MemoryTransport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Guards how many bytes a request allocates, all in all, from its first byte to the last of its
/// answer. In memory and on one thread, so that nothing else is counted;
/// `docs/measurements/requests.md` has the same figures.
///
/// What a bound allows above what was measured is one iterator, which the compiler removes in one
/// run and not in another.
@Timeout(120)
final class AllocationByStageTest {
    private static final int REQUESTS = 1_000;

    /// How long compilers may take to settle, which wait for their turn on a busy machine.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int MARGIN = 32;
    private static final int EVERY_STAGE = 11_264;
    private static final byte[] OK = {'o', 'k'};

    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 99);

    private static final byte[] REQUEST =
            ascii(
                    "GET /heartbeat HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n"
                            + "Connection: Keep-Alive\r\n\r\n");

    private static final byte[] HTTP_ANSWER =
            ascii("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok");

    private static final byte[] AJP_ANSWER =
            ascii(
                    "AB\0\u0010\4\0\u00c8\0\2OK\0\0\1\u00a0\3\0\0012\0"
                            + "AB\0\6\3\0\2ok\0AB\0\2\5\1");

    @TempDir Path folder;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ArrayDeque<Runnable> dispatched = new ArrayDeque<>();
    private final MemoryTransport transport = MemoryTransport.pumped(System::nanoTime);
    private @Nullable MemoryPeer backEnd;
    private @Nullable MemoryPeer otherEnd;
    private byte[] request = REQUEST;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Keeps tasks for this test's thread.
    private final class Kept implements Dispatcher {
        @Override
        public boolean submit(Runnable task) {
            return dispatched.add(task);
        }

        @Override
        public int active() {
            return 0;
        }

        @Override
        public int queued() {
            return dispatched.size();
        }

        @Override
        public void close() {}
    }

    /// The bytes that the server allocates for one request; the least of many tries, since
    /// compilers and caches settle late.
    private double perRequest(Listener listener, byte @Nullable [] answer, int bound)
            throws IOException {
        MemoryPeer client = transport.connect(listener);
        transport.run();
        double least = Double.MAX_VALUE;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (least > bound && System.nanoTime() < end) {
            long bytes = 0;
            for (int k = 0; k < REQUESTS; k++) {
                bytes += one(client, answer);
            }
            least = Math.min(least, bytes / (double) REQUESTS);
        }
        return least;
    }

    private long one(MemoryPeer client, byte @Nullable [] answer) throws IOException {
        client.send(request);
        long bytes = work();
        if (answer != null) {
            MemoryPeer peer = backEnd;
            assertNotNull(peer, "the gateway has not connected");
            assertTrue(peer.received(Integer.MAX_VALUE).length > 0, "it has asked nothing");
            peer.send(answer);
            bytes += work();
            MemoryPeer other = otherEnd;
            if (other != null && other.received(Integer.MAX_VALUE).length > 0) {
                other.send(answer);
                bytes += work();
            }
        }
        byte[] received = client.received(Integer.MAX_VALUE);
        assertTrue(received.length > 2, "no answer");
        assertEquals('k', received[received.length - 1]);
        return bytes;
    }

    /// Lets the server do what is to be done.
    ///
    /// @return bytes allocated for it
    private long work() throws IOException {
        long before = threads.getCurrentThreadAllocatedBytes();
        transport.run();
        for (Runnable next = dispatched.poll(); next != null; next = dispatched.poll()) {
            next.run();
            transport.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private void assertAllocates(int measured, Handler handler, byte @Nullable [] answer)
            throws IOException {
        try (HttpServer server = new HttpServer(handler, new Kept())) {
            Listener listener = server.listen(transport, ListenerConfig.of(ADDRESS)).socket();
            check(measured, perRequest(listener, answer, measured + MARGIN));
        } finally {
            transport.close();
        }
    }

    private static void check(int measured, double bytes) {
        assertTrue(bytes <= measured + MARGIN, () -> bytes + " bytes a request, not " + measured);
        assertTrue(measured == 0 || bytes > 500, () -> "measured nothing: " + bytes);
    }

    @Test
    void connectionAlone_allocatesNothing() throws IOException {
        try (Listener listener =
                transport.listen(ListenerConfig.of(ADDRESS), AllocationByStageTest::echo)) {
            check(0, perRequest(listener, null, MARGIN));
        } finally {
            transport.close();
        }
    }

    /// Reads what there is, and answers with the same.
    private static ConnectionHandler echo(Connection connection) {
        connection.interest(Connection.READ);
        byte[] buffer = new byte[1024];
        return new ConnectionHandler() {
            @Override
            public void onReadable() {
                try {
                    int n = connection.read(buffer, 0, buffer.length);
                    if (n > 0) {
                        connection.write(OK, 0, OK.length);
                        connection.write(OK, 0, OK.length);
                    }
                } catch (IOException e) {
                    connection.close();
                }
            }

            @Override
            public void onWritable() {}

            @Override
            public void onDeadline() {}

            @Override
            public void onClosed() {}
        };
    }

    @Test
    void handlerOnTheLoop_allocatesHeadExchangeAndFraming() throws IOException {
        assertAllocates(744, exchange -> exchange.end(OK, 0, OK.length), null);
    }

    @Test
    void dispatchedHandler_allocatesItsTaskBesides() throws IOException {
        assertAllocates(
                760,
                exchange ->
                        exchange.dispatch(() -> {
                            try {
                                exchange.end(OK, 0, OK.length);
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        }),
                null);
    }

    @Test
    void servlet_allocatesRequestAndResponseBesides() throws IOException {
        Wars fixed = Wars.with("index.html", "x").servlet(FixedServlet.class, "/heartbeat");
        assertAllocates(1448, new Front(site(fixed.war(folder.resolve("fixed.war")))), null);
    }

    /// The newest of two gets requests without a session; a canary has its clients chosen.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1416 | {app: fixed.war}
                    1488 | {app: fixed.war, new-version: {steps: 5%, header: X-Canary}}
                    """)
    void servletOfANewVersion_allocatesForTheChoice(int measured, String route) throws IOException {
        Path war = folder.resolve("fixed.war");
        Path _ = Wars.with("index.html", "x").servlet(FixedServlet.class, "/heartbeat").war(war);
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 0}]
                        hosts: [{routes: {/##1: {app: fixed.war}, /##2: %s}}]
                        work: work
                        """
                                .formatted(route));
        request = ascii("GET /heartbeat HTTP/1.1\r\nHost: a\r\nX-Canary: never\r\n\r\n");
        assertAllocates(
                measured, new Front(TestSite.of(ConfigFile.read(file, Map.of()).get())), null);
    }

    @Test
    void fileOfAnApplication_fromMemory_allocatesNoRequestAndResponse() throws IOException {
        Path war = Wars.with("heartbeat", "ok").war(folder.resolve("file.war"));
        assertAllocates(888, new Front(site(war)), null);
    }

    @Test
    void fileOfAHost_fromMemory_allocatesWhatIsSaidOfIt() throws IOException {
        Files.writeString(folder.resolve("heartbeat"), "ok");
        StaticFilesConfig config = StaticFilesConfig.of(folder, "");
        assertAllocates(832, new StaticFiles(config, new Random(1)), null);
    }

    /// The password is remembered after the first request; what waits is in `HostStagesTest`.
    @Test
    void fileOfAHostWithEveryStage_allocatesWhatTheStagesNeed() throws IOException {
        Site site = siteWithEveryStage();
        Front front = new Front(site);
        request =
                ascii(
                        "GET /heartbeat HTTP/1.1\r\nHost: shop.example\r\n"
                                + "Accept-Encoding: gzip\r\nX-Forwarded-For: 192.0.2.7\r\n"
                                + "Authorization: Basic YWRhOmxvdmVsYWNl\r\n"
                                + "Connection: Keep-Alive\r\n\r\n");
        try (HttpServer server =
                new HttpServer(front, new Kept(), HttpServerConfig.defaults(), front)) {
            Listener listener = server.listen(transport, ListenerConfig.of(ADDRESS)).socket();
            MemoryPeer first = transport.connect(listener);
            first.send(request);
            Eventually.holds("an answer", () -> answers(first));
            check(EVERY_STAGE, perRequest(listener, null, EVERY_STAGE + MARGIN));
        } finally {
            transport.close();
            site.retire(Site.NONE, Duration.ZERO);
        }
    }

    private boolean answers(MemoryPeer client) {
        try {
            long _ = work();
            return client.received(Integer.MAX_VALUE).length > 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Site siteWithEveryStage() throws IOException {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/heartbeat"), "ok");
        // {SHA}, so that nothing but the request is measured
        Files.writeString(
                folder.resolve("users"),
                "ada:{SHA}" + Base64.getEncoder().encodeToString(sha1("lovelace")) + "\n");
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 0}]
                hosts:
                  - name: shop.example
                    client-address: {field: X-Forwarded-For}
                    encoded-slashes: decode
                    variables: [{set: SECTION, value: shop}]
                    response-headers: [{set: X-Shop, value: "1"}]
                    request-sizes: [{content-max: 1MiB, fields-max: 60}]
                    bandwidth: [{rate: 500MiB, after: 2MiB}]
                    shield: {budget: {cost: 2s, window: 10s, by: address}}
                    rate-limits:
                      - {rate: 1000000/s, burst: 1000000}
                      - {concurrent: 100, by: all, queue: 2s}
                      - {rate: 1000000/s, burst: 1000000, by: user}
                    rules:
                      - {path: /old, target: /new, redirect: 301}
                    access: {login: {users: users, name: Staff}}
                    compression: {}
                    error-pages: [{status: 404, text: gone}]
                    access-log: {file: access.log}
                    routes: {/: {files: files}}
                work: work
                """);
        return TestSite.of(ConfigFile.read(file, Map.of()).get());
    }

    private static byte[] sha1(String text) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(ascii(text));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private Site site(Path war) throws IOException {
        return TestSite.of(Margay.builder().app("/", war).work(folder.resolve("work")).config());
    }

    @Test
    void gatewayOverHttp_allocatesTwoHeadsAndTheWayBetween() throws IOException {
        assertAllocates(1624, gateway(PeerScheme.HTTP), HTTP_ANSWER);
    }

    @Test
    void gatewayOverAjp_allocatesTwoHeadsAndTheWayBetween() throws IOException {
        assertAllocates(2160, gateway(PeerScheme.AJP), AJP_ANSWER);
    }

    /// Through a site: with nothing, beside routes of the same upstream that have everything (a);
    /// with signed bots (b), a cache that does not keep the answer (c), a canary (d), a mirror with
    /// its copy (e), a second attempt that is not due (f), and members that are judged (g).
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1688 | a
                    1824 | b
                    5528 | c
                    1736 | d
                    4360 | e
                    1896 | f
                    1688 | g
                    """)
    void gatewayRoute_allocatesForWhatItHas(int measured, String name) throws IOException {
        accept(99, made -> backEnd = made);
        accept(98, made -> otherEnd = made);
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 0}]
                        hosts:
                          - {name: a, routes: {/: {gateway: main}}}
                          - name: b
                            shield: {challenge: never, bots: [], signed-bots: [%1$s]}
                            routes: {/: {gateway: main}}
                          - {name: c, cache: {}, routes: {/: {gateway: main}}}
                          - name: d
                            routes:
                              /:
                                gateway: main
                                canary: {to: other, header: X-Canary, steps: 5%%}
                          - {name: e, routes: {/: {gateway: main, mirror: {to: other}}}}
                          - {name: f, routes: {/: {gateway: main, hedge: 10s}}}
                          - {name: g, routes: {/: {gateway: judged}}}
                        upstreams:
                          main: {members: [{url: "http://127.0.0.1:99"}]}
                          other: {members: [{url: "http://127.0.0.1:98"}]}
                          judged: {outliers: {}, members: [{url: "http://127.0.0.1:99"}]}
                        work: work
                        """
                                .formatted("{name: helper, agent: \"https://bot.example\"}"));
        request = ascii("GET /heartbeat HTTP/1.1\r\nHost: " + name + "\r\nX-Canary: never\r\n\r\n");
        Site site = TestSite.of(ConfigFile.read(file, Map.of()).get());
        try {
            assertAllocates(measured, new Front(site), HTTP_ANSWER);
        } finally {
            site.retire(Site.NONE, Duration.ZERO);
        }
    }

    private void accept(int port, Consumer<MemoryPeer> made) {
        transport.accept(
                new InetSocketAddress(ADDRESS.getAddress(), port),
                MemoryTransport.Script.defaults(),
                made);
    }

    private Handler gateway(PeerScheme scheme) {
        PeerConfig peer =
                PeerConfig.of("peer", PeerAddress.of(scheme, "127.0.0.1", ADDRESS.getPort()));
        Upstream upstream = new Upstream(UpstreamConfig.of("backend", List.of(peer)));
        accept(ADDRESS.getPort(), made -> backEnd = made);
        ProxyTarget target = new ProxyTarget(upstream, "/heartbeat", ProxyRules.defaults());
        return new ReverseProxy(
                exchange -> target, new PeerPools(PeerLimits.defaults()), "margay", Networks.NONE);
    }
}
