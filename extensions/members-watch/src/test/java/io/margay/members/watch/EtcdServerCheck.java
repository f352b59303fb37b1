package io.margay.members.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.Finding;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Members from a real etcd, whose program `-Dmargay.etcd` names: `make etcd`. Not part of the
/// suite, which has [EtcdTest].
final class EtcdServerCheck {
    @TempDir Path folder;
    private final URI server;
    private final HttpClient client = HttpClient.newHttpClient();
    private Process etcd;
    private WatchedMembers members;

    EtcdServerCheck() throws IOException {
        server = URI.create("http://127.0.0.1:" + FreePort.next());
    }

    @BeforeEach
    void start() throws IOException {
        etcd = run();
        members = members("", null);
    }

    private Process run() throws IOException {
        Process process =
                new ProcessBuilder(
                                System.getProperty("margay.etcd"),
                                "--data-dir=" + folder.resolve("data"),
                                "--listen-client-urls=" + server,
                                "--advertise-client-urls=" + server,
                                "--listen-peer-urls=http://127.0.0.1:" + FreePort.next(),
                                "--log-outputs=" + folder.resolve("log"))
                        .inheritIO()
                        .start();
        Eventually.holds("etcd answers", this::answers);
        return process;
    }

    private boolean answers() {
        try {
            ask("/v3/kv/range", Map.of("key", base64("x")), "");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        members.close();
        client.close();
        etcd.destroyForcibly();
        etcd.waitFor();
    }

    private WatchedMembers members(String user, @Nullable Path password) {
        MemberSource.Etcd place =
                new MemberSource.Etcd(List.of(server), "/shop/", user, password, null);
        MemberSource source =
                new MemberSource(
                        place,
                        PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80)),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO);
        DiscoveryLimits limits = DiscoveryLimits.defaults();
        WatchLimits bounds = WatchLimits.defaults();
        return new WatchedMembers(
                source,
                new EtcdApi(source, place, bounds, limits),
                limits,
                bounds,
                System::nanoTime);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, Object> ask(String path, Map<String, Object> body, String token)
            throws IOException {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(server.resolve(path))
                            .POST(HttpRequest.BodyPublishers.ofString(JSON.std.asString(body)));
            if (!token.isEmpty()) {
                request.header("Authorization", token);
            }
            HttpResponse<String> answer =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(answer.body());
            }
            return JSON.std.mapFrom(answer.body());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void put(String name, String value) throws IOException {
        Map<String, Object> _ =
                ask(
                        "/v3/kv/put",
                        Map.of("key", base64("/shop/" + name), "value", base64(value)),
                        "");
    }

    private void delete(String name) throws IOException {
        Map<String, Object> _ =
                ask("/v3/kv/deleterange", Map.of("key", base64("/shop/" + name)), "");
    }

    private String look() {
        try {
            return switch (members.find()) {
                case Finding.Members found ->
                        found.members().stream()
                                .map(each -> each.name() + "=" + each.address())
                                .collect(Collectors.joining(", "));
                case Finding.Same _ -> "same";
                case Finding.None _ -> "none";
                case Finding.Failed failed -> "failed: " + failed.why();
            };
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void comes(String wanted) {
        Eventually.holds(wanted, () -> look().equals(wanted));
    }

    @Test
    void keys_areFollowed_overCompactionAndRestart() throws Exception {
        assertEquals("none", look());
        put("a", "http://10.0.0.1:80 route=r");
        comes("a=http://10.0.0.1:80");
        put("b", "ajp://10.0.0.2:8009");
        comes("a=http://10.0.0.1:80, b=ajp://10.0.0.2:8009");
        delete("a");
        comes("b=ajp://10.0.0.2:8009");
        etcd.destroy();
        etcd.waitFor();
        Eventually.holds("failing", () -> look().startsWith("failed: "));
        etcd = run();
        put("c", "http://10.0.0.3:80");
        delete("b");
        Map<String, Object> now = ask("/v3/kv/range", Map.of("key", base64("x")), "");
        Object revision = ((Map<?, ?>) now.get("header")).get("revision");
        Map<String, Object> _ =
                ask("/v3/kv/compaction", Map.of("revision", revision, "physical", true), "");
        comes("c=http://10.0.0.3:80");
        put("d", "http://10.0.0.4:80");
        comes("c=http://10.0.0.3:80, d=http://10.0.0.4:80");
    }

    @Test
    void leaseOfEtcd_thatEnds_removesItsMember() throws Exception {
        Object lease = ask("/v3/lease/grant", Map.of("TTL", 1), "").get("ID");
        put("a", "http://10.0.0.1:80");
        Map<String, Object> _ =
                ask(
                        "/v3/kv/put",
                        Map.of(
                                "key",
                                base64("/shop/b"),
                                "value",
                                base64("http://10.0.0.2:80"),
                                "lease",
                                lease),
                        "");
        assertEquals("a=http://10.0.0.1:80, b=http://10.0.0.2:80", look());
        comes("a=http://10.0.0.1:80");
    }

    @Test
    void user_mayReadWithItsPasswordAlone() throws Exception {
        put("a", "http://10.0.0.1:80");
        Map<String, Object> root = Map.of("name", "root", "password", "secret");
        Map<String, Object> _ = ask("/v3/auth/user/add", root, "");
        Map<String, Object> _ = ask("/v3/auth/role/add", Map.of("name", "root"), "");
        Map<String, Object> _ =
                ask("/v3/auth/user/grant", Map.of("user", "root", "role", "root"), "");
        Map<String, Object> _ = ask("/v3/auth/enable", Map.of(), "");
        String refused = look();
        assertTrue(refused.startsWith("failed: "), refused);
        members.close();
        Path password = Files.writeString(folder.resolve("password"), "secret\n");
        members = members("root", password);
        assertEquals("a=http://10.0.0.1:80", look());
        Map<String, Object> login = ask("/v3/auth/authenticate", root, "");
        Map<String, Object> _ =
                ask(
                        "/v3/kv/put",
                        Map.of("key", base64("/shop/b"), "value", base64("http://10.0.0.2:80")),
                        String.valueOf(login.get("token")));
        comes("a=http://10.0.0.1:80, b=http://10.0.0.2:80");
    }
}
