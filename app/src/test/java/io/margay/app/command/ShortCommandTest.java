package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.UsageException;
import io.margay.app.config.MargayConfig;
import io.margay.app.deploy.DeployProgress;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `margay proxy` and `margay files`.
final class ShortCommandTest {
    @TempDir Path folder;

    private MargayConfig config(String command, String... operands) throws UsageException {
        var shape = command.equals("proxy") ? ShortCommand.PROXY : ShortCommand.FILES;
        return new ShortCommand(
                        command,
                        Arguments.parse(shape, List.of(operands)),
                        Map.of(),
                        new PrintStream(PrintStream.nullOutputStream()),
                        false)
                .config()
                .withWork(folder.resolve("work-" + command));
    }

    private static HttpResponse<String> get(MargayServer server, String path)
            throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.ports().getFirst() + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void files_areServed_andAProxyPassesOnToThem() throws Exception {
        Path files = Files.createDirectories(folder.resolve("www"));
        Files.writeString(files.resolve("index.html"), "hello");
        Files.writeString(files.resolve(".secret"), "no");
        try (MargayServer behind =
                        MargayServer.start(
                                config("files", "0", files.toString()), DeployProgress.NONE);
                MargayServer front =
                        MargayServer.start(
                                config(
                                        "proxy",
                                        "0",
                                        "http://127.0.0.1:" + behind.ports().getFirst()),
                                DeployProgress.NONE)) {
            for (MargayServer server : List.of(behind, front)) {
                assertEquals("hello", get(server, "/").body());
                assertEquals(404, get(server, "/.secret").statusCode());
            }
        }
    }

    @Test
    void listen_withoutAnAddress_isEveryAddress_andAPortAloneIsThisMachine() throws Exception {
        String url = "http://127.0.0.1:9000";
        assertEquals("*", host(config("proxy", ":8080", url)));
        assertEquals("127.0.0.1", host(config("proxy", "8080", url)));
        assertEquals("127.0.0.1", host(config("proxy", url)));
        assertEquals(8080, config("proxy", url).listeners().getFirst().endpoint().port());
    }

    private static String host(MargayConfig config) {
        return config.listeners().getFirst().endpoint().host();
    }

    @Test
    void words_thatAreWrong_areToldOf() {
        assertWrong("write \"margay proxy [LISTEN] URL\"", "proxy");
        assertWrong("\"127.0.0.1:9000\" is not a URL", "proxy", "127.0.0.1:9000");
        assertWrong("\":80x\" is not [ADDR:]PORT", "proxy", ":80x", "http://a:1");
        assertWrong("there is no folder nowhere", "files", "nowhere");
        assertWrong("has characters", "proxy", "http://a\"}]}}]\nwork: /");
    }

    private void assertWrong(String message, String command, String... operands) {
        UsageException e = assertThrows(UsageException.class, () -> config(command, operands));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }
}
