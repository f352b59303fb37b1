package io.margay.app.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What hosts tell browsers: to come by HTTPS, and which other sites may ask.
final class EdgeFieldsTest {
    private static final String PREFLIGHT = "Access-Control-Request-Method: ";

    @TempDir Path folder;

    private ConfigFile.Result read(String host) throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a.txt"), "content");
        Pem pem = Pem.make(folder, "site");
        return ConfigFile.read(
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners:
                          - {http: 127.0.0.1:0}
                          - {https: 127.0.0.1:0, certificates: [{cert: %s, key: %s}]}
                        hosts:
                          - %s
                            routes: {/: {files: files}}
                        work: work
                        """
                                .formatted(pem.cert(), pem.key(), host)),
                Map.of());
    }

    private MargayServer start(String host) throws Exception {
        ConfigFile.Result read = read(host);
        assertEquals(List.of(), read.problems());
        return MargayServer.start(read.get(), DeployProgress.NONE);
    }

    private static Response ask(MargayServer server, String line, String... fields)
            throws IOException {
        InetSocketAddress at =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.ports().getFirst());
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            StringBuilder head =
                    new StringBuilder(line).append(" HTTP/1.1\r\nHost: a.example:1\r\n");
            for (String field : fields) {
                head.append(field).append("\r\n");
            }
            return client.send(head.append("\r\n").toString()).response();
        }
    }

    private static @Nullable String allowed(Response response) {
        return response.field("Access-Control-Allow-Origin");
    }

    @Test
    void requestsWithoutTls_areRedirected_andHstsIsSaidOverTlsOnly() throws Exception {
        try (MargayServer server =
                start("https-redirect: 8443\n    hsts: {max-age: 365d, subdomains: true}")) {
            Response redirect = ask(server, "GET /a%20b%3Fc?d=%20e");
            assertEquals(308, redirect.status());
            assertEquals("https://a.example:8443/a%20b%3Fc?d=%20e", redirect.field("Location"));
            assertEquals(null, redirect.field("Strict-Transport-Security"));
            String head = overTls(server, "/a.txt");
            assertTrue(head.startsWith("HTTP/1.1 200 "), head);
            String hsts = "strict-transport-security: max-age=31536000; includesubdomains\r\n";
            assertTrue(head.toLowerCase(Locale.ROOT).contains(hsts), head);
            String missing = overTls(server, "/missing");
            assertTrue(missing.toLowerCase(Locale.ROOT).contains(hsts), missing);
        }
        try (MargayServer server = start("https-redirect: true\n    https-redirect-status: 301")) {
            Response redirect = ask(server, "GET /a.txt");
            assertEquals(301, redirect.status());
            assertEquals("https://a.example/a.txt", redirect.field("Location"));
        }
    }

    private static String overTls(MargayServer server, String path) throws Exception {
        String url = "https://127.0.0.1:" + server.ports().get(1) + path;
        Process curl =
                new ProcessBuilder(
                                Program.of("curl"),
                                "-sk",
                                "--http1.1",
                                "--max-time",
                                "30",
                                "-D",
                                "-",
                                "-o",
                                "/dev/null",
                                url)
                        .start();
        String head = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor());
        return head;
    }

    @Test
    void origins_thatAreNamed_mayAsk_andOthersMayNot() throws Exception {
        try (MargayServer server =
                start(
                        "cors: {origins: [\"https://shop.example\", \"http://localhost:3000\"],"
                                + " methods: [GET, PUT], headers: [X-Key], expose: [X-Total],"
                                + " credentials: true, max-age: 10m}")) {
            Response answer = ask(server, "GET /a.txt", "Origin: https://shop.example");
            assertEquals(200, answer.status());
            assertEquals("https://shop.example", allowed(answer));
            assertEquals("true", answer.field("Access-Control-Allow-Credentials"));
            assertEquals("X-Total", answer.field("Access-Control-Expose-Headers"));
            assertEquals("Origin", answer.field("Vary"));
            String missing = allowed(ask(server, "GET /b", "Origin: http://localhost:3000"));
            assertEquals("http://localhost:3000", missing, "errors can be read, too");
            for (String stranger :
                    List.of(
                            "https://evil.example",
                            "https://shop.example.evil",
                            "https://shop-example",
                            "http://shop.example",
                            "https://shop.example:444",
                            "null")) {
                Response other = ask(server, "GET /a.txt", "Origin: " + stranger);
                assertEquals(200, other.status());
                assertEquals(null, allowed(other), stranger);
                assertEquals("Origin", other.field("Vary"), "caches must not mix them up");
                String origin = "Origin: " + stranger;
                assertEquals(
                        403, ask(server, "OPTIONS /a.txt", origin, PREFLIGHT + "GET").status());
            }
            assertEquals(null, allowed(ask(server, "GET /a.txt")));
        }
    }

    @Test
    void preflightRequests_areAnswered_beforeAPasswordIsAskedFor() throws Exception {
        Files.writeString(folder.resolve("users"), "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        try (MargayServer server =
                start(
                        """
                        cors: {origins: ["https://a.b"], methods: [GET, PUT], headers: [X-Key],
                               max-age: 10m}
                            access: {login: {users: users}, require: [{any-user: true}]}\
                        """)) {
            String origin = "Origin: https://a.b";
            String names = "Access-Control-Request-Headers: ";
            Response answer =
                    ask(server, "OPTIONS /x", origin, PREFLIGHT + "PUT", names + "x-key, accept");
            assertEquals(204, answer.status());
            assertEquals("https://a.b", allowed(answer));
            assertEquals("GET, PUT", answer.field("Access-Control-Allow-Methods"));
            assertEquals("X-Key", answer.field("Access-Control-Allow-Headers"));
            assertEquals("600", answer.field("Access-Control-Max-Age"));
            assertEquals(null, answer.field("Access-Control-Allow-Credentials"));
            assertEquals(403, ask(server, "OPTIONS /x", origin, PREFLIGHT + "DELETE").status());
            assertEquals(
                    403,
                    ask(server, "OPTIONS /x", origin, PREFLIGHT + "PUT", names + "x-other")
                            .status());
            assertEquals(401, ask(server, "OPTIONS /x", origin).status());
            assertEquals(401, ask(server, "GET /x", origin).status());
        }
    }

    @Test
    void everyOrigin_mayAsk_withoutCredentials() throws Exception {
        try (MargayServer server = start("cors: {origins: [\"*\"]}")) {
            Response answer = ask(server, "GET /a.txt", "Origin: https://any.example");
            assertEquals("*", allowed(answer));
            assertEquals(null, answer.field("Vary"));
        }
    }

    @Test
    void errors_ofTheServer_areWhatTheClientAccepts() throws Exception {
        try (MargayServer server = start("aliases: [\"*\"]")) {
            for (String type : List.of("application/json", "application/problem+json")) {
                Response json = ask(server, "GET /missing", "Accept: " + type + ", */*;q=0.1");
                assertEquals(404, json.status());
                assertEquals("application/problem+json", json.field("Content-Type"));
                assertEquals(
                        "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404}\n",
                        json.text());
            }
            String browser = "Accept: text/html,application/json;q=0.9";
            String html = ask(server, "GET /missing", browser).field("Content-Type");
            assertEquals("text/html;charset=utf-8", html);
            String text = ask(server, "GET /missing").field("Content-Type");
            assertEquals("text/plain;charset=utf-8", text);
        }
    }

    @Test
    void keys_thatOpenTooMuch_areProblems() throws Exception {
        for (String wrong :
                List.of(
                        "cors: {}",
                        "cors: {origins: []}",
                        "cors: {origins: [\"*\"], credentials: true}",
                        "cors: {origins: [\"null\"]}",
                        "cors: {origins: [\"https://a.b/\"]}",
                        "cors: {origins: [\"https://*.a.b\"]}",
                        "cors: {origins: [\"a.b\"]}",
                        "cors: {origins: [\"https://a.b\"], methods: [\"A B\"]}",
                        "hsts: {preload: true}",
                        "hsts: {preload: true, subdomains: true, max-age: 1d}",
                        "https-redirect: 65536",
                        "https-redirect: 0",
                        "https-redirect: maybe",
                        "https-redirect-status: 304")) {
            assertFalse(read(wrong).problems().isEmpty(), wrong);
        }
    }
}
