package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Pem;
import io.margay.testkit.RawHttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The configuration files among the examples.
final class ConfigurationExamplesIT {
    private static final Path EXAMPLES = ServerProcess.checkout().resolve("examples");

    @TempDir Path folder;

    private void isValid(Path file) throws Exception {
        try (ServerProcess check = ServerProcess.margay(folder, "check", file.toString())) {
            assertEquals(0, check.awaitExit(), check.toString());
            assertEquals(List.of(file + ": no errors"), check.output());
        }
    }

    private static RawHttpClient.Response get(RawHttpClient client, String host, String path)
            throws Exception {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").response();
    }

    @Test
    void margayYaml_servesTheExamplesWithSourcesAndLog() throws Exception {
        Path file = EXAMPLES.resolve("margay.yaml");
        isValid(file);
        Path log = EXAMPLES.resolve("target/logs/access.log");
        Files.deleteIfExists(log);
        try (ServerProcess server =
                ServerProcess.margay(
                        folder, Map.of("MARGAY_HTTP", "127.0.0.1:0"), "run", file.toString())) {
            Browser browser = new Browser(server.awaitMargay());
            assertEquals(200, browser.get("/heartbeat/heartbeat.jsp").statusCode());
            String source = browser.get("/sources/heartbeat/heartbeat.jsp").body();
            assertTrue(source.contains("<%= new java.util.Date() %>"), source);
            assertEquals(0, server.terminate(), server.toString());
        }
        List<String> lines = Files.readAllLines(log);
        Pattern combined =
                Pattern.compile(
                        "127\\.0\\.0\\.1 - - \\[[^]]+] \"GET /\\S+ HTTP/1\\.1\" 200 \\d+"
                                + " \"-\" \"[^\"]+\"");
        assertEquals(2, lines.size(), lines.toString());
        for (String line : lines) {
            assertTrue(combined.matcher(line).matches(), line);
        }
    }

    @Test
    void twoHostsYaml_withWhatItNames_servesBothHosts() throws Exception {
        Path file =
                Files.copy(EXAMPLES.resolve("two-hosts.yaml"), folder.resolve("two-hosts.yaml"));
        Pem shop = Pem.make(folder, "shop");
        Pem.make(folder, "blog");
        Path app = Files.createDirectories(folder.resolve("shop.war"));
        Files.createDirectory(app.resolve("WEB-INF"));
        Files.writeString(app.resolve("mode.jsp"), "mode ${initParam.mode}");
        Path assets = Files.createDirectories(folder.resolve("assets"));
        Files.writeString(assets.resolve("a.css"), "a {}");
        Path blogs = Files.createDirectories(folder.resolve("blogs/cats/WEB-INF"));
        Files.writeString(blogs.resolveSibling("index.html"), "a blog");
        Files.createDirectory(folder.resolve("nothing-here"));
        isValid(file);
        try (ServerProcess server =
                ServerProcess.margay(
                        folder,
                        Map.of("HTTP_PORT", "0", "HTTPS_PORT", "0"),
                        "run",
                        file.toString())) {
            int http = server.awaitMargay();
            int https = server.port(Pattern.compile("margay: https://[^ /]+:([0-9]+)/"));
            InetAddress here = InetAddress.getLoopbackAddress();
            try (RawHttpClient client = RawHttpClient.connect(new InetSocketAddress(here, http))) {
                assertEquals("mode production", get(client, "shop.example", "/mode.jsp").text());
                assertEquals("mode production", get(client, "a.shop.example", "/mode.jsp").text());
                assertEquals("a {}", get(client, "www.shop.example", "/assets/a.css").text());
                assertEquals("a blog", get(client, "blog.example", "/cats/").text());
                assertEquals(404, get(client, "blog.example", "/mode.jsp").status());
                assertEquals(404, get(client, "other.example", "/mode.jsp").status());
            }
            try (RawHttpClient client =
                    RawHttpClient.connect(
                            new InetSocketAddress(here, https), shop.trusting(), "shop.example")) {
                assertEquals("mode production", get(client, "shop.example", "/mode.jsp").text());
            }
            assertEquals(0, server.terminate(), server.toString());
        }
        try (var logs = Files.list(folder.resolve("logs"))) {
            assertEquals(2, logs.count(), "one log for each host that has one");
        }
    }
}
