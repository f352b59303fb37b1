package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that has OCSP responses fetched; what clients see of them: `StaplerTest`.
@Timeout(60)
final class StaplingTest {
    @TempDir Path folder;
    private TestAuthority authority;
    private HttpServer responder;

    @BeforeEach
    void open() throws IOException {
        authority = TestAuthority.in(folder, "root").intermediate("below");
        responder =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        responder.createContext("/", this::respond);
        responder.start();
    }

    @AfterEach
    void close() {
        responder.stop(0);
    }

    private void respond(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] answer =
                    authority.answer(exchange.getRequestBody().readAllBytes(), Duration.ofDays(4));
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        }
    }

    private ConfigFile.Result read(Issued shop, String stapling) throws IOException {
        Files.createDirectories(folder.resolve("site"));
        String yaml =
                """
                listeners:
                  - https: 127.0.0.1:%d
                    certificates: [{cert: "%s", key: "%s"}]
                    %s
                hosts: [{routes: {/*: {files: site}}}]
                work: work
                admin: 127.0.0.1:0
                admin-token: a-token-for-this-test
                """
                        .formatted(FreePort.next(), shop.cert(), shop.key(), stapling);
        return ConfigFile.read(Files.writeString(folder.resolve("margay.yaml"), yaml), Map.of());
    }

    @Test
    void response_isFetchedKeptAndCounted_whereTheFileSaysSo() throws Exception {
        Issued shop =
                authority.issueForServer("shop.example", responder.getAddress().getPort(), false);
        try (MargayServer server =
                MargayServer.start(read(shop, "stapling: all").get(), DeployProgress.NONE)) {
            Http admin = new Http(server.adminPort());
            Eventually.holds(
                    "fetched",
                    () ->
                            !server.listeners().staples().isEmpty()
                                    && server.listeners().staples().getFirst().until() != null);
            String metrics = admin.get("/metrics");
            String failures = "\nmargay_ocsp_failures{certificate=\"shop.example\"} 0";
            assertTrue(metrics.contains(failures), metrics);
            assertTrue(metrics.contains("\nmargay_ocsp_expiry_timestamp_seconds{"), metrics);
        }
        try (var kept = Files.list(folder.resolve("work/ocsp"))) {
            assertEquals(1, kept.count());
        }
        try (MargayServer server = MargayServer.start(read(shop, "").get(), DeployProgress.NONE)) {
            assertEquals(List.of(), server.listeners().staples());
        }
    }
}
