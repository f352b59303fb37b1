package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Routes of `margay.yaml` that lead to upstreams.
final class GatewayTest {
    @TempDir Path folder;

    private MargayConfig config(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return ConfigFile.read(file, Map.of()).get();
    }

    private MargayServer backEnd(String word) throws IOException {
        Path files = Files.createDirectories(folder.resolve(word));
        Files.createDirectories(files.resolve("app"));
        Files.writeString(files.resolve("app/name.txt"), word);
        return MargayServer.start(
                config(
                        word + ".yaml",
                        """
                        listeners: [{http: 127.0.0.1:0, transport: nio}]
                        hosts: [{routes: {/: {files: %s}}}]
                        work: work-%s
                        """
                                .formatted(word, word)),
                DeployProgress.NONE);
    }

    private String gateway(String transport, int port) {
        return """
        listeners: [{http: 127.0.0.1:0, transport: %s}]
        hosts: [{routes: {/app/*: {gateway: back}}}]
        upstreams: {back: {members: [{url: "http://127.0.0.1:%d"}]}}
        work: work-gateway
        """
                .formatted(transport, port);
    }

    private static RawHttpClient client(MargayServer server) throws IOException {
        return RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void route_toAnUpstream_isAnsweredByIt(String transport) throws IOException {
        try (MargayServer back = backEnd("one");
                MargayServer front =
                        MargayServer.start(
                                config("front.yaml", gateway(transport, back.ports().getFirst())),
                                DeployProgress.NONE);
                RawHttpClient client = client(front)) {
            assertEquals("one", client.get("/app/name.txt").text());
            assertEquals(404, client.get("/app/none.txt").status());
            assertEquals(404, client.get("/other").status());
        }
    }

    @Test
    void trace_isPassedOnOnlyWhereTheFileSaysSo() throws IOException {
        try (AnsweringServer back = new AnsweringServer("back")) {
            String text = gateway("nio", back.httpPort());
            try (MargayServer front =
                            MargayServer.start(config("front.yaml", text), DeployProgress.NONE);
                    RawHttpClient client = client(front)) {
                client.send("TRACE /app/x HTTP/1.1\r\nHost: a\r\nCookie: secret\r\n\r\n");
                RawHttpClient.Response refused = client.response();
                assertEquals(405, refused.status());
                assertTrue(refused.field("Allow").contains("GET"), refused.field("Allow"));
                assertEquals(0, back.asked());
                front.reload(config("front.yaml", text + "deploy: {trace: true}\n"));
                client.send("TRACE /app/x HTTP/1.1\r\nHost: a\r\n\r\n");
                assertEquals(200, client.response().status());
                assertEquals(1, back.asked());
            }
        }
    }

    @Test
    void reload_withAnotherPeer_isInForceForTheNextRequest() throws IOException {
        try (MargayServer one = backEnd("one");
                MargayServer two = backEnd("two");
                MargayServer front =
                        MargayServer.start(
                                config("front.yaml", gateway("nio", one.ports().getFirst())),
                                DeployProgress.NONE);
                RawHttpClient client = client(front)) {
            assertEquals("one", client.get("/app/name.txt").text());
            front.reload(config("front.yaml", gateway("nio", two.ports().getFirst())));
            assertEquals("two", client.get("/app/name.txt").text());
        }
    }

    @Test
    void upstream_withoutALivingPeer_isAnswered503() throws IOException {
        int dead = FreePort.next();
        try (MargayServer front =
                        MargayServer.start(
                                config("front.yaml", gateway("nio", dead)), DeployProgress.NONE);
                RawHttpClient client = client(front)) {
            RawHttpClient.Response response = client.get("/app/");
            assertEquals(503, response.status());
            assertTrue(response.text().contains("cannot be reached"), response.text());
            assertEquals("1", response.field("Retry-After"));
        }
    }

    @Test
    void healthChecks_ofAnUpstream_takeASickPeerOut() throws IOException {
        try (MargayServer back = backEnd("one");
                ServerSocket sick = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                MargayServer front =
                        MargayServer.start(
                                config(
                                        "front.yaml",
                                        """
                                        listeners: [{http: 127.0.0.1:0}]
                                        hosts: [{routes: {/: {gateway: back}}}]
                                        upstreams:
                                          back:
                                            members:
                                              - {url: "http://127.0.0.1:%d"}
                                              - {url: "http://127.0.0.1:%d"}
                                            health: {get: /app/name.txt, every: 20ms}
                                        work: work-gateway
                                        """
                                                .formatted(
                                                        back.ports().getFirst(),
                                                        sick.getLocalPort())),
                                DeployProgress.NONE);
                RawHttpClient client = client(front)) {
            Thread.ofVirtual().start(() -> fail(sick));
            Eventually.holds("the sick peer gets no request", () -> isWell(client));
        }
    }

    /// Whether ten requests in a row are answered with 200.
    private static boolean isWell(RawHttpClient client) {
        try {
            for (int i = 0; i < 10; i++) {
                if (client.get("/app/name.txt").status() != 200) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final String SICK =
            "HTTP/1.1 500 Sick\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    /// Answers each connection with 500 until the socket is closed.
    private static void fail(ServerSocket server) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    BufferedReader lines =
                            new BufferedReader(
                                    new InputStreamReader(
                                            socket.getInputStream(), StandardCharsets.US_ASCII));
                    for (String line = lines.readLine();
                            line != null && !line.isEmpty();
                            line = lines.readLine()) {
                        // The head is of no interest.
                    }
                    socket.getOutputStream().write(SICK.getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }
}
