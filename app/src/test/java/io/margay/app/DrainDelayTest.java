package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A gateway that asks the admin listeners of its members how they are: it turns away from one that
/// is told to stop before its port closes.
@Tag("slow")
final class DrainDelayTest {
    private static final String TOKEN = "a-token-for-this-test";

    @TempDir Path folder;

    private MargayServer server(String name, String yaml) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.createDirectories(home.resolve("site"));
        Files.writeString(home.resolve("site/index.html"), name);
        Path file = Files.writeString(home.resolve("margay.yaml"), yaml);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private MargayServer member(String address, String scheme, int port, int admin)
            throws IOException {
        return server(
                address,
                """
                listeners: [{%s: "%s:%d"%s}]
                admin: "%s:%d"
                admin-token: %s
                drain-delay: 1500ms
                hosts: [{routes: {/*: {files: site}}}]
                work: work
                """
                        .formatted(
                                scheme,
                                address,
                                port,
                                scheme.equals("ajp") ? ", secret: s3cret" : "",
                                address,
                                admin,
                                TOKEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "ajp"})
    void member_thatIsToldToStop_isLeftBeforeItsPortCloses(String scheme) throws Exception {
        int port = FreePort.next();
        int admin = FreePort.next();
        String members =
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:0
                hosts: [{routes: {/*: {gateway: shop}}}]
                upstreams:
                  shop:
                    secret: s3cret
                    members:
                      - {url: "%1$s://127.0.0.1:%2$d", name: one}
                      - {url: "%1$s://127.0.0.2:%2$d", name: two}
                    health: {get: /health, port: %3$d, every: 50ms, timeout: 1s}
                work: work
                """;
        try (MargayServer one = member("127.0.0.1", scheme, port, admin);
                MargayServer two = member("127.0.0.2", scheme, port, admin);
                MargayServer gateway = server("gateway", members.formatted(scheme, port, admin))) {
            Http front = new Http(gateway.ports().getFirst());
            assertEquals(admin, two.adminPort());
            CompletableFuture<Void> stop = CompletableFuture.runAsync(one::close);
            int answered = 0;
            do {
                assertEquals(200, front.status("/"));
                answered++;
            } while (!stop.isDone());
            stop.get(20, TimeUnit.SECONDS);
            assertTrue(answered > 10, () -> "too few requests to tell");
            assertEquals("127.0.0.2", front.get("/"));
            Http at = new Http(gateway.adminPort());
            String left = at.get("/api/upstreams/members?upstream=shop&member=one");
            assertTrue(left.contains("\"errors\":0"), left);
            assertTrue(left.contains("\"healthy\":false"), left);
        }
    }
}
