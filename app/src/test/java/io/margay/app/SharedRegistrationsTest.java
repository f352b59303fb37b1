package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Gateways that share by a real `redis-server` who has registered: one that starts from nothing
/// asks the others.
@Tag("slow")
final class SharedRegistrationsTest {
    private static final String SECRET = "what the gateways share and nobody else knows";

    @TempDir Path folder;
    private RedisProcess redis;

    @BeforeEach
    void start() throws IOException {
        redis = RedisProcess.start();
        Files.writeString(folder.resolve("token"), "a-token-of-registrars\n");
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    private MargayServer server(String name, String yaml) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.createDirectories(home.resolve("site"));
        Files.writeString(home.resolve("site/index.html"), name);
        Path file = Files.writeString(home.resolve("margay.yaml"), yaml);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private MargayServer gateway(String name) throws IOException {
        return server(
                name,
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:0
                hosts: [{routes: {/*: {gateway: shop}}}]
                shared: {url: "redis://127.0.0.1:%d", key: %s, node: %s}
                upstreams:
                  shop:
                    members: {registered: {token-file: ../token, from: [127.0.0.0/8], wait: 0s}}
                work: work
                """
                        .formatted(redis.port(), SECRET, name));
    }

    private MargayServer member(String name, MargayServer gateway) throws IOException {
        int port = FreePort.next();
        return server(
                name,
                """
                listeners: [{http: "127.0.0.1:%1$d"}]
                hosts: [{routes: {/*: {files: site}}}]
                register:
                  upstream: shop
                  to: http://127.0.0.1:%2$d
                  url: "http://127.0.0.1:%1$d"
                  token-file: ../token
                  name: %3$s
                  lease: 30s
                work: work
                """
                        .formatted(port, gateway.adminPort(), name));
    }

    private static boolean knows(MargayServer gateway, String name) {
        return gateway.site().upstreams().getFirst().members().stream()
                .anyMatch(each -> each.name().equals(name));
    }

    @Test
    void gatewayThatStartsFromNothing_knowsWhoHasRegisteredAtOthers() throws Exception {
        try (MargayServer first = gateway("first");
                MargayServer _ = member("a", first)) {
            Eventually.holds("registered", () -> knows(first, "a"));
            try (MargayServer gone = member("b", first)) {
                Eventually.holds("registered", () -> knows(first, "b"));
                Eventually.holds("shared", () -> isShared("both", "a", "b"));
                assertTrue(gone.registrations().getFirst().up());
            }
            Eventually.holds("gone", () -> !isShared("one", "b"));
            try (MargayServer second = gateway("second")) {
                assertEquals("a", new Http(second.ports().getFirst()).get("/"));
                assertEquals(1, second.site().upstreams().getFirst().members().size());
            }
        }
    }

    private int probes;

    /// What a gateway would know that starts now.
    private boolean isShared(String what, String... names) {
        try (MargayServer probe = gateway(what + probes++)) {
            for (String each : names) {
                if (!knows(probe, each)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
