package io.margay.app.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.Pem;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.SSLSessionInfo;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Undertow behind the gateway, by AJP13 and by HTTP: content both ways, what it learns of the
/// client, and many requests on few connections.
@Tag("slow")
final class UndertowGatewayTest {
    private static final String SECRET = "s3cret";
    private static final String SECRET_PROPERTY = "io.undertow.ajp.AJP_SECRET";

    @TempDir Path folder;

    private static Undertow undertow;
    private static int ajp;
    private static int http;

    @BeforeAll
    static void start() {
        System.setProperty(SECRET_PROPERTY, SECRET);
        undertow =
                Undertow.builder()
                        .setIoThreads(1)
                        .setWorkerThreads(8)
                        .addAjpListener(0, "127.0.0.1")
                        .addHttpListener(0, "127.0.0.1")
                        .setHandler(new BlockingHandler(UndertowGatewayTest::handle))
                        .build();
        undertow.start();
        for (Undertow.ListenerInfo each : undertow.getListenerInfo()) {
            int port = ((InetSocketAddress) each.getAddress()).getPort();
            if (each.getProtcol().equals("ajp")) {
                ajp = port;
            } else {
                http = port;
            }
        }
    }

    @AfterAll
    static void stop() {
        undertow.stop();
        System.clearProperty(SECRET_PROPERTY);
    }

    /// `/echo` answers with the content of the request, `/bytes/N` with so many bytes, `/none` with
    /// 204, all else with what is known of the request.
    private static void handle(HttpServerExchange exchange) throws IOException {
        String path = exchange.getRequestPath();
        OutputStream out = exchange.getOutputStream();
        if (path.equals("/echo")) {
            try (InputStream in = exchange.getInputStream()) {
                in.transferTo(out);
            }
        } else if (path.startsWith("/bytes/")) {
            byte[] bytes = content(Integer.parseInt(path.substring("/bytes/".length())));
            exchange.setResponseContentLength(bytes.length);
            out.write(bytes);
        } else if (path.equals("/none")) {
            exchange.setStatusCode(204);
        } else {
            exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
            out.write(facts(exchange).getBytes(StandardCharsets.UTF_8));
        }
        exchange.endExchange();
    }

    private static String facts(HttpServerExchange exchange) {
        SSLSessionInfo tls = exchange.getConnection().getSslSessionInfo();
        return String.join(
                "\n",
                exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                "path " + exchange.getRequestPath(),
                "query " + exchange.getQueryString(),
                "scheme " + exchange.getRequestScheme(),
                "host " + exchange.getHostAndPort(),
                "from " + exchange.getSourceAddress().getAddress().getHostAddress(),
                "field " + exchange.getRequestHeaders().getFirst("X-Field"),
                "cipher " + (tls == null ? "none" : tls.getCipherSuite()),
                "");
    }

    private static byte[] content(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return bytes;
    }

    private MargayServer gateway(String scheme, String listener) throws IOException {
        return gateway(scheme, listener, SECRET);
    }

    private MargayServer gateway(String scheme, String listener, String secret) throws IOException {
        Path file = folder.resolve("front.yaml");
        Files.writeString(
                file,
                """
                listeners: [{%s}]
                hosts: [{routes: {/: {gateway: undertow}}}]
                upstreams:
                  undertow: {members: [{url: "%s://127.0.0.1:%d"%s}]}
                work: work
                """
                        .formatted(
                                listener,
                                scheme,
                                scheme.equals("ajp") ? ajp : http,
                                scheme.equals("ajp")
                                        ? ", pings: [connect, prepost], secret: " + secret
                                        : ""));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static RawHttpClient client(MargayServer server) throws IOException {
        return RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst());
    }

    /// Undertow closes the connection without a word.
    @Test
    void secret_thatIsWrong_isRefusedByUndertow() throws Exception {
        try (MargayServer front = gateway("ajp", "http: 127.0.0.1:0", "another");
                RawHttpClient client = client(front)) {
            assertEquals(502, client.get("/bytes/3").status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ajp", "http"})
    void content_ofEitherFraming_arrivesByteForByte(String scheme) throws Exception {
        byte[] content = content(300_000);
        try (MargayServer front = gateway(scheme, "http: 127.0.0.1:0");
                RawHttpClient client = client(front)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n");
            assertArrayEquals(content, client.send(content).response().body());
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int at = 0; at < content.length; at += 50_000) {
                client.send("c350\r\n").send(content, at, 50_000).send("\r\n");
            }
            assertArrayEquals(content, client.send("0\r\n\r\n").response().body());
            assertArrayEquals(content(1_000_000), client.get("/bytes/1000000").body());
            assertArrayEquals(content(0), client.get("/bytes/0").body());
            client.send("HEAD /bytes/77 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals("77", client.response(true).field("Content-Length"));
            RawHttpClient.Response none = client.get("/none");
            assertEquals(204, none.status());
            assertNull(none.field("Content-Length"));
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertEquals("", client.response().text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ajp", "http"})
    void request_asTheClientSentIt_isKnownThere(String scheme) throws Exception {
        try (MargayServer front = gateway(scheme, "http: 127.0.0.1:0");
                RawHttpClient client = client(front)) {
            client.send(
                    "GET /a%20b/%C3%BC?x=1&y=%2F HTTP/1.1\r\nHost: shop.example\r\n"
                            + "X-Field: some value\r\n\r\n");
            String seen = new String(client.response().body(), StandardCharsets.UTF_8);
            assertTrue(seen.contains("GET /a%20b/%C3%BC"), seen);
            assertTrue(seen.contains("path /a b/ü\n"), seen);
            assertTrue(seen.contains("query x=1&y=%2F\n"), seen);
            assertTrue(seen.contains("scheme http\nhost shop.example\n"), seen);
            assertTrue(seen.contains("from 127.0.0.1\nfield some value\n"), seen);
        }
    }

    @Test
    void clientOverTls_byAjp_isKnownThereAsSuch() throws Exception {
        Pem pem = Pem.make(folder, "front");
        String listener = "https: 127.0.0.1:0, certificates: [{cert: front.pem, key: front.key}]";
        try (MargayServer front = gateway("ajp", listener);
                HttpClient client = HttpClient.newBuilder().sslContext(pem.trusting()).build()) {
            URI page = URI.create("https://localhost:" + front.ports().getFirst() + "/page");
            String seen =
                    client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
                            .body();
            assertTrue(seen.contains("scheme https\n"), seen);
            assertTrue(seen.contains("cipher TLS_AES_"), seen);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ajp", "http"})
    void manyRequests_byManyClients_areAllAnswered(String scheme) throws Exception {
        try (MargayServer front = gateway(scheme, "http: 127.0.0.1:0");
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(executor.submit(() -> ask(front)));
            }
            for (Future<Integer> each : clients) {
                assertEquals(100, each.get());
            }
        }
    }

    private static int ask(MargayServer front) throws IOException {
        int good = 0;
        try (RawHttpClient client = client(front)) {
            for (int i = 0; i < 100; i++) {
                byte[] expected = content(i * 100);
                if (i % 3 == 0) {
                    client.send(
                            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                    + expected.length
                                    + "\r\n\r\n");
                    client.send(expected);
                    assertArrayEquals(expected, client.response().body());
                } else {
                    assertArrayEquals(expected, client.get("/bytes/" + expected.length).body());
                }
                good++;
            }
        }
        return good;
    }
}
