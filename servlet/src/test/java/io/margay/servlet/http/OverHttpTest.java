package io.margay.servlet.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.blocking.BlockingTransport;
import io.margay.transport.nio.NioSockets;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a scripted exchange cannot show: the container over HTTP/1.1, on every transport of the
/// JDK.
@Timeout(60)
final class OverHttpTest {
    /// What a test does with a connected client.
    @FunctionalInterface
    private interface Talk {
        void with(RawHttpClient client) throws Exception;
    }

    private static void serve(String transportName, TestApp app, Talk talk) throws Exception {
        TransportConfig config = TransportConfig.defaults();
        WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
        try (Transport transport =
                        transportName.equals("nio")
                                ? NioSockets.transport(config)
                                : new BlockingTransport(config);
                HttpServer server = new HttpServer(app.handler(), pool)) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            InetSocketAddress address = (InetSocketAddress) listener.socket().address();
            try (RawHttpClient client = RawHttpClient.connect(address)) {
                client.timeout(10_000);
                talk.with(client);
            }
        } finally {
            pool.close();
            app.start().stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void requests_onOneConnection_areAnsweredInTurn(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/small",
                                (q, r) -> {
                                    r.setContentType("text/plain;charset=UTF-8");
                                    r.getWriter().print("grün " + q.getParameter("x"));
                                })
                        .servlet("/large", (q, r) -> r.getWriter().print("y".repeat(100_000)))
                        .servlet(
                                "/fails",
                                (q, r) -> {
                                    throw new IllegalStateException("no");
                                });
        serve(
                transport,
                app,
                client -> {
                    for (int i = 0; i < 3; i++) {
                        RawHttpClient.Response small = client.get("/small?x=" + i);
                        assertEquals("grün " + i, new String(small.body(), StandardCharsets.UTF_8));
                        assertEquals("7", small.field("content-length"));
                        assertEquals(100_000, client.get("/large").body().length);
                        assertEquals(500, client.get("/fails").status());
                        assertEquals(404, client.get("/none").status());
                        client.send(
                                "POST /small HTTP/1.1\r\nHost: x\r\nContent-Type:"
                                        + " application/x-www-form-urlencoded\r\n"
                                        + "Content-Length: 5\r\n\r\nx=%41");
                        assertEquals(
                                "grün A",
                                new String(client.response().body(), StandardCharsets.UTF_8));
                        client.send("HEAD /small?x=1 HTTP/1.1\r\nHost: x\r\n\r\n");
                        RawHttpClient.Response head = client.response(true);
                        assertEquals(small.field("content-length"), head.field("content-length"));
                        client.send("HEAD /large HTTP/1.1\r\nHost: x\r\n\r\n");
                        assertEquals(200, client.response(true).status());
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void asyncRequests_completeAndDispatch(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/later",
                                (q, r) -> {
                                    AsyncContext context = q.startAsync();
                                    context.start(() -> {
                                        q.setAttribute("a", "b");
                                        context.dispatch("/target");
                                    });
                                })
                        .servlet("/target", (q, r) -> r.getWriter().print(q.getAttribute("a")))
                        .servlet("/timeout", (q, r) -> q.startAsync().setTimeout(30));
        serve(
                transport,
                app,
                client -> {
                    for (int i = 0; i < 20; i++) {
                        assertEquals("b", client.get("/later").text());
                    }
                    assertEquals(500, client.get("/timeout").status());
                    assertEquals("b", client.get("/later").text());
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void nonBlockingEcho_ofALargeBody_isWhole(String transport) throws Exception {
        TestApp app = TestApp.root().servlet("/echo", (q, r) -> new Echo(q.startAsync()).start());
        serve(
                transport,
                app,
                client -> {
                    byte[] body = new byte[300_000];
                    new java.util.Random(5).nextBytes(body);
                    Thread writer =
                            Thread.ofVirtual()
                                    .start(() -> {
                                        try {
                                            client.send(
                                                    "POST /echo HTTP/1.1\r\nHost: x\r\n"
                                                            + "Content-Length: 300000\r\n\r\n");
                                            client.send(body);
                                        } catch (IOException e) {
                                            throw new java.io.UncheckedIOException(e);
                                        }
                                    });
                    RawHttpClient.Response response = client.response();
                    writer.join();
                    assertArrayEquals(body, response.body());
                    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok");
                    assertEquals("ok", client.response().text());
                });
    }

    /// Reads and writes in turn, neither ever waiting.
    private static final class Echo implements ReadListener, WriteListener {
        private final AsyncContext context;
        private final ServletInputStream in;
        private final ServletOutputStream out;
        private final byte[] chunk = new byte[5000];
        private boolean allRead;

        Echo(AsyncContext context) throws IOException {
            this.context = context;
            this.in = context.getRequest().getInputStream();
            this.out = context.getResponse().getOutputStream();
        }

        void start() {
            in.setReadListener(this);
            out.setWriteListener(this);
        }

        @Override
        public void onDataAvailable() throws IOException {
            move();
        }

        @Override
        public void onWritePossible() throws IOException {
            move();
        }

        private void move() throws IOException {
            while (out.isReady() && in.isReady()) {
                int count = in.read(chunk);
                if (count < 0) {
                    break;
                }
                out.write(chunk, 0, count);
            }
            finish();
        }

        @Override
        public void onAllDataRead() {
            allRead = true;
            finish();
        }

        private void finish() {
            if (allRead && out.isReady()) {
                allRead = false;
                context.complete();
            }
        }

        @Override
        public void onError(Throwable cause) {
            throw new AssertionError(cause);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void trailers_goBothWays(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/t",
                                (q, r) -> {
                                    q.getInputStream().readAllBytes();
                                    String value = q.getTrailerFields().get("mytrailer");
                                    r.setTrailerFields(() -> Map.of("Answer", value + "!"));
                                    r.getWriter().print("body");
                                });
        serve(
                transport,
                app,
                client -> {
                    client.send(
                            "POST /t HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n"
                                    + "2\r\nab\r\n0\r\nmyTrailer: v\r\n\r\n");
                    assertEquals("body", client.response().text());
                    assertTrue(
                            client.trailers()
                                    .toString()
                                    .toLowerCase(java.util.Locale.ROOT)
                                    .contains("answer: v!"),
                            client.trailers().toString());
                });
    }

    /// Doubles each byte.
    public static final class Double implements HttpUpgradeHandler {
        static final AtomicInteger DESTROYED = new AtomicInteger();

        @Override
        public void init(WebConnection connection) {
            try {
                ServletInputStream in = connection.getInputStream();
                ServletOutputStream out = connection.getOutputStream();
                in.setReadListener(
                        new ReadListener() {
                            @Override
                            public void onDataAvailable() throws IOException {
                                while (in.isReady()) {
                                    int octet = in.read();
                                    if (octet < 0) {
                                        return;
                                    }
                                    out.write(new byte[] {(byte) octet, (byte) octet});
                                }
                            }

                            @Override
                            public void onAllDataRead() throws IOException {
                                try {
                                    connection.close();
                                } catch (Exception e) {
                                    throw new IOException(e);
                                }
                            }

                            @Override
                            public void onError(Throwable cause) {
                                throw new AssertionError(cause);
                            }
                        });
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {
            DESTROYED.incrementAndGet();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void upgrade_rawBytes_flowBothWays(String transport) throws Exception {
        Double.DESTROYED.set(0);
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/up",
                                (q, r) -> {
                                    r.setHeader("Upgrade", "double");
                                    q.upgrade(Double.class);
                                });
        serve(
                transport,
                app,
                client -> {
                    client.send(
                            "GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
                                    + "Upgrade: double\r\n\r\n");
                    assertEquals("HTTP/1.1 101 Switching Protocols", client.line());
                    String line = client.line();
                    StringBuilder fields = new StringBuilder();
                    while (!line.isEmpty()) {
                        fields.append(line.toLowerCase(java.util.Locale.ROOT)).append('\n');
                        line = client.line();
                    }
                    assertTrue(fields.toString().contains("upgrade: double"), fields.toString());
                    assertTrue(
                            fields.toString().contains("connection: upgrade"), fields.toString());
                    client.send("abc");
                    byte[] answer = new byte[6];
                    int got = 0;
                    while (got < 6) {
                        got += client.read(answer, got, 6 - got);
                    }
                    assertEquals("aabbcc", new String(answer, StandardCharsets.US_ASCII));
                    client.shutdownOutput();
                    assertEquals(-1, client.read());
                    io.margay.servlet.test.Until.isTrue(() -> Double.DESTROYED.get() == 1);
                });
    }

    /// Answers with what it has when there is no more for the moment, as a protocol does whose peer
    /// waits for the answer.
    public static final class Turns implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            try {
                var input = connection.getInputStream();
                var output = connection.getOutputStream();
                input.setReadListener(
                        new ReadListener() {
                            @Override
                            public void onDataAvailable() throws IOException {
                                StringBuilder all = new StringBuilder();
                                byte[] some = new byte[10];
                                while (input.isReady()) {
                                    int count = input.read(some);
                                    if (count < 0) {
                                        return;
                                    }
                                    all.append(
                                            new String(some, 0, count, StandardCharsets.US_ASCII));
                                }
                                output.print("<" + all + ">");
                                output.flush();
                            }

                            @Override
                            public void onAllDataRead() throws IOException {
                                output.print("end");
                                output.flush();
                            }

                            @Override
                            public void onError(Throwable failure) {
                                throw new IllegalStateException(failure);
                            }
                        });
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {
            // Nothing is held.
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void upgrade_readListener_isNotHeldUntilMoreComes(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/up",
                                (q, r) -> {
                                    r.setHeader("Upgrade", "turns");
                                    q.upgrade(Turns.class);
                                });
        serve(
                transport,
                app,
                client -> {
                    client.send(
                            "GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
                                    + "Upgrade: turns\r\n\r\nabc");
                    while (!client.line().isEmpty()) {
                        // The head.
                    }
                    for (String turn : List.of("<abc>", "<de>", "<f>")) {
                        for (char c : turn.toCharArray()) {
                            assertEquals(c, (char) client.read(), turn);
                        }
                        client.send(turn.equals("<abc>") ? "de" : "f");
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void expectContinue_isAnsweredWhenTheBodyIsRead(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .servlet(
                                "/e",
                                (q, r) ->
                                        r.getWriter()
                                                .print(q.getInputStream().readAllBytes().length));
        serve(
                transport,
                app,
                client -> {
                    client.send(
                            "POST /e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                                    + "Content-Length: 3\r\n\r\n");
                    assertEquals("HTTP/1.1 100 Continue", client.line());
                    assertEquals("", client.line());
                    client.send("abc");
                    assertEquals("3", client.response().text());
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void statuses_withoutContent_keepTheConnection(String transport) throws Exception {
        TestApp app =
                TestApp.root()
                        .file("/f.txt", "f")
                        .servlet("/204", (q, r) -> r.setStatus(204))
                        .servlet("/302", (q, r) -> r.sendRedirect("/x"))
                        .servlet("/empty", (q, r) -> {});
        serve(
                transport,
                app,
                client -> {
                    for (int i = 0; i < 2; i++) {
                        RawHttpClient.Response none = client.get("/204");
                        assertEquals(204, none.status());
                        assertNull(none.field("content-length"));
                        assertEquals("/x", client.get("/302").field("location"));
                        assertEquals("0", client.get("/empty").field("content-length"));
                        RawHttpClient.Response file = client.get("/f.txt");
                        assertEquals("f", file.text());
                        client.send(
                                "GET /f.txt HTTP/1.1\r\nHost: x\r\nIf-None-Match: "
                                        + file.field("etag")
                                        + "\r\n\r\n");
                        assertEquals(304, client.response().status());
                        client.send("HEAD /f.txt HTTP/1.1\r\nHost: x\r\n\r\n");
                        assertEquals("1", client.response(true).field("content-length"));
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void largeFile_wholeRangeAndHead_areSentFromTheFile(String transport) throws Exception {
        java.nio.file.Path file = java.nio.file.Files.createTempFile("margay-test-", ".bin");
        try {
            byte[] content = new byte[500_000];
            new java.util.Random(9).nextBytes(content);
            java.nio.file.Files.write(file, content);
            TestApp app =
                    TestApp.root()
                            .file("/f.bin", file)
                            .filter(
                                    "/w/*",
                                    (q, r, chain) ->
                                            q.getRequestDispatcher("/f.bin").forward(q, r));
            serve(
                    transport,
                    app,
                    client -> {
                        for (int i = 0; i < 2; i++) {
                            assertArrayEquals(content, client.get("/f.bin").body());
                            client.send(
                                    "GET /f.bin HTTP/1.1\r\nHost: x\r\n"
                                            + "Range: bytes=100000-299999\r\n\r\n");
                            RawHttpClient.Response part = client.response();
                            assertEquals(206, part.status());
                            assertArrayEquals(
                                    java.util.Arrays.copyOfRange(content, 100_000, 300_000),
                                    part.body());
                            client.send("HEAD /f.bin HTTP/1.1\r\nHost: x\r\n\r\n");
                            assertEquals("500000", client.response(true).field("content-length"));
                            assertArrayEquals(content, client.get("/w/x").body());
                        }
                    });
        } finally {
            java.nio.file.Files.delete(file);
        }
    }

    private static TestApp hinting() {
        return TestApp.root()
                .servlet(
                        "/hints",
                        (q, r) -> {
                            r.addHeader("Link", "</a.css>; rel=preload; as=style");
                            r.addHeader("Link", "</b.js>; rel=preload; as=script");
                            r.addCookie(new Cookie("a", "b"));
                            r.sendError(103);
                            r.setHeader("X", "later");
                            r.getWriter().print("page");
                        })
                .servlet(
                        "/late",
                        (q, r) -> {
                            r.flushBuffer();
                            assertThrows(IllegalStateException.class, () -> r.sendError(103));
                            r.getWriter().print("thrown");
                        })
                .servlet("/included", (q, r) -> r.sendError(103))
                .servlet(
                        "/includes",
                        (q, r) -> {
                            q.getRequestDispatcher("/included").include(q, r);
                            r.getWriter().print("alone");
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void earlyHints_areSentAhead_toClientsThatKnowThem(String transport) throws Exception {
        serve(
                transport,
                hinting(),
                client -> {
                    client.send("GET /hints HTTP/1.1\r\nHost: x\r\n\r\n");
                    RawHttpClient.Response early = client.response();
                    assertEquals("HTTP/1.1 103 Early Hints", early.statusLine());
                    assertEquals(2, early.fields().size(), early.fields().toString());
                    assertEquals(2, early.all("link").size());
                    RawHttpClient.Response page = client.response();
                    assertEquals(200, page.status());
                    assertEquals(2, page.all("link").size());
                    assertEquals("a=b", page.field("set-cookie"));
                    assertEquals("later", page.field("x"));
                    assertEquals("page", page.text());
                    assertEquals("thrown", client.get("/late").text());
                    assertEquals("alone", client.get("/includes").text());
                    client.send("GET /hints HTTP/1.0\r\nHost: x\r\n\r\n");
                    assertEquals(200, client.response().status());
                });
    }
}
