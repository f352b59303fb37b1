package io.margay.app.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.AuthServlet;
import io.margay.app.sample.FieldsServlet;
import io.margay.app.sample.RoleServlet;
import io.margay.app.sample.UserServlet;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts and routes that ask a service who may pass (`auth-request`).
final class ForwardAuthTest {
    @TempDir static Path folder;

    private static MargayServer service;

    @BeforeAll
    static void startService() throws Exception {
        war("auth", AuthServlet.class);
        war("who", UserServlet.class);
        war("fields", FieldsServlet.class);
        war("role", RoleServlet.class);
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a.txt"), "a file");
        service =
                start(
                        "service",
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - routes:
                              /verify: {app: auth.war}
                              /back: {app: fields.war}
                              /local: {app: fields.war}
                        """);
    }

    private static void war(String name, Class<? extends jakarta.servlet.http.HttpServlet> servlet)
            throws IOException {
        Wars.with("v.txt", "one").servlet(servlet, "/*").war(folder.resolve(name + ".war"));
    }

    @AfterAll
    static void stopService() {
        service.close();
    }

    private static MargayServer start(String name, String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), yaml + "work: w-" + name);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static MargayServer server(String transport, int port) throws Exception {
        return start(
                "front-" + transport,
                """
                listeners: [{http: 127.0.0.1:0, transport: %s}]
                hosts:
                  - access-log: {file: access.log, format: "%%u %%U %%>s"}
                    access:
                      login:
                        auth-request:
                          upstream: auth
                          path: /verify
                          fields: [X-Auth-User, X-Auth-Seen]
                          user: X-Auth-User
                          groups: X-Auth-Groups
                          response-fields: [Set-Cookie]
                          timeout: 2s
                      sections:
                        - {path: /files/open, require: [{everybody: true}]}
                        - {path: /back/admin, require: [{group: [admins]}]}
                        - path: /back/smuggle
                          require:
                            - {when: [{value: "%%{HTTP:X-Auth-User}", regex: "^ada$"}]}
                            - {any-user: true}
                    routes:
                      /who: {app: who.war}
                      /role: {app: role.war}
                      /files: {files: files}
                      /back: {gateway: back}
                      /local:
                        gateway: back
                        access: {require: [{from: [127.0.0.0/8]}, {any-user: true}]}
                upstreams:
                  auth: {members: [{url: "http://127.0.0.1:%d"}]}
                  back: {members: [{url: "http://127.0.0.1:%d"}]}
                """
                        .formatted(transport, port, service.ports().getFirst()));
    }

    private static RawHttpClient.Response ask(
            MargayServer server, String method, String path, String... fields) throws IOException {
        var address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
            boolean body = method.equals("POST");
            client.send(
                    method
                            + " "
                            + path
                            + " HTTP/1.1\r\nHost: shop.example\r\n"
                            + (body ? "Content-Length: 5\r\n" : "")
                            + more
                            + "\r\n"
                            + (body ? "hello" : ""));
            return client.response();
        }
    }

    private static RawHttpClient.Response get(MargayServer server, String path, String... fields)
            throws IOException {
        return ask(server, "GET", path, fields);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void service_letsIn_orAnswersItself(String transport) throws Exception {
        try (MargayServer server = server(transport, service.ports().getFirst())) {
            for (String path : List.of("/who/x?q=1", "/files/a.txt", "/back/x", "/nothing")) {
                RawHttpClient.Response asked = get(server, path);
                assertEquals(302, asked.status(), path);
                assertEquals(
                        "https://login.example/?rd=http://shop.example" + path,
                        asked.field("Location"));
                assertEquals(List.of("state=1"), asked.all("Set-Cookie"));
                RawHttpClient.Response refused = get(server, path, "Cookie: who=nobody");
                assertEquals("403 not you", refused.status() + " " + refused.text());
                RawHttpClient.Response basic = get(server, path, "Cookie: who=basic");
                assertEquals(401, basic.status());
                assertEquals("Bearer realm=x", basic.field("WWW-Authenticate"));
                for (String broken : List.of("broken", "teapot", "huge", "twice")) {
                    int status = get(server, path, "Cookie: who=" + broken).status();
                    assertEquals(502, status, path + " " + broken);
                }
            }
            RawHttpClient.Response ada = ask(server, "POST", "/who/x", "Cookie: who=ada");
            assertEquals("ada ada auth-request 5", ada.text());
            assertEquals(List.of("fresh=ada"), ada.all("Set-Cookie"));
            assertEquals(404, get(server, "/nothing", "Cookie: who=ada").status());
            RawHttpClient.Response file = get(server, "/files/a.txt", "Cookie: who=ada");
            assertEquals(List.of("private"), file.all("Cache-Control"));
            assertEquals("a file", get(server, "/files/a.txt", "Cookie: who=bob").text());
            assertEquals("a file", get(server, "/files/a.txt", "Cookie: who=anybody").text());
            assertEquals("null null null 0", get(server, "/who", "Cookie: who=anybody").text());
            assertEquals("false false true", get(server, "/role", "Cookie: who=ada").text());
            assertEquals("false false false", get(server, "/role", "Cookie: who=bob").text());
            assertEquals(200, get(server, "/back/admin", "Cookie: who=ada").status());
            assertEquals(403, get(server, "/back/admin", "Cookie: who=bob").status());
            assertEquals(404, get(server, "/files/open").status());
        }
        assertTrue(Files.readString(folder.resolve("access.log")).contains("ada /who/x 200"));
    }

    @Test
    void service_isToldOfTheRequest_byThePathThatRoutesSee() throws Exception {
        try (MargayServer server = server("nio", service.ports().getFirst())) {
            String text =
                    ask(
                                    server,
                                    "GET",
                                    "/files/../back/./x%41?a=%2e",
                                    "Cookie: who=ada",
                                    "If-None-Match: \"1\"",
                                    "X-Forwarded-Uri: /open",
                                    "X-Forwarded-Method: OPTIONS",
                                    "X-Original-URI: /open",
                                    "X-Forwarded-For: 10.0.0.1",
                                    "X-Auth-User: eve")
                            .text();
            assertTrue(
                    text.contains(
                            "X-Auth-Seen: GET GET /back/xA?a=%2e shop.example 127.0.0.1 http null"
                                    + " null 0"),
                    text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Auth-User: eve",
                "x_auth_user: eve",
                "X-AUTH_USER: eve",
                "X-Auth-User: eve\r\nConnection: close, X-Auth-User",
                "Connection: x-auth-user, x-auth-seen",
                "X-Auth-Groups: admins"
            })
    void fields_thatTheServiceGives_cannotBeSentOrRemovedByClients(String forged) throws Exception {
        try (MargayServer server = server("nio", service.ports().getFirst())) {
            String text = get(server, "/back/x", "Cookie: who=bob", forged).text();
            assertTrue(text.contains("X-Auth-User: bob"), text);
            assertFalse(text.contains("eve"), text);
            assertFalse(text.contains("admins"), text);
            // Where the service gives none, or is not asked, there are none.
            String anybody = get(server, "/back/x", "Cookie: who=anybody", forged).text();
            assertFalse(anybody.toLowerCase(Locale.ROOT).contains("auth"), anybody);
            String local = get(server, "/local/x", forged).text();
            assertFalse(local.toLowerCase(Locale.ROOT).contains("auth"), local);
            assertEquals(302, get(server, "/back/smuggle", "X-Auth-User: ada").status());
            assertEquals(302, get(server, "/back/smuggle", "X_Auth_User: ada").status());
        }
    }

    @Test
    void service_thatIsDown_letsNobodyIn() throws Exception {
        try (MargayServer server = server("nio", FreePort.next())) {
            assertEquals(503, get(server, "/files/a.txt", "Cookie: who=ada").status());
            assertEquals(503, get(server, "/who", "Cookie: who=ada").status());
            assertEquals(200, get(server, "/local/x").status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void service_thatIsSilentOrSlow_letsNobodyIn(String transport) throws Exception {
        try (ServerSocket silent = new ServerSocket(0);
                MargayServer server = server(transport, silent.getLocalPort())) {
            assertEquals(504, get(server, "/files/a.txt", "Cookie: who=ada").status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
                "HTTP/1.1 200 OK\r\nX-Auth-User : ada\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\n\r\n",
                "hello\r\n\r\n"
            })
    void answers_thatAreBroken_letNobodyIn(String answer) throws Exception {
        try (ServerSocket service = new ServerSocket(0);
                MargayServer server = server("nio", service.getLocalPort())) {
            Thread _ = Thread.ofVirtual().start(() -> answerAll(service, answer));
            assertEquals(502, get(server, "/files/a.txt", "Cookie: who=ada").status());
        }
    }

    private static void answerAll(ServerSocket service, String answer) {
        while (!service.isClosed()) {
            try (Socket socket = service.accept()) {
                socket.getInputStream().read(new byte[4096]);
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException e) {
                // The test has ended, or the gateway has closed the connection.
            }
        }
    }
}
