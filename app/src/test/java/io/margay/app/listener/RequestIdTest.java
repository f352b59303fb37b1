package io.margay.app.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.IdServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.LoggedLines;
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

/// What one request is called by a gateway, by the server behind it, by the application, and in the
/// logs of all.
final class RequestIdTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @TempDir Path folder;

    private MargayServer server(String name, String text) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(file, text + "work: work-" + name + "\n");
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        return MargayServer.start(config, DeployProgress.NONE);
    }

    private MargayServer back(String listener) throws Exception {
        Wars.with("v.txt", "one").servlet(IdServlet.class, "/id").war(folder.resolve("id.war"));
        return server(
                "back",
                """
                listeners: [{%s}]
                hosts:
                  - access-log: {file: back.log, format: json}
                    routes: {/: {app: id.war}}
                """
                        .formatted(listener));
    }

    private MargayServer front(String member, String trust) throws IOException {
        return server(
                "front",
                """
                listeners: [{http: 127.0.0.1:0, transport: nio}]
                hosts:
                  - access-log: {file: front.log, format: "%%L"}
                    routes: {/: {gateway: back%s}}
                upstreams: {back: {members: [{%s}]}}
                """
                        .formatted(trust, member));
    }

    private static String[] ask(MargayServer server, String fields) throws IOException {
        var address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "GET /id HTTP/1.1\r\nHost: a\r\ntraceparent: "
                            + TRACE
                            + "\r\n"
                            + fields
                            + "\r\n");
            return client.response().text().split(" ");
        }
    }

    private void isLogged(String file, String text) {
        Path log = folder.resolve(file);
        Eventually.holds(
                text + " in " + file,
                () -> {
                    try {
                        return Files.readString(log).contains(text);
                    } catch (IOException e) {
                        return false;
                    }
                });
    }

    @Test
    void request_ofAStranger_hasAnIdOfOurs_everywhere() throws Exception {
        try (MargayServer back = back("ajp: 127.0.0.1:0, secret: s3");
                MargayServer front =
                        front(
                                "url: \"ajp://127.0.0.1:%d\", secret: s3"
                                        .formatted(back.ports().getFirst()),
                                "")) {
            String[] seen = ask(front, "X-Request-Id: forged\r\n");
            assertEquals(seen[0], seen[1]);
            assertTrue(seen[0].matches("[0-9a-f]{16}-[0-9]+"), seen[0]);
            assertEquals(TRACE, seen[2]);
            isLogged("front.log", seen[0]);
            isLogged("back.log", "\"request_id\":\"" + seen[0] + "\"");
            isLogged("back.log", "\"traceparent\":\"" + TRACE + "\"");
            assertNotEquals(seen[0], ask(front, "")[0]);
        }
    }

    @Test
    void request_ofATrustedFrontEnd_keepsItsId() throws Exception {
        try (MargayServer back = back("ajp: 127.0.0.1:0, secret: s3");
                MargayServer front =
                        front(
                                "url: \"ajp://127.0.0.1:%d\", secret: s3"
                                        .formatted(back.ports().getFirst()),
                                ", trust-forwarded: [127.0.0.1]")) {
            assertEquals("edge-42", ask(front, "X-Request-Id: edge-42\r\n")[0]);
            isLogged("front.log", "edge-42");
            isLogged("back.log", "\"request_id\":\"edge-42\"");
            String[] odd = ask(front, "X-Request-Id: not \"one\"\r\n");
            assertTrue(odd[0].matches("[0-9a-f]{16}-[0-9]+"), odd[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "192.0.2.1"})
    void member_byHttp_believesWhomItIsToldToBelieve(String believed) throws Exception {
        Wars.with("v.txt", "one").servlet(IdServlet.class, "/id").war(folder.resolve("id.war"));
        try (MargayServer back =
                server(
                        "back",
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - client-address: {field: X-Forwarded-For, trusted: [%s]}
                            routes: {/: {app: id.war}}
                        """
                                .formatted(believed))) {
            String[] seen = ask(back, "X-Request-Id: edge-42\r\n");
            assertEquals(believed.equals("127.0.0.1"), seen[0].equals("edge-42"), seen[0]);
        }
    }

    @Test
    void failure_isLogged_withMethodPathClientAndId() throws Exception {
        try (MargayServer back = back("http: 127.0.0.1:0");
                LoggedLines log = LoggedLines.of("margay.app");
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) back.addresses().getFirst())) {
            assertEquals(500, client.get("/id?fail=secret").status());
            assertEquals(1, log.count("failed: GET /id from 127.0.0.1, request "), log::toString);
            assertEquals(0, log.count("secret"), log::toString);
        }
    }

    /// Whoever is shown an error can say which one.
    @Test
    void pageOfAnError_namesTheRequest_andIsHtmlForBrowsers() throws Exception {
        Files.createDirectories(folder.resolve("app"));
        Files.writeString(folder.resolve("app/bad.jsp"), "<% int no = 1 / 0; %>");
        try (MargayServer server =
                server(
                        "errors",
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - client-address: {field: X-Forwarded-For, trusted: [127.0.0.1]}
                            routes: {/gone: {gateway: back}, /app: {app: app}}
                        upstreams: {back: {members: [{url: "http://127.0.0.1:%d"}]}}
                        """
                                .formatted(FreePort.next()))) {
            String none = page(server, "/none", "text/html,*/*;q=0.8");
            assertTrue(none.contains("<h1>404 Not Found</h1>"), none);
            assertFalse(none.contains("edge-7"), none);
            assertEquals("404 Not Found\n", page(server, "/none", "*/*"));
            String gone = page(server, "/gone/", "text/html");
            assertTrue(gone.contains("<h1>503 Service Unavailable</h1>"), gone);
            assertTrue(gone.contains("<p>Request edge-7</p>"), gone);
            String plain = page(server, "/gone/", "text/plain");
            assertTrue(plain.endsWith("\nRequest edge-7\n"), plain);
            String problem = page(server, "/gone/", "application/json");
            assertTrue(problem.contains("\"requestId\":\"edge-7\"}"), problem);
            String failed = page(server, "/app/bad.jsp", "text/html");
            assertTrue(failed.contains("<p>Request edge-7</p>"), failed);
        }
    }

    private static String page(MargayServer server, String path, String accept) throws IOException {
        var address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nX-Request-Id: edge-7\r\nAccept: "
                            + accept
                            + "\r\n\r\n");
            return client.response().text();
        }
    }
}
