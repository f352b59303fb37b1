package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.LimitSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.WorkerSettings;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.ParamServlet;
import io.margay.app.sample.SlowServlet;
import io.margay.protocol.http1.Http1Limits;
import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.servlet.settings.ServletLimits;
import io.margay.testkit.FreePort;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The embedding interface, in this process.
@Tag("slow")
final class MargayTest {
    @TempDir Path folder;

    private Margay.Builder builder() {
        return Margay.builder().http(0).work(folder.resolve("work")).drain(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @EnumSource(TransportChoice.class)
    void server_onEveryTransport_servesApplicationsAndFiles(TransportChoice transport)
            throws Exception {
        Path war =
                Wars.with("index.html", "start page")
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("shop.war"));
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        try (MargayServer server =
                builder()
                        .transport(transport)
                        .app("/", war)
                        .app("/again", war)
                        .files("/files", files)
                        .start()) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("start page", http.get("/"));
            assertEquals("count 1", http.get("/count"));
            assertEquals("count 1", http.get("/again/count"));
            assertEquals("a file", http.get("/files/a.txt"));
            assertEquals(404, http.status("/files/none.txt"));
            assertEquals(404, http.status("/WEB-INF/web.xml"));
        }
    }

    @ParameterizedTest
    @EnumSource(TransportChoice.class)
    void stop_onEveryTransport_finishesRunningRequests(TransportChoice transport) throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(SlowServlet.class, "/slow")
                        .war(folder.resolve("slow.war"));
        MargayServer server = builder().transport(transport).app("/", war).start();
        int port = server.ports().getFirst();
        Path until = folder.resolve("go");
        CompletableFuture<HttpResponse<String>> request =
                new Http(port).later("/slow?until=" + until);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!Files.exists(folder.resolve("go.begun")) && System.nanoTime() < end) {
            MargayProcess.pause();
        }
        Thread stopping = Thread.ofVirtual().start(server::close);
        assertTrue(!server.awaitStop(Duration.ofMillis(100)), "waits for the request");
        Files.writeString(until, "");
        assertEquals("slow but sure", request.get(20, TimeUnit.SECONDS).body());
        assertTrue(server.awaitStop(Duration.ofSeconds(20)));
        stopping.join();
        assertThrows(ConnectException.class, () -> new Http(port).get("/"));
    }

    private static String https(int port, Pem pem) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(pem.trusting()).build()) {
            return client.send(
                            HttpRequest.newBuilder(
                                            URI.create("https://localhost:" + port + "/a.txt"))
                                    .timeout(Duration.ofSeconds(30))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    @ParameterizedTest
    @EnumSource(TransportChoice.class)
    void https_onEveryTransport_serves(TransportChoice transport) throws Exception {
        Pem pem = Pem.make(folder, "one");
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        try (MargayServer server =
                builder()
                        .https(0, pem.cert(), pem.key())
                        .transport(transport)
                        .files("/", files)
                        .start()) {
            assertEquals("a file", new Http(server.ports().get(0)).get("/a.txt"));
            assertEquals("a file", https(server.ports().get(1), pem));
        }
    }

    @Test
    void reload_withOtherCertificate_servesIt() throws Exception {
        Pem one = Pem.make(folder, "one");
        Pem two = Pem.make(folder, "two");
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        int port = FreePort.next();
        try (MargayServer server =
                builder().https(port, one.cert(), one.key()).files("/", files).start()) {
            assertEquals("a file", https(port, one));
            server.reload(builder().https(port, two.cert(), two.key()).files("/", files).config());
            assertEquals("a file", https(port, two));
            assertThrows(SSLHandshakeException.class, () -> https(port, one));
        }
    }

    @Test
    void reload_withOtherLimits_holdsForNewConnections() throws Exception {
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        String path = "/a.txt?" + "x".repeat(500);
        try (MargayServer server = builder().files("/", files).start()) {
            int port = server.ports().getFirst();
            assertEquals(200, new Http(port).status(path));
            HttpLimits http = HttpLimits.defaults();
            Http1Limits small = new Http1Limits(100, 8192, 100, 0, 1024, 8192, 100, -1);
            LimitSettings limits =
                    new LimitSettings(http.withHttp1(small), ServletLimits.defaults());
            server.reload(builder().files("/", files).limits(limits).config());
            assertEquals(414, new Http(port).status(path));
            assertEquals(List.of(port), server.ports());
        }
    }

    @Test
    void stop_atDeadline_cutsRequests() throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(SlowServlet.class, "/slow")
                        .war(folder.resolve("slow.war"));
        MargayServer server = builder().app("/", war).start();
        Path until = folder.resolve("go");
        CompletableFuture<HttpResponse<String>> request =
                new Http(server.ports().getFirst()).later("/slow?until=" + until);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!Files.exists(folder.resolve("go.begun")) && System.nanoTime() < end) {
            MargayProcess.pause();
        }
        server.stop(Duration.ofMillis(200));
        assertThrows(Exception.class, () -> request.get(20, TimeUnit.SECONDS));
        Files.writeString(until, "");
    }

    @Test
    void context_withParameters_overridesWebXml() throws Exception {
        Path app =
                Wars.with("index.html", "x")
                        .servlet(ParamServlet.class, "/param")
                        .folder(folder.resolve("app"));
        try (MargayServer server =
                builder().app("/a", app).app("/b", app, Map.of("mode", "fast")).start()) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("mode null", http.get("/a/param"));
            assertEquals("mode fast", http.get("/b/param"));
        }
    }

    @Test
    void dispatch_virtual_serves() throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("count.war"));
        WorkerSettings virtual =
                new WorkerSettings(WorkerSettings.Dispatch.VIRTUAL, WorkerLimits.defaults());
        try (MargayServer server = builder().workers(virtual).app("/", war).start()) {
            assertEquals("count 1", new Http(server.ports().getFirst()).get("/count"));
        }
    }

    @Test
    void accessLog_hasALinePerRequest() throws Exception {
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        Path log = folder.resolve("logs/access.log");
        try (MargayServer server =
                builder().files("/", files).accessLog(log, "%m %U %>s").start()) {
            Http http = new Http(server.ports().getFirst());
            http.get("/a.txt");
            http.get("/none.txt");
        }
        assertEquals(List.of("GET /a.txt 200", "GET /none.txt 404"), Files.readAllLines(log));
    }

    @Test
    void application_thatCannotBeDeployed_failsTheStartAndLeavesNothing() throws Exception {
        Path bad = Wars.with("WEB-INF/web.xml", "<web-app><").folder(folder.resolve("bad"));
        Margay.Builder builder = builder().app("/", bad);
        StartException e = assertThrows(StartException.class, builder::start);
        assertTrue(String.valueOf(e.getMessage()).contains("web.xml"), e.getMessage());
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        try (MargayServer server = builder().files("/", files).start()) {
            assertEquals("a file", new Http(server.ports().getFirst()).get("/a.txt"));
        }
    }

    @Test
    void workFolder_ofAnotherServer_isRefused() throws Exception {
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        try (MargayServer server = builder().files("/", files).start()) {
            StartException e =
                    assertThrows(StartException.class, () -> builder().files("/", files).start());
            assertTrue(
                    String.valueOf(e.getMessage()).contains("in use by another"), e.getMessage());
            assertTrue(server.failures().isEmpty());
        }
    }

    @Test
    void reload_keepsWhatIsUnchanged() throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("count.war"));
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        MargayConfig first = builder().app("/", war).config();
        try (MargayServer server = MargayServer.start(first, DeployProgress.NONE)) {
            Http http = new Http(server.ports().getFirst());
            HttpResponse<String> one = http.response("/count");
            String cookie = one.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            List<Integer> ports = server.ports();
            server.reload(builder().app("/", war).files("/files", files).config());
            assertEquals(ports, server.ports());
            assertEquals("count 2", http.withCookie("/count", cookie).body());
            assertEquals("a file", http.get("/files/a.txt"));
            server.reload(builder().files("/files", files).config());
            assertEquals(404, http.status("/count"));
        }
    }

    @Test
    void reload_thatFails_changesNothing() throws Exception {
        Path files = Wars.with("a.txt", "a file").folder(folder.resolve("files"));
        try (MargayServer server = builder().files("/files", files).start();
                MargayServer other =
                        Margay.builder()
                                .http(0)
                                .work(folder.resolve("work2"))
                                .files("/", files)
                                .start()) {
            int port = server.ports().getFirst();
            int taken = other.ports().getFirst();
            MargayConfig clash =
                    Margay.builder().http(0).http(taken).files("/other", files).config();
            StartException e = assertThrows(StartException.class, () -> server.reload(clash));
            assertTrue(String.valueOf(e.getMessage()).contains("in use"), e.getMessage());
            assertEquals(List.of(port), server.ports());
            assertEquals("a file", new Http(port).get("/files/a.txt"));
            assertEquals(404, new Http(port).status("/other/a.txt"));
        }
    }
}
