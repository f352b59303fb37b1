package io.margay.app.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.TestSite;
import io.margay.app.Wars;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.RunningApp;
import io.margay.app.sample.FixedServlet;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.limit.RequestLimit;
import io.margay.server.HttpServer;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.host.Stage;
import io.margay.server.timing.RequestPhase;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A host with every stage there is: each request comes to each of them once and in their order,
/// whichever waits, whatever a login does, and also when the configuration is replaced meanwhile.
@Timeout(120)
final class HostStagesTest {
    private static final String VALVE =
            "<Valve className=\"org.apache.catalina.valves.rewrite.RewriteValve\" />";

    @TempDir Path folder;

    private final WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
    private final List<HostStage> entered = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private Site site;
    private Front front;

    @BeforeEach
    void build() throws IOException {
        Path base = Files.createDirectories(folder.resolve("base/conf/Catalina/localhost"));
        Files.writeString(
                folder.resolve("base/conf/server.xml"),
                "<Server><Service name=\"Catalina\"><Engine name=\"Catalina\""
                        + " defaultHost=\"localhost\"><Host name=\"localhost\">"
                        + VALVE
                        + "</Host></Engine></Service></Server>");
        Files.writeString(
                base.resolve("rewrite.config"),
                """
                RewriteRule ^/away/(.*)$ /shop/open/$1 [L]
                RewriteCond %{REQUEST_PATH} ^/other/.*$
                RewriteRule ^shop\\.example$ other.example [H]
                """);
        Wars.with("index.html", "x")
                .and("META-INF/context.xml", "<Context>" + VALVE + "</Context>")
                .and(
                        "WEB-INF/rewrite.config",
                        "RewriteRule ^/open/closed$ /closed/page [L]\n"
                                + "RewriteRule ^/from$ /page [L]\n")
                .servlet(FixedServlet.class, "/*")
                .folder(folder.resolve("shop"));
        Files.writeString(folder.resolve("users"), "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        site = TestSite.of(read("first"));
        front = new Front(site);
        watch(site, "first");
    }

    @AfterEach
    void end() {
        front.site().retire(Site.NONE, Duration.ZERO);
        pool.close();
        assertEquals(List.of(), failures);
    }

    private MargayConfig read(String name) throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 0}]
                hosts:
                  - name: shop.example
                    catalina: {base: base}
                    server-timing: true
                    client-address: {field: X-Forwarded-For}
                    encoded-slashes: decode
                    variables: [{set: SECTION, value: shop}]
                    response-headers: [{set: X-Shop, value: "%s"}]
                    request-sizes: [{content-max: 1MiB}]
                    bandwidth: [{rate: 500MiB}]
                    shield: {budget: {cost: 1h, window: 1h, by: address}}
                    rate-limits:
                      - {concurrent: 100, by: all, queue: 20s}
                      - {concurrent: 100, by: user, queue: 20s}
                    rules: [{path: /old, target: /new, redirect: 301}]
                    access:
                      login: {users: users, name: Staff}
                      sections:
                        - {path: /shop/open, require: [{everybody: true}]}
                        - {path: /shop/closed, require: [{user: [nobody]}]}
                    compression: {}
                    substitute: [{in: [text/x-other]}]
                    cache: {}
                    error-pages: [{status: 404, text: gone}]
                    access-log: {file: access.log, format: "%%{SESSION_ID}x %%s"}
                    routes: {/shop: {app: shop}}
                  - {name: bare, routes: {/: {files: shop}}}
                  - name: other.example
                    response-headers: [{set: X-Shop, value: other}]
                    rate-limits: [{concurrent: 100, by: all}]
                    access: {login: {users: users, name: Others}}
                    routes: {/other: {files: shop}}
                work: work
                """
                        .formatted(name));
        return placed(ConfigFile.read(file, Map.of()).get());
    }

    /// With a limit on what rules say, as files of nginx have it.
    private static MargayConfig placed(MargayConfig config) {
        List<HostSettings> hosts = new ArrayList<>(config.hosts());
        List<RequestLimit> limits = new ArrayList<>(hosts.getFirst().limits());
        LimitKey.Zone zone = new LimitKey.Zone("zone", "%{REMOTE_ADDR}", 503);
        limits.add(new RequestLimit("placed", List.of(), zone, null, 100, Duration.ZERO, false));
        hosts.set(0, hosts.getFirst().withLimits(limits));
        return config.withHosts(hosts);
    }

    /// Has each stage of a host told of.
    private void watch(Site of, String name) {
        ServedHost host = of.host("shop.example");
        for (int i = 0; i < host.stages().length; i++) {
            host.stages()[i] = watched(host.kinds()[i], host.stages()[i], name);
        }
    }

    private Stage watched(HostStage kind, Stage stage, String name) {
        return (exchange, passage) -> {
            assertEquals("first", name, "a request goes through the stages that it has begun with");
            entered.add(kind);
            return stage.enter(exchange, passage);
        };
    }

    private void replace(HostStage kind, UnaryOperator<Stage> by) {
        ServedHost host = site.host("shop.example");
        int at = List.of(host.kinds()).indexOf(kind);
        host.stages()[at] = by.apply(host.stages()[at]);
    }

    @FunctionalInterface
    private interface Use {
        void of(SocketAddress address) throws Exception;
    }

    private void serve(String transport, Use use) throws Exception {
        try (Transport open = Transports.open(transport, TransportConfig.defaults());
                HttpServer server =
                        new HttpServer(front, pool, HttpServerConfig.defaults(), front)) {
            ListenerConfig any =
                    ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            use.of(server.listen(open, any).socket().address());
        }
    }

    private static String request(String path) {
        return "GET "
                + path
                + " HTTP/1.1\r\nHost: shop.example\r\nAccept-Encoding: gzip\r\n"
                + "Authorization: Basic YWRhOnNlY3JldA==\r\n\r\n";
    }

    private static RawHttpClient.Response get(SocketAddress address, String path)
            throws IOException {
        try (RawHttpClient client = RawHttpClient.connect((InetSocketAddress) address)) {
            client.send(request(path));
            return client.response();
        }
    }

    @Test
    void host_hasEveryStage() {
        assertEquals(List.of(HostStage.values()), List.of(site.host("shop.example").kinds()));
        assertEquals(0, site.host("bare").stages().length, "a bare host has none");
    }

    @Test
    void stages_standInTheArchitectureInTheirOrder() throws IOException {
        String text =
                Files.readString(
                        Path.of(System.getProperty("margay.root", ".."))
                                .resolve("ARCHITECTURE.md"));
        int from = text.indexOf("## The stages of a host\n");
        String drawing = text.substring(from, text.indexOf("\n## ", from + 4));
        List<String> drawn =
                Pattern.compile("(?m)^([A-Z_]{2,}) ")
                        .matcher(drawing)
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        assertEquals(Stream.of(HostStage.values()).map(HostStage::name).toList(), drawn);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void request_entersEachStageOnce_whetherItsLoginWaitsOrIsRemembered(String transport)
            throws Exception {
        serve(
                transport,
                address -> {
                    for (int i = 0; i < 3; i++) {
                        entered.clear();
                        RawHttpClient.Response response = get(address, "/shop/page");
                        assertEquals(200, response.status());
                        assertEquals("first", response.field("X-Shop"));
                        assertEquals(List.of(HostStage.values()), List.copyOf(entered));
                    }
                    assertEquals(0, site.passages().running());
                });
    }

    @Test
    void requestThatIsRewrittenToAnotherHost_passesTheStagesOfThat() throws Exception {
        serve(
                "nio",
                address -> {
                    RawHttpClient.Response response = get(address, "/other/index.html");
                    assertEquals(200, response.status(), () -> response + " " + entered);
                    assertEquals("other", response.field("X-Shop"));
                    assertEquals(HostStage.REWRITING, entered.getLast());
                    try (RawHttpClient client =
                            RawHttpClient.connect((InetSocketAddress) address)) {
                        client.send("GET /other/index.html HTTP/1.1\r\nHost: shop.example\r\n\r\n");
                        RawHttpClient.Response refused = client.response();
                        assertEquals(401, refused.status());
                        assertEquals("Basic realm=\"Others\"", refused.field("WWW-Authenticate"));
                    }
                });
    }

    @Test
    void requestThatWaitsLongerThanTheDrainTime_isRefused() throws Exception {
        replace(
                HostStage.LIMITS,
                stage ->
                        waiting(
                                stage,
                                () -> {
                                    try {
                                        Site next = TestSite.of(read("second"), site);
                                        front.replace(next);
                                        site.retire(next, Duration.ofMillis(1));
                                    } catch (IOException e) {
                                        throw new AssertionError(e);
                                    }
                                }));
        RunningApp app = site.apps().getFirst();
        serve("nio", address -> assertEquals(503, get(address, "/shop/page").status()));
        assertEquals(0, app.requests().begun());
    }

    @Test
    void requestThatAStageHolds_knowsForHowLong() throws Exception {
        AtomicLong seen = new AtomicLong();
        AtomicLong held = new AtomicLong(-1);
        CountDownLatch returned = new CountDownLatch(1);
        Runnable meanwhile =
                () -> {
                    try {
                        assertTrue(returned.await(30, TimeUnit.SECONDS));
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    long begun = System.nanoTime();
                    while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(100)) {
                        Thread.onSpinWait();
                    }
                    seen.set(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun));
                };
        replace(
                HostStage.LIMITS,
                stage -> {
                    Stage waiting = waiting(stage, meanwhile);
                    return (exchange, passage) -> {
                        exchange.onEnd(() -> held.set(exchange.micros(RequestPhase.HELD)));
                        Stage.Outcome outcome = waiting.enter(exchange, passage);
                        returned.countDown();
                        return outcome;
                    };
                });
        serve("nio", address -> assertEquals(200, get(address, "/shop/page").status()));
        Eventually.holds("ended", () -> held.get() >= 0);
        // The thread may have begun a moment before the wait was noted.
        assertTrue(held.get() >= seen.get() / 2, held + " of " + seen);
    }

    /// A rule leads to one of two files by chance, of which one is open and the other needs a
    /// login. Whoever got to the one that needs it stays there, also after the login has waited:
    /// half of all, and not a quarter.
    @Test
    void rules_areAskedOnce_alsoWhereALoginWaits() throws Exception {
        Files.createDirectories(folder.resolve("picked"));
        Files.writeString(folder.resolve("picked/open"), "open");
        Files.writeString(folder.resolve("picked/closed"), "closed");
        Files.writeString(folder.resolve("pick"), "any open|closed\n");
        Path file = folder.resolve("picking.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 0}]
                hosts:
                  - maps: {pick: {file: pick, random: true}}
                    rules: [{path: /pick, rewrite: "/picked/$${pick:any}"}]
                    access:
                      login: {users: users, name: Staff}
                      sections: [{path: /picked/open, require: [{everybody: true}]}]
                    routes: {/picked: {files: picked}}
                limits: {login: {remembered-for: 1ms}}
                work: work
                """);
        Site picking = TestSite.of(ConfigFile.read(file, Map.of()).get());
        front.replace(picking);
        int closed = 0;
        try (Transport open = Transports.open("nio", TransportConfig.defaults());
                HttpServer server =
                        new HttpServer(front, pool, HttpServerConfig.defaults(), front)) {
            ListenerConfig any =
                    ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var address = (InetSocketAddress) server.listen(open, any).socket().address();
            try (RawHttpClient client = RawHttpClient.connect(address)) {
                for (int i = 0; i < 400; i++) {
                    client.send(request("/pick"));
                    RawHttpClient.Response response = client.response();
                    assertEquals(200, response.status());
                    closed += response.text().equals("closed") ? 1 : 0;
                }
            }
        } finally {
            site.retire(picking, Duration.ZERO);
        }
        int times = closed;
        assertTrue(times > 150 && times < 250, () -> times + " of 400");
    }

    @Test
    void requestThatIsRefused_entersNoFurtherStage() throws Exception {
        serve(
                "nio",
                address -> {
                    try (RawHttpClient client =
                            RawHttpClient.connect((InetSocketAddress) address)) {
                        client.send(
                                "POST /shop/page HTTP/1.1\r\nHost: shop.example\r\n"
                                        + "Content-Length: 2000000\r\n\r\n");
                        assertEquals(413, client.response().status());
                        assertEquals(HostStage.SIZES, entered.getLast());
                    }
                });
        assertEquals(0, site.apps().getFirst().requests().begun());
    }

    /// A stage that waits, and is resumed from another thread after something has been done.
    private Stage waiting(Stage stage, Runnable meanwhile) {
        return (exchange, passage) -> {
            int visit = passage.visit();
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            meanwhile.run();
                        } catch (Throwable e) {
                            failures.add(e);
                        }
                        exchange.execute(() -> passage.resume(visit, stage));
                    });
            return Stage.Outcome.WAITS;
        };
    }

    @ParameterizedTest
    @EnumSource(HostStage.class)
    void stageThatWaits_goesOnWhereItWas_inTheSiteInWhichItBegan(HostStage kind) throws Exception {
        AtomicReference<Thread> retiring = new AtomicReference<>();
        replace(kind, stage -> waiting(stage, () -> retiring.set(reload())));
        serve(
                "nio",
                address -> {
                    RawHttpClient.Response response = get(address, "/shop/page");
                    assertEquals(200, response.status());
                    assertEquals("first", response.field("X-Shop"));
                    assertEquals(List.of(HostStage.values()), List.copyOf(entered));
                });
        retiring.get().join();
        assertEquals(0, site.passages().running());
    }

    /// Puts another site in force.
    private Thread reload() {
        try {
            Site next = TestSite.of(read("second"), site);
            watch(next, "second");
            front.replace(next);
            return Thread.ofVirtual().start(() -> site.retire(next, Duration.ofSeconds(60)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(HostStage.class)
    void stageThatIsResumedAtOnce_goesOn(HostStage kind) throws Exception {
        replace(
                kind,
                stage ->
                        (_, passage) -> {
                            passage.resume(passage.visit(), stage);
                            return Stage.Outcome.WAITS;
                        });
        serve(
                "nio",
                address -> {
                    assertEquals(200, get(address, "/shop/page").status());
                    assertEquals(List.of(HostStage.values()), List.copyOf(entered));
                });
    }

    @Test
    void stageThatIsResumedTwice_skipsNothing() throws Exception {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        CountDownLatch limited = new CountDownLatch(1);
        replace(
                HostStage.LIMITS,
                stage ->
                        waiting(
                                stage,
                                () -> Eventually.holds("twice", () -> limited.getCount() == 0)));
        replace(
                HostStage.SHIELD,
                stage ->
                        (exchange, passage) -> {
                            int visit = passage.visit();
                            Thread.ofVirtual()
                                    .start(() -> {
                                        exchange.execute(() -> passage.resume(visit, stage));
                                        exchange.execute(() -> {
                                            thrown.add(
                                                    thrownBy(() -> passage.resume(visit, stage)));
                                            limited.countDown();
                                        });
                                    });
                            return Stage.Outcome.WAITS;
                        });
        serve(
                "nio",
                address -> {
                    assertEquals(200, get(address, "/shop/page").status());
                    assertEquals(List.of(HostStage.values()), List.copyOf(entered));
                });
        assertInstanceOf(IllegalStateException.class, thrown.getFirst());
    }

    private static Throwable thrownBy(Runnable task) {
        try {
            task.run();
            return new AssertionError("nothing was thrown");
        } catch (RuntimeException e) {
            return e;
        }
    }

    @Test
    void clientThatLeavesWhileItsRequestWaits_keepsTheSiteFromNothing() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        replace(
                HostStage.ACCESS,
                stage ->
                        (exchange, passage) -> {
                            int visit = passage.visit();
                            waits.countDown();
                            Thread.ofVirtual()
                                    .start(() -> {
                                        await(left);
                                        exchange.execute(() -> {
                                            passage.resume(visit, stage);
                                            resumed.countDown();
                                        });
                                    });
                            return Stage.Outcome.WAITS;
                        });
        serve(
                "nio",
                address -> {
                    try (Socket client = new Socket()) {
                        client.connect(address);
                        client.setSoLinger(true, 0);
                        client.getOutputStream().write(request("/shop/page").getBytes());
                        await(waits);
                        assertEquals(1, site.passages().running());
                    }
                    Eventually.holds("it is gone", () -> site.passages().running() == 0);
                    left.countDown();
                    await(resumed);
                    assertFalse(entered.contains(HostStage.ROUTES), () -> entered.toString());
                });
        assertEquals(0, site.apps().getFirst().requests().begun());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requestThatIsRewritten_isDecidedOnForItsNewTarget() throws Exception {
        serve(
                "nio",
                address -> {
                    assertEquals(200, get(address, "/away/page").status(), "by the host");
                    assertEquals(List.of(HostStage.values()), List.copyOf(entered));
                    entered.clear();
                    assertEquals(200, get(address, "/shop/from").status(), "by the application");
                    List<HostStage> all = new ArrayList<>(List.of(HostStage.values()));
                    all.addAll(
                            all.indexOf(HostStage.APP_REWRITING) + 1,
                            List.of(HostStage.ACCESS, HostStage.ROUTES));
                    assertEquals(all, List.copyOf(entered));
                    assertEquals(200, get(address, "/shop/open/page").status());
                    assertEquals(401, get(address, "/shop/open/closed").status());
                });
    }
}
