package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.ConfigFile;
import io.margay.app.config.MargayConfig;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
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
            assertTrue(response.text().contains("not there"), response.text());
            assertEquals("1", response.field("Retry-After"));
        }
    }
}
