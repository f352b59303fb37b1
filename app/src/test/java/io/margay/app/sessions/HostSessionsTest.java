package io.margay.app.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.CountServlet;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions of one application that several hosts serve.
final class HostSessionsTest {
    private static final List<String> HOSTS = List.of("a.example", "b.example", "c.example", "");

    @TempDir Path folder;

    @Test
    void sessions_ofOneApplicationOnSeveralHosts_areKeptOverARestart() throws Exception {
        Wars.with("a.txt", "a").servlet(CountServlet.class, "/count").folder(folder.resolve("any"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - {name: a.example, routes: {/: {app: any}}}
                  - {name: b.example, routes: {/: {app: any}}}
                  - {name: c.example, routes: {/: {app: any}}}
                  - {routes: {/: {app: any}}}
                work: work
                """);
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        Map<String, String> cookies = new HashMap<>();
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            for (String host : HOSTS) {
                RawHttpClient.Response first = count(server, host, "");
                assertTrue(first.text().contains("count 1"), first.text());
                cookies.put(host, first.field("Set-Cookie").split(";")[0]);
            }
        }
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            for (String host : HOSTS) {
                assertEquals("count 2", count(server, host, cookies.get(host)).text(), host);
            }
        }
    }

    private static RawHttpClient.Response count(MargayServer server, String host, String cookie)
            throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), server.ports().getFirst()))) {
            client.send(
                    "GET /count HTTP/1.1\r\nHost: "
                            + (host.isEmpty() ? "localhost" : host)
                            + "\r\n"
                            + (cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n")
                            + "\r\n");
            return client.response();
        }
    }
}
