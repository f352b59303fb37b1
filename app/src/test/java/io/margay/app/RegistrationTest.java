package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.yaml.Problem;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.RedisProcess;
import io.margay.testkit.TestAuthority;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A gateway whose members register themselves.
@Tag("slow")
final class RegistrationTest {
    private static final String ADMIN = "an-admin-token-for-this-test";
    private static final String TOKEN = "a-token-of-registrars";

    @TempDir Path folder;
    private MargayServer gateway;
    private Http front;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("token"), TOKEN + "\n");
        gateway = server(gatewayFile(""));
        front = new Http(gateway.ports().getFirst());
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static MargayServer server(Path file) {
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    /// @param more keys of the upstream
    private Path gatewayFile(String more) throws IOException {
        return Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:0
                admin-token: %s
                hosts: [{routes: {/*: {gateway: shop}}}]
                upstreams:
                  shop:
                    members:
                      registered: {token-file: token, from: [127.0.0.0/8], wait: 0s}
                      hold: 10s
                    secret: s3cret
                    %s
                work: work
                """
                        .formatted(ADMIN, more));
    }

    /// A server that registers itself with the gateway.
    private Path memberFile(String name, String scheme, int port) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.createDirectories(home.resolve("site"));
        Files.writeString(home.resolve("site/index.html"), name);
        String secret = scheme.equals("ajp") ? ", secret: s3cret" : "";
        return Files.writeString(
                home.resolve("margay.yaml"),
                """
                listeners: [{%1$s: "127.0.0.1:%2$d"%3$s}]
                drain-delay: 500ms
                hosts: [{routes: {/*: {files: site}}}]
                work: work
                sessions: {route: %4$s}
                register:
                  upstream: shop
                  to: http://localhost:%5$d
                  url: "%1$s://127.0.0.1:%2$d"
                  token-file: ../token
                  lease: 1s
                """
                        .formatted(scheme, port, secret, name, gateway.adminPort()));
    }

    private HttpResponse<String> send(String method, String path, String token) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.adminPort() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .header("Authorization", "Bearer " + token)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String path(String name) {
        return "/api/upstreams/shop/registrations/" + name;
    }

    private String admin(String path) {
        try {
            return new Http(gateway.adminPort()).get(path);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private boolean hasMember(String name) {
        return admin("/api/upstreams").contains("\"name\":\"" + name + "\"");
    }

    /// What a server is refused for that registers at `to`.
    private List<String> problems(String to, String more) throws IOException {
        Path file = memberFile("far", "http", 1);
        String text = Files.readString(file).replaceFirst("to: .*", "to: " + to + "\n  " + more);
        Files.writeString(file, text);
        return ConfigFile.read(file, Map.of()).problems().stream().map(Problem::message).toList();
    }

    @Test
    void token_doesNotCrossANetworkInTheClear_unlessThatIsSaid() throws IOException {
        String refused =
                "the token would cross the network in the clear to http://10.0.0.2:9990: use https,"
                        + " or allow it with \"plain-text: true\"";
        assertEquals(List.of(refused), problems("http://10.0.0.2:9990", ""));
        assertEquals(List.of(refused), problems("[\"http://[::1]:1\", http://10.0.0.2:9990]", ""));
        assertEquals(List.of(), problems("http://10.0.0.2:9990", "plain-text: true"));
        assertEquals(List.of(), problems("https://10.0.0.2:9990", ""));
        assertEquals(List.of(), problems("[http://127.0.0.2:1, http://localhost:1]", ""));
    }

    @Test
    void server_registersAtAnAdminListenerWithTls() throws Exception {
        TestAuthority authority = TestAuthority.in(folder, "authority");
        TestAuthority.Issued issued = authority.issue("gateway", "localhost");
        Path file = gatewayFile("");
        Files.writeString(
                file,
                Files.readString(file)
                        + "admin-certificates: [{cert: %s, key: %s}]\n"
                                .formatted(issued.cert(), issued.key()));
        gateway.close();
        gateway = server(file);
        front = new Http(gateway.ports().getFirst());
        Path member = memberFile("one", "http", FreePort.next());
        String text =
                Files.readString(member)
                        .replace(
                                "to: http:", "trust: %s\n  to: https:".formatted(authority.cert()));
        try (MargayServer one = server(Files.writeString(member, text))) {
            Eventually.holds("one", () -> get().equals("one"));
            assertTrue(one.lines().getFirst().startsWith("http://"), () -> one.lines().toString());
        }
        assertTrue(gateway.lines().getLast().startsWith("https://"), gateway.lines()::toString);
    }

    @Test
    void servers_thatJoinDrainAndAreKilled_loseNoRequest() throws Exception {
        int oneAt = FreePort.next();
        MargayServer one = server(memberFile("one", "http", oneAt));
        try (one) {
            Eventually.holds("one", () -> get().equals("one"));
            Path two = memberFile("two", "http", FreePort.next()).getParent();
            try (MargayProcess killed = MargayProcess.start(two, "run", "margay.yaml")) {
                int _ = killed.awaitReady();
                Eventually.holds("two", () -> hasMember("two"));
                Eventually.holds("two answers", () -> get().equals("two"));
                killed.signal("KILL");
                while (hasMember("two")) {
                    assertEquals("one", get().replace("two", "one"));
                }
            }
            assertEquals("one", front.get("/"));
            try (MargayServer three = server(memberFile("three", "ajp", FreePort.next()))) {
                Eventually.holds("three answers", () -> get().equals("three"));
                CompletableFuture<Void> stop = CompletableFuture.runAsync(one::close);
                Eventually.holds(
                        "drains",
                        () -> admin("/api/upstreams").contains("\"activation\":\"disabled\""));
                int answered = 0;
                do {
                    assertEquals("three", get());
                    answered++;
                } while (!stop.isDone());
                stop.get(20, TimeUnit.SECONDS);
                assertTrue(answered > 10, "too few requests to tell");
                assertFalse(hasMember("one"));
                assertEquals(1, three.registrations().size());
                assertTrue(three.registrations().getFirst().up());
            }
        }
    }

    private String get() {
        try {
            return front.get("/");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void serversThatRegisterInAnEngine_areSeenByItsGateways() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            String url = gatewayThrough(redis);
            try (MargayServer one = server(through(url, "one"));
                    MargayServer two = server(through(url, "two"))) {
                Eventually.holds("both", () -> hasMember("one") && hasMember("two"));
                redis.stop();
                Eventually.holds("failing", () -> admin("/health").contains("degraded"));
                assertTrue(hasMember("one") && hasMember("two"));
                assertTrue(get().matches("one|two"));
                assertFalse(admin("/api/upstreams").contains(url));
                assertEquals(1, two.registrations().size());
                assertEquals("the engine", one.registrations().getFirst().at());
            }
        }
    }

    @Test
    void serverThatLeavesAnEngine_isLeftBeforeItsPortCloses() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            String url = gatewayThrough(redis);
            try (MargayServer one = server(through(url, "one"));
                    MargayServer two = server(through(url, "two"))) {
                Eventually.holds("both", () -> hasMember("one") && hasMember("two"));
                CompletableFuture<Void> stop = CompletableFuture.runAsync(one::close);
                while (!stop.isDone()) {
                    assertTrue(get().matches("one|two"));
                }
                stop.get(20, TimeUnit.SECONDS);
                assertFalse(hasMember("one"));
                assertEquals("two", get());
                assertTrue(two.registrations().getFirst().up());
            }
        }
    }

    /// Has the gateway look for members in an engine.
    ///
    /// @return the engine's URL
    private String gatewayThrough(RedisProcess redis) throws IOException {
        String url = "redis://127.0.0.1:" + redis.port();
        Path file = gatewayFile("");
        String through = "token, through: \"" + url + "\",";
        Files.writeString(file, Files.readString(file).replace("token,", through));
        gateway.reload(ConfigFile.read(file, Map.of()).get());
        return url;
    }

    private Path through(String url, String name) throws IOException {
        Path file = memberFile(name, "http", FreePort.next());
        String yaml = Files.readString(file).replaceAll("to: .*", "through: \"" + url + "\"");
        return Files.writeString(file, yaml);
    }

    @Test
    void registration_thatIsRefused_isTold_andTriedAgain() throws Exception {
        Files.writeString(folder.resolve("token"), "another-token-than-that");
        Path file = memberFile("one", "http", FreePort.next());
        String yaml = Files.readString(file).replace("../token", "token");
        Files.writeString(file, yaml + "admin: 127.0.0.1:0\n");
        Files.writeString(file.resolveSibling("token"), TOKEN);
        try (LoggedLines log = LoggedLines.of("io.margay.app");
                MargayServer one = server(file)) {
            Eventually.holds("told", () -> log.count("401: this needs the token") == 1);
            Http at = new Http(one.adminPort());
            assertTrue(at.get("/health").contains("\"registrationsFailing\":1"));
            assertTrue(at.get("/metrics").contains("margay_registration_up{at=\"http://"));
            assertEquals(503, front.status("/"));
            Files.writeString(folder.resolve("token"), TOKEN);
            Eventually.holds("there", () -> hasMember("one"));
            Eventually.holds("told", () -> log.count("at http://localhost") >= 2);
            assertEquals("{\"status\":\"up\"}", at.get("/health").strip());
        }
    }

    @Test
    void registrarsToken_opensNothingElse_andNoOtherOpensThis() throws Exception {
        String put = path("x") + "?url=http://127.0.0.1:9&lease=5";
        assertEquals(401, send("PUT", put, ADMIN).statusCode());
        assertEquals(401, send("PUT", put, "").statusCode());
        assertEquals(401, send("PUT", put.replace("shop", "other"), TOKEN).statusCode());
        assertEquals(401, send("DELETE", path("x"), ADMIN).statusCode());
        assertEquals(200, send("PUT", put, TOKEN).statusCode());
        String change = "/api/upstreams/members?upstream=shop&member=x&weight=2";
        assertEquals(401, send("PUT", change, TOKEN).statusCode());
        assertEquals(401, send("PUT", "/api/log?level=debug", TOKEN).statusCode());
        assertEquals(401, send("GET", "/manager/text/list", TOKEN).statusCode());
        assertEquals(405, send("GET", path("x"), TOKEN).statusCode());
        assertEquals(404, send("PUT", "/api/upstreams/shop/registrations", ADMIN).statusCode());
        assertEquals(404, send("PUT", path("x/y"), ADMIN).statusCode());
    }

    @Test
    void refusals_sayWhy() throws Exception {
        HttpResponse<String> far = send("PUT", path("x") + "?url=http://10.0.0.1&lease=5", TOKEN);
        assertEquals(403, far.statusCode());
        assertTrue(far.body().contains("networks that are allowed"), far.body());
        assertEquals(400, send("PUT", path("x"), TOKEN).statusCode());
        String url = "?lease=5&url=http://127.0.0.1:";
        assertEquals(200, send("PUT", path("x") + url + "1", TOKEN).statusCode());
        assertEquals(409, send("PUT", path("x") + url + "2", TOKEN).statusCode());
        assertEquals(200, send("DELETE", path("x"), TOKEN).statusCode());
        assertEquals(200, send("PUT", path("x") + url + "2", TOKEN).statusCode());
    }

    @Test
    void reload_keepsWhoHasRegistered() throws Exception {
        String put = path("x") + "?lease=60&route=r1&url=http://127.0.0.1:9";
        assertEquals(200, send("PUT", put, TOKEN).statusCode());
        gateway.reload(ConfigFile.read(gatewayFile("attempts: 3"), Map.of()).get());
        assertTrue(hasMember("x"));
        assertTrue(admin("/api/upstreams").contains("\"route\":\"r1\""));
        assertEquals(200, send("DELETE", path("x"), TOKEN).statusCode());
        assertFalse(hasMember("x"));
    }

    @Test
    void server_whoseRegistrationChanges_staysOrLeavesWithTheReload() throws Exception {
        Path file = memberFile("one", "http", FreePort.next());
        try (MargayServer one = server(file)) {
            Eventually.holds("there", () -> hasMember("one"));
            String yaml = Files.readString(file);
            Files.writeString(file, yaml + "  weight: 3\n");
            one.reload(ConfigFile.read(file, Map.of()).get());
            Eventually.holds("heavy", () -> admin("/api/upstreams").contains("\"weight\":3.0"));
            Files.writeString(file, yaml.substring(0, yaml.indexOf("register:")));
            one.reload(ConfigFile.read(file, Map.of()).get());
            assertFalse(hasMember("one"));
        }
    }

    @Test
    void keys_thatMakeNoSense_areWrong() throws Exception {
        assertWrong("url: http://name:80", "must be a URL with an address");
        assertWrong("lease: 100ms", "\"lease\" must be 1s to 1h");
        assertWrong("token-file: nowhere", "does not exist");
        assertWrong("to: 'ftp://10.0.0.1'", "must be a URL");
        assertWrong("name: a/b", "must be a name");
        Path file = gatewayFile("");
        String yaml = Files.readString(file);
        Files.writeString(file, yaml.replaceAll("admin.*\n", ""));
        assertProblem(file, "\"registered\" needs \"admin\"");
        Files.writeString(file, yaml.replace("hold: 10s", "drain: 10s"));
        assertProblem(file, "\"drain\" does not go with \"registered\"");
        Files.writeString(file, yaml.replace("127.0.0.0/8", "nowhere"));
        assertProblem(file, "must be an address or network");
        Files.writeString(file, yaml.replace("from: [127.0.0.0/8]", "through: \"redis://h\""));
        assertProblem(file, "\"through\" needs a \"from\"");
    }

    private void assertWrong(String key, String why) throws IOException {
        Path file = memberFile("wrong", "http", 80);
        String name = key.substring(0, key.indexOf(':'));
        String yaml = Files.readString(file).replaceAll("(?m)^  " + name + ":.*\n", "");
        Files.writeString(file, yaml + "  " + key + "\n");
        assertProblem(file, why);
    }

    private static void assertProblem(Path file, String why) {
        List<String> problems =
                ConfigFile.read(file, Map.of()).problems().stream().map(Problem::toString).toList();
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().contains(why), problems::toString);
    }
}
