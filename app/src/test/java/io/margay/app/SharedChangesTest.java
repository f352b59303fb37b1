package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.gateway.status.SharedChanges;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import io.margay.server.shared.SharedStoreProvider;
import io.margay.server.shared.SharedTable;
import io.margay.testkit.Eventually;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two gateways that share by a real `redis-server` what is changed at one of them, and what their
/// limits count.
final class SharedChangesTest {
    private static final String TOKEN = "a-token-of-some-thirty-two-characters";
    private static final String SECRET = "what the gateways share and nobody else knows";

    @TempDir Path folder;
    private RedisProcess redis;
    private MargayServer left;
    private MargayServer right;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws IOException {
        redis = RedisProcess.start();
        left = gateway("left");
        right = gateway("right");
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        left.close();
        right.close();
        redis.close();
    }

    private MargayServer gateway(String name) throws IOException {
        return gateway(name, "tc1", "tc2");
    }

    private MargayServer gateway(String name, String... members) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Path file = own.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:0
                admin-token: %s
                drain: 0s
                hosts:
                  - routes:
                      /: {gateway: shop}
                      /jk: {status: jkstatus, token: %s, state: jk.state}
                      /limited: {files: ., rate-limits: [{rate: 20/h, burst: 20, by: all}]}
                shared:
                  url: redis://127.0.0.1:%d
                  key: %s
                  node: %s
                upstreams:
                  shop:
                    members: [%s]
                """
                        .formatted(
                                TOKEN,
                                TOKEN,
                                redis.port(),
                                SECRET,
                                name,
                                Stream.of(members)
                                        .map(each ->
                                                "{url: \"http://127.0.0.1:%s\", name: %s}"
                                                        .formatted(each.substring(2), each))
                                        .collect(Collectors.joining(", "))));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private HttpResponse<String> send(String method, int port, String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Authorization", "Bearer " + TOKEN)
                        .method(method, BodyPublishers.noBody())
                        .build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void change(MargayServer at, String member, String what) {
        String path = "/api/upstreams/members?upstream=shop&member=" + member + "&" + what;
        HttpResponse<String> done = send("PUT", at.adminPort(), path);
        assertEquals(200, done.statusCode(), done::body);
    }

    private String upstreams(MargayServer at) {
        return send("GET", at.adminPort(), "/api/upstreams").body();
    }

    private static String member(String upstreams, String name) {
        int begin = upstreams.indexOf("{\"name\":\"" + name + "\"");
        int end = upstreams.indexOf("{\"name\"", begin + 1);
        return upstreams.substring(begin, end < 0 ? upstreams.length() : end);
    }

    private void awaits(MargayServer at, String member, String text) {
        Eventually.holds(
                text + " of " + member, () -> member(upstreams(at), member).contains(text));
    }

    @Test
    void change_holdsAtAllGateways_andAfterARestart() throws IOException {
        change(left, "tc1", "activation=disabled");
        awaits(right, "tc1", "\"activation\":\"disabled\"");
        String seen = member(upstreams(right), "tc1");
        assertTrue(seen.contains("\"from\":\"left\"") && seen.contains("(API)"), seen);
        Path state = folder.resolve("right/jk.state");
        Eventually.holds("saved", () -> Files.exists(state));
        String saved = Files.readString(state);
        assertTrue(saved.contains("shop/tc1.activation = DISABLED"), saved);

        // By a status page, and back to what is configured.
        int port = right.ports().getFirst();
        String update = "/jk?cmd=update&mime=txt&w=shop&sw=tc2&vwf=7";
        assertTrue(send("GET", port, update).body().contains("OK"));
        awaits(left, "tc2", "\"weight\":7.0");
        change(right, "tc1", "activation=active");
        awaits(left, "tc1", "\"activation\":\"active\"");
        assertTrue(!member(upstreams(left), "tc1").contains("changes"));

        // What was changed while it was away holds, whatever its file says.
        left.close();
        change(right, "tc2", "weight=5");
        awaits(right, "tc2", "\"from\":\"right\"");
        Eventually.holds("it is in the engine", () -> pendingNothing(right));
        left = gateway("left");
        assertTrue(member(upstreams(left), "tc2").contains("\"weight\":5.0"));
    }

    @Test
    void changeOfAMember_thatNobodyHasConfigured_staysUntilItIsBack() throws IOException {
        change(left, "tc2", "weight=5");
        awaits(right, "tc2", "\"weight\":5.0");
        left.close();
        right.close();
        left = gateway("left", "tc1");
        right = gateway("right", "tc1");
        change(left, "tc1", "weight=3");
        awaits(right, "tc1", "\"weight\":3.0");
        assertTrue(!upstreams(right).contains("tc2"));

        right.close();
        Files.delete(folder.resolve("right/jk.state"));
        right = gateway("right");
        assertTrue(member(upstreams(right), "tc2").contains("\"weight\":5.0"));
    }

    @Test
    void changeThatHasNoRoom_waits_andOthersAreTakenOver() throws IOException {
        SharedLimits limits = SharedLimits.defaults();
        SharedStore store =
                ServiceLoader.load(SharedStoreProvider.class)
                        .findFirst()
                        .orElseThrow()
                        .open("redis://127.0.0.1:" + redis.port(), "margay", limits);
        try (SharedGroup group =
                new SharedGroup(
                        store,
                        SECRET,
                        "margay",
                        "third",
                        limits,
                        new SecureRandom(),
                        System::nanoTime)) {
            SharedTable table = group.table(SharedChanges.TABLE);
            Map<String, String> full = new TreeMap<>();
            for (int i = 0; i < limits.entriesMax(); i++) {
                full.put("other/m%d.weight".formatted(i), "third\nby\nat\n2.0");
            }
            table.update(_ -> full);
            change(left, "tc1", "weight=3");
            full.remove("other/m0.weight");
            full.put("shop/tc2.weight", "third\nby\nat\n5.0");
            table.update(_ -> full);

            awaits(left, "tc2", "\"weight\":5.0");
            awaits(right, "tc2", "\"weight\":5.0");
            assertTrue(member(upstreams(left), "tc1").contains("\"weight\":3.0"));
            assertTrue(!member(upstreams(right), "tc1").contains("\"weight\":3.0"));

            full.remove("other/m1.weight");
            table.update(_ -> full);
            awaits(right, "tc1", "\"weight\":3.0");
        }
    }

    private boolean pendingNothing(MargayServer at) {
        return send("GET", at.adminPort(), "/metrics")
                .body()
                .contains("\nmargay_shared_changes_pending 0");
    }

    private int limited(MargayServer at) {
        return send("GET", at.ports().getFirst(), "/limited/margay.yaml").statusCode();
    }

    @Test
    void limit_isCountedByBoth() {
        for (int i = 0; i < 20; i++) {
            assertEquals(200, limited(left));
        }
        assertEquals(429, limited(left));
        String told = "\nmargay_shared_counts_total 0";
        Eventually.holds(
                "the engine was told",
                () -> !send("GET", left.adminPort(), "/metrics").body().contains(told));
        AtomicInteger more = new AtomicInteger();
        Eventually.holds(
                "the other refuses, too",
                () -> limited(right) == 429 || more.incrementAndGet() >= 20);
        assertTrue(more.get() < 20, () -> more + " more than the limit");
    }

    @Test
    void engineThatIsAway_leavesGatewaysByThemselves_andGetsAllBack() throws IOException {
        change(left, "tc1", "activation=stopped");
        awaits(right, "tc1", "\"activation\":\"stopped\"");
        int port = redis.port();
        redis.close();
        change(right, "tc2", "weight=3");
        assertTrue(member(upstreams(right), "tc2").contains("\"weight\":3.0"));
        Eventually.holds(
                "health says so",
                () -> send("GET", left.adminPort(), "/health").body().contains("sharedAway"));
        redis = RedisProcess.startAt(port);
        awaits(left, "tc2", "\"weight\":3.0");
        assertTrue(member(upstreams(left), "tc1").contains("\"activation\":\"stopped\""));
        MargayServer third = gateway("third");
        try {
            assertTrue(member(upstreams(third), "tc1").contains("\"activation\":\"stopped\""));
            awaits(third, "tc2", "\"weight\":3.0");
        } finally {
            third.close();
        }
    }
}
