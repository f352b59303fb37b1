package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.Http2Curl;
import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients whose fields make expressions of header rules backtrack without end: nothing of what the
/// rules take away passes, neither to members nor to browsers.
@Tag("slow")
final class UndecidedRulesTest {
    /// No engine comes to an end with it.
    private static final String ENDLESS = "(a+)+\\\\1!$";

    private static final String LONG = "a".repeat(4_000);

    @TempDir Path folder;

    private MargayServer start(String transport, String changes, AnsweringServer back)
            throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("name.txt"), "a file");
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0, transport: %s}]
                work: work-%s
                upstreams:
                  http: {members: [{url: "http://127.0.0.1:%d"}]}
                  h2c: {members: [{url: "h2c://127.0.0.1:%d"}]}
                  ajp: {members: [{url: "ajp://127.0.0.1:%d"}]}
                hosts:
                  - routes:
                      /files: {files: files}
                      /http: {gateway: http}
                      /h2c: {gateway: h2c}
                      /ajp: {gateway: ajp}
                """
                                .formatted(
                                        transport,
                                        transport,
                                        back.httpPort(),
                                        back.httpPort(),
                                        back.ajpPort())
                        + changes.indent(4));
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        return MargayServer.start(config, DeployProgress.NONE);
    }

    private static RawHttpClient.Response get(MargayServer server, String path, String fields)
            throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            return client.response();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void changeOfARequest_thatDoesNotEnd_isAnsweredWith500_andNoMemberIsAsked(String transport)
            throws Exception {
        String edit =
                """
                request-headers:
                  - {edit: X-A, find: "%s", value: ""}
                  - {set: X-Remote-User, value: "%%{REMOTE_USER}"}
                """
                        .formatted(ENDLESS);
        String variable =
                """
                variables: [{set: BAD, value: "1", when: [{value: "%%{HTTP:X-A}", regex: "%s"}]}]
                request-headers: [{set: X-Remote-User, value: "%%{REMOTE_USER}"}]
                """
                        .formatted(ENDLESS);
        String condition =
                """
                request-headers:
                  - {set: X-B, value: c, when: [{value: "%%{HTTP:X-A}", regex: "%s"}]}
                  - {unset: X-Remote-User}
                """
                        .formatted(ENDLESS);
        for (String changes : List.of(edit, variable, condition)) {
            try (AnsweringServer back = new AnsweringServer("back");
                    MargayServer server = start(transport, changes, back)) {
                for (String to : List.of("/http/x", "/h2c/x", "/ajp/x")) {
                    String fields = "X-Remote-User: root\r\nX-A: ";
                    assertEquals(500, get(server, to, fields + LONG + "\r\n").status(), changes);
                    assertEquals(0, back.asked());
                    RawHttpClient.Response usual = get(server, to, fields + "b\r\n");
                    assertEquals(200, usual.status());
                    assertFalse(usual.text().contains("root"), usual::text);
                    assertEquals(1, back.asked());
                    assertEquals(500, get(server, to, fields + LONG + "\r\n").status());
                    assertEquals(1, back.asked());
                    back.forget();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void changeOfAResponse_thatDoesNotEnd_sends500InItsPlace_withWhatAlwaysHolds(String transport)
            throws Exception {
        String changes =
                """
                response-headers:
                  - {set: X-Frame-Options, value: DENY}
                  - {set: X-B, value: c, when: [{value: "%%{QUERY_STRING}", regex: "%s"}]}
                  - {set: Content-Security-Policy, value: "default-src 'self'"}
                  - {unset: X-Powered-By}
                """
                        .formatted(ENDLESS);
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start(transport, changes, back)) {
            for (String path :
                    List.of("/files/name.txt", "/http/fields", "/h2c/fields", "/ajp/fields")) {
                RawHttpClient.Response usual = get(server, path, "");
                assertEquals(200, usual.status());
                assertEquals("DENY", usual.field("X-Frame-Options"));
                RawHttpClient.Response refused = get(server, path + "?" + LONG, "");
                assertEquals(500, refused.status(), path);
                assertEquals("", refused.text());
                assertEquals(List.of("DENY"), refused.all("X-Frame-Options"));
                assertEquals("default-src 'self'", refused.field("Content-Security-Policy"));
                assertNull(refused.field("X-Powered-By"));
                assertNull(refused.field("Set-Cookie"));
            }
        }
    }

    @Test
    void changeOfAResponse_thatDoesNotEnd_sends500OverHttp2() throws Exception {
        String changes =
                """
                response-headers:
                  - {set: X-B, value: c, when: [{value: "%%{QUERY_STRING}", regex: "%s"}]}
                  - {set: X-Frame-Options, value: DENY}
                """
                        .formatted(ENDLESS);
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start("nio", changes, back)) {
            for (String path : List.of("/files/name.txt", "/http/fields", "/ajp/fields")) {
                String answer = Http2Curl.get(server.ports().getFirst(), path + "?" + LONG);
                assertTrue(answer.startsWith("HTTP/2 500"), answer);
                assertTrue(answer.contains("x-frame-options: DENY"), answer);
                assertFalse(answer.contains("a file"), answer);
                assertFalse(answer.contains(AnsweringServer.MARK), answer);
                assertFalse(answer.contains("set-cookie"), answer);
            }
        }
    }

    @Test
    void errorPage_ofWhichItIsNotDecidedWhetherItIsShown_isThatOfTheServer() throws Exception {
        String changes =
                """
                error-pages: [{status: 404, text: "none here", regex: "%s"}]
                """
                        .formatted(ENDLESS);
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start("nio", changes, back)) {
            RawHttpClient.Response usual = get(server, "/files/none", "");
            assertEquals(404, usual.status());
            RawHttpClient.Response undecided = get(server, "/files/" + LONG, "");
            assertEquals(404, undecided.status());
            assertFalse(undecided.text().contains("none here"), undecided::text);
        }
    }

    @Test
    void longField_withAnExpressionOfSites_isChangedAsAShortOne() throws Exception {
        String changes =
                """
                request-headers:
                  - {edit-all: Cookie, find: "\\\\s*JSESSIONID=[^;]*;?\\\\s*$", value: ""}
                  - {edit: X-Referer, find: "(.*)(\\\\?.*)$", value: "$1"}
                  - {set: X-Remote-User, value: "%{REMOTE_USER}"}
                """;
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start("nio", changes, back)) {
            String fields =
                    "X-Remote-User: root\r\nCookie: a"
                            + " ".repeat(1_500)
                            + "b\r\nX-Referer: http://a/"
                            + "a".repeat(5_500)
                            + "?secret\r\n";
            RawHttpClient.Response passed = get(server, "/http/x", fields);
            assertEquals(200, passed.status());
            assertFalse(passed.text().contains("root"), passed::text);
            assertFalse(passed.text().contains("secret"), passed::text);
            assertTrue(passed.text().contains("x-referer=http://a/aaa"), passed::text);
        }
    }
}
