package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a host of `margay.yaml` changes in requests and responses, whoever answers.
final class HostChangesTest {
    @TempDir Path folder;

    private MargayServer start(String transport, int back) throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("name.txt"), "a file");
        Files.writeString(folder.resolve("down.html"), "down");
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0, transport: %s}]
                hosts:
                  - variables:
                      - set: TENANT
                        value: "%%1"
                        when: [{value: "%%{HTTP:Host}", regex: "^(\\\\w+)"}]
                    request-headers:
                      - {set: X-Tenant, value: "%%{ENV:TENANT}"}
                      - {unset: X-Secret}
                      - {set: X-Forwarded-Proto, value: https}
                    response-headers:
                      - {set: X-Frame-Options, value: DENY, always: true}
                      - {set: X-Passed, value: "yes"}
                      - {unset: ETag, prefix: /files}
                    error-pages:
                      - {status: 404, text: "none here"}
                      - {status: 503, file: down.html}
                      - {status: 404, own: true, prefix: /files/own}
                    routes:
                      /files: {files: files}
                      /app: {gateway: back}
                      /dead: {gateway: dead}
                upstreams:
                  back: {members: [{url: "http://127.0.0.1:%d"}]}
                  dead: {members: [{url: "http://127.0.0.1:1"}]}
                work: work-%s
                """
                        .formatted(transport, back, transport));
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        return MargayServer.start(config, DeployProgress.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void host_changesRequestsAndResponses_whoeverAnswers(String transport) throws IOException {
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start(transport, back.httpPort());
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            RawHttpClient.Response file = client.get("/files/name.txt");
            assertEquals("a file", file.text());
            assertEquals("DENY", file.field("X-Frame-Options"));
            assertEquals("yes", file.field("X-Passed"));
            assertNull(file.field("ETag"));

            client.send(
                    "GET /app/x HTTP/1.1\r\nHost: blue.example\r\nX-Secret: 1\r\n"
                            + "X-Tenant: forged\r\n\r\n");
            RawHttpClient.Response passed = client.response();
            String told =
                    "/app/x [x-forwarded-for=127.0.0.1, x-forwarded-host=blue.example,"
                            + " x-forwarded-proto=https, x-tenant=blue]\n";
            assertTrue(passed.text().endsWith(told), passed::text);
            assertEquals(List.of("DENY"), passed.all("X-Frame-Options"));
            assertEquals("yes", passed.field("X-Passed"));

            RawHttpClient.Response none = client.get("/none");
            assertEquals(404, none.status());
            assertEquals("none here", none.text());
            assertEquals("DENY", none.field("X-Frame-Options"));
            assertNull(none.field("X-Passed"));
            assertTrue(client.get("/files/own/x").text().startsWith("404 "));

            RawHttpClient.Response dead = client.get("/dead/x");
            assertEquals(503, dead.status());
            assertEquals("down", dead.text());
            assertEquals("1", dead.field("Retry-After"));
            assertEquals("text/html", dead.field("Content-Type"));
        }
    }

    @Test
    void host_changesResponses_overHttp2() throws Exception {
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start("nio", back.httpPort())) {
            for (String path : List.of("/files/name.txt", "/app/x", "/none")) {
                String answer = Http2Curl.get(server.ports().getFirst(), path);
                assertTrue(answer.startsWith("HTTP/2 "), answer);
                assertEquals(2, answer.split("x-frame-options: DENY", -1).length, answer);
            }
        }
    }

    @Test
    void log_withACondition_hasThoseRequestsAlone() throws IOException {
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        SetEnvIf Request_URI "\\.png$" dontlog
                        CustomLog all.log "%U"
                        CustomLog some.log "%U" env=!dontlog
                        CustomLog pictures.log "%U" env=dontlog
                        CustomLog post.log "%U" "expr=%{REQUEST_METHOD} == 'POST'"
                        """);
        MargayConfig config =
                GatewayConfig.of(GatewayFiles.read(List.of(conf), Map.of()), List.of())
                        .withListeners(List.of(ListenerSettings.http(new Endpoint("127.0.0.1", 0))))
                        .withWork(folder.resolve("work"));
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE);
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            assertEquals(404, client.get("/a.html").status());
            assertEquals(404, client.get("/b.png").status());
        }
        assertEquals("/a.html\n/b.png\n", Files.readString(folder.resolve("all.log")));
        assertEquals("/a.html\n", Files.readString(folder.resolve("some.log")));
        assertEquals("/b.png\n", Files.readString(folder.resolve("pictures.log")));
        assertEquals("", Files.readString(folder.resolve("post.log")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "response-headers: [{set: Content-Length, value: \"1\"}]",
                "response-headers: [{set: X, value: \"%{NO_SUCH}\"}]",
                "request-headers: [{edit: X, find: \"(\", value: \"\"}]",
                "error-pages: [{status: 200, text: x}]",
                "variables: [{set: A, value: \"${nomap:x}\"}]"
            })
    void change_thatCannotBe_isReported(String key) throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(file, "hosts:\n  - routes: {/: {files: .}}\n    " + key + "\n");
        assertEquals(1, ConfigFile.read(file, Map.of()).problems().size(), key);
    }
}
