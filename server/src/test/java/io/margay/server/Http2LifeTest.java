package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Limits;
import io.margay.server.exchange.Exchange;
import io.margay.server.files.StaticFiles;
import io.margay.server.files.StaticFilesConfig;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Exchanges over HTTP/2, on every transport, in clear text and over TLS.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class Http2LifeTest {
    private static final byte[] MUCH =
            "0123456789".repeat(100_000).getBytes(StandardCharsets.US_ASCII);

    private final Wire wire;
    private TestServer server;
    private Http2Wire client;
    private int roomGiven = Http2.WINDOW_DEFAULT;
    private final CountDownLatch held = new CountDownLatch(1);
    private final Semaphore slow = new Semaphore(0);
    private final AtomicInteger slowBegun = new AtomicInteger();

    @TempDir Path folder;

    Http2LifeTest(Wire wire) {
        this.wire = wire;
    }

    static Stream<Wire> wires() {
        return Stream.of(
                new Wire("nio", false),
                new Wire("native", true),
                new Wire("nio", false, true),
                new Wire("native", true, true),
                new Wire("blocking", false),
                new Wire("blocking", true));
    }

    @BeforeEach
    void open() throws IOException {
        server = new TestServer(wire, this::handle);
        client = server.http2();
    }

    @AfterEach
    void close() throws IOException {
        held.countDown();
        slow.release(100);
        client.close();
        server.close();
    }

    private void handle(Exchange exchange) throws IOException {
        switch (exchange.request().target().rawPath()) {
            case "/held" ->
                    exchange.dispatch(
                            TestHandlers.unchecked(() -> {
                                awaitRelease();
                                TestHandlers.end(exchange, "released");
                            }));
            case "/slow" ->
                    exchange.dispatch(() -> {
                        slowBegun.incrementAndGet();
                        slow.acquireUninterruptibly();
                    });
            case "/file" -> files().handle(exchange);
            case "/dispatched/file" ->
                    exchange.dispatch(TestHandlers.unchecked(() -> endFile(exchange)));
            case "/much" ->
                    exchange.dispatch(
                            TestHandlers.unchecked(() -> {
                                exchange.end(MUCH, 0, MUCH.length);
                            }));
            case "/constant" -> endConstant(exchange);
            case "/urgent" -> {
                exchange.fields().add("Priority", "u=0");
                endConstant(exchange);
            }
            case "/dispatched/constant" ->
                    exchange.dispatch(TestHandlers.unchecked(() -> endConstant(exchange)));
            case "/overwritten" -> {
                byte[] much = MUCH.clone();
                exchange.end(much, 0, much.length);
                Arrays.fill(much, (byte) '-');
            }
            case "/upgrade" ->
                    exchange.dispatch(
                            TestHandlers.unchecked(() -> {
                                exchange.fields().add("Sec-WebSocket-Accept", "x");
                                exchange.fields().add("Upgrade", "websocket");
                                exchange.upgrade();
                                byte[] bytes = new byte[100];
                                int n = exchange.read(bytes, 0, 100);
                                while (n >= 0) {
                                    exchange.write(bytes, 0, n);
                                    n = exchange.read(bytes, 0, 100);
                                }
                                TestHandlers.end(exchange, "bye");
                            }));
            default -> TestHandlers.handle(exchange);
        }
    }

    private static void endConstant(Exchange exchange) throws IOException {
        exchange.endConstant(MUCH, 0, MUCH.length);
    }

    private void awaitRelease() {
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private StaticFiles files() throws IOException {
        return new StaticFiles(StaticFilesConfig.of(folder, ""), new Random(1));
    }

    private void allEnded() {
        Eventually.holds("no request is left", () -> server.stats().requestsActive() == 0);
    }

    @Test
    void get_onTheLoopAndDispatched_isAnswered() throws IOException {
        client.get(1, "/a");
        client.get(3, "/dispatched/b");
        assertEquals("GET /a", client.message(1).text());
        assertEquals("GET /dispatched/b", client.message(3).text());
        assertEquals(200, client.on(1).status());
        assertTrue(client.on(1).heads().getFirst().contains("content-length: 6"));
        assertTrue(client.on(1).heads().getFirst().contains("date: "));
        allEnded();
        assertEquals(List.of("200", "200"), server.ends);
    }

    @Test
    void streams_aHundredAtATime_areAllAnswered() throws IOException {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 100; i++) {
                client.get(round * 200 + 2 * i + 1, (i % 2 == 0 ? "/" : "/dispatched/") + i);
            }
            for (int i = 0; i < 100; i++) {
                int id = round * 200 + 2 * i + 1;
                assertEquals(
                        "GET " + (i % 2 == 0 ? "/" : "/dispatched/") + i,
                        client.message(id).text());
            }
        }
        allEnded();
        assertEquals(500, server.stats().requests());
    }

    /// The place of a stream is free when the client sees its end, not when the server has cleared
    /// up after it.
    @Test
    void streams_replacedAsSoonAsTheyEnd_areNeverRefused() throws IOException {
        int atATime = Http2Limits.defaults().streamsMax();
        int all = 2_000;
        int next = 0;
        for (int ended = 0; ended < all; ended++) {
            while (next < all && next - ended < atATime) {
                client.get(2 * next++ + 1, "/dispatched/x");
            }
            // Streams end in any order: whichever has ended makes room for one.
            Http2Wire.Message response = client.anyEnded();
            assertEquals(-1, response.reset());
            assertEquals("GET /dispatched/x", response.text());
        }
        allEnded();
    }

    /// As gRPC clients do with deadlines: for the client the place of a call that it cancels is
    /// free at once, though the server still works on it. Every third call is cancelled, and a
    /// dozen of them are at work at any time.
    @Test
    void calls_besideCancelledOnes_areNeverRefused() throws IOException {
        int atATime = Http2Limits.defaults().streamsMax();
        int id = 1;
        int begun = 0;
        int cancelled = 0;
        for (int ended = 0; ended < 1_000; ended++) {
            while (begun < 1_000 && begun - ended < atATime) {
                client.get(id, "/dispatched/x");
                begun++;
                id += 2;
            }
            assertEquals("GET /dispatched/x", client.anyEnded().text());
            if (ended % 3 == 0) {
                client.get(id, "/slow");
                int working = ++cancelled;
                Eventually.holds("it is at work", () -> slowBegun.get() == working);
                client.reset(id, Http2.CANCEL);
                id += 2;
                if (cancelled > 12) {
                    slow.release();
                }
            }
        }
        slow.release(12);
        allEnded();
    }

    @Test
    void content_isReadWithWindows_andEchoed() throws IOException {
        StringBuilder sent = new StringBuilder();
        Random random = new Random(5);
        for (String path : List.of("/echo", "/poll")) {
            int id = path.equals("/echo") ? 1 : 3;
            client.headers(id, false, Http2Wire.request("POST", path));
            sent.setLength(0);
            for (int i = 0; i < 40; i++) {
                // Together less than a stream's window: this client looks at none.
                String piece = "abcdefgh".repeat(random.nextInt(400));
                sent.append(piece);
                client.data(id, i == 39, piece);
                if (i % 8 == 7) {
                    client.settle();
                }
            }
            assertEquals(sent.toString(), client.message(id).text(), path);
        }
        allEnded();
    }

    /// What the server may keep until the client takes it: as it is, or as a copy of its own.
    @Test
    void content_thatNobodyWaitsFor_arrivesAsItWas() throws IOException {
        List<String> paths = List.of("/constant", "/dispatched/constant", "/overwritten");
        for (int i = 0; i < 6; i++) {
            client.get(2 * i + 1, paths.get(i % 3));
        }
        for (int i = 0; i < 6; i++) {
            Http2Wire.Message response = client.message(2 * i + 1);
            assertArrayEquals(MUCH, response.content(), paths.get(i % 3));
            assertTrue(response.heads().getFirst().contains("content-length: 1000000"));
        }
        allEnded();
    }

    @Test
    void response_ofAMegabyte_waitsForTheClientsRoom() throws IOException {
        client.givesRoom(false);
        client.get(1, "/much");
        client.settle();
        Http2Wire.Message response = client.on(1);
        while (response.size() < Http2.WINDOW_DEFAULT) {
            client.read();
        }
        client.settle();
        assertEquals(Http2.WINDOW_DEFAULT, response.size());
        client.get(3, "/dispatched/beside");
        client.room(0, 100);
        assertEquals("GET /dispatched/beside", client.message(3).text());
        client.givesRoom(true);
        client.room(0, 900_000);
        client.room(1, 900_000);
        assertEquals(1_000_000, client.message(1).size());
        allEnded();
    }

    /// Where there is room for a part only, the most urgent response has it (RFC 9218 §10).
    @Test
    void responses_ofDifferentUrgency_goInThatOrder() throws IOException {
        client.givesRoom(false);
        client.headers(1, true, Http2Wire.request("GET", "/constant", "priority: u=5"));
        client.headers(3, true, Http2Wire.request("GET", "/constant", "priority: u=1"));
        client.room(1, 2_000_000);
        client.room(3, 2_000_000);
        roomForMore(0);
        int first = client.on(1).size();
        roomForMore(200_000);
        assertEquals(first, client.on(1).size());

        byte[] update = "1234u=0".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(Http2Wire.int32(1), 0, update, 0, 4);
        client.send(Http2.PRIORITY_UPDATE, 0, 0, update);
        int third = client.on(3).size();
        roomForMore(100_000);
        assertEquals(third, client.on(3).size());
        assertEquals(first + 100_000, client.on(1).size());

        update[6] = '7';
        client.send(Http2.PRIORITY_UPDATE, 0, 0, update);
        client.get(5, "/urgent");
        client.room(5, 2_000_000);
        roomForMore(100_000);
        assertEquals(100_000, client.on(5).size());
        client.givesRoom(true);
        client.room(0, 2_000_000);
        for (int id = 1; id <= 5; id += 2) {
            assertArrayEquals(MUCH, client.message(id).content());
        }
        allEnded();
    }

    /// Gives so much room, and reads until it is used up.
    private void roomForMore(int count) throws IOException {
        if (count > 0) {
            client.room(0, count);
            roomGiven += count;
        }
        int have = 0;
        while (have < roomGiven) {
            client.read();
            have = 0;
            for (int id = 1; id <= 5; id += 2) {
                have += client.on(id).size();
            }
        }
        client.settle();
    }

    @Test
    void trailers_goBothWays() throws IOException {
        client.headers(1, false, Http2Wire.request("POST", "/trailers"));
        client.data(1, false, "x");
        client.send(
                Http2.HEADERS,
                Http2.FLAG_END_HEADERS | Http2.FLAG_END_STREAM,
                1,
                Http2Wire.block("sum: 1"));
        client.message(1);
        assertEquals("content", client.on(1).text());
        assertEquals("sum: 42", client.on(1).heads().getLast());
    }

    @Test
    void expectation_isMet_whenContentIsRead() throws IOException {
        client.headers(
                1,
                false,
                Http2Wire.request("POST", "/echo", "expect: 100-continue", "content-length: 2"));
        while (client.on(1).heads().isEmpty()) {
            client.read();
        }
        assertEquals(":status: 100", client.on(1).heads().getFirst());
        client.data(1, true, "ok");
        assertEquals("ok", client.message(1).text());
    }

    @Test
    void responses_withoutContent_andInterimOnes() throws IOException {
        client.headers(1, true, Http2Wire.request("HEAD", "/a"));
        client.get(3, "/204");
        client.get(5, "/304");
        client.get(7, "/hints");
        client.get(9, "/205");
        assertEquals("", client.message(1).text());
        assertTrue(client.on(1).heads().getFirst().contains("content-length: 7"));
        assertEquals(204, client.message(3).status());
        assertEquals(304, client.message(5).status());
        assertFalse(client.on(3).heads().getFirst().contains("content-length"));
        assertEquals("hinted", client.message(7).text());
        assertEquals(":status: 103\nlink: </a.css>", client.on(7).heads().getFirst());
        assertEquals(205, client.message(9).status());
        assertEquals("", client.message(9).text());
        String reset = client.on(9).heads().getFirst();
        assertTrue(reset.contains("content-length: 0"), reset);
        assertFalse(reset.contains("content-type"), reset);
        allEnded();
    }

    @Test
    void handler_failingInManyWays_isToldToTheClient() throws IOException {
        client.get(1, "/throws");
        client.get(3, "/dispatched/throws");
        client.get(5, "/bad-field");
        client.get(7, "/short");
        client.get(9, "/long");
        assertEquals(500, client.message(1).status());
        assertEquals(500, client.message(3).status());
        assertEquals(500, client.message(5).status());
        assertEquals(Http2.INTERNAL_ERROR, client.message(7).reset());
        assertEquals(Http2.INTERNAL_ERROR, client.message(9).reset());
        client.get(11, "/after");
        assertEquals("GET /after", client.message(11).text());
        allEnded();
    }

    @Test
    void threads_ofTheApplication_mayEndTheResponse() throws IOException {
        client.get(1, "/alien");
        client.get(3, "/async");
        client.get(5, "/chunks");
        assertEquals("alien", client.message(1).text());
        assertEquals("async", client.message(3).text());
        assertEquals("onetwothree", client.message(5).text());
        allEnded();
    }

    @Test
    void response_beforeTheContentHasEnded_stopsTheClient() throws IOException {
        client.headers(1, false, Http2Wire.request("POST", "/early"));
        assertEquals("early", client.message(1).text());
        while (client.on(1).reset() < 0) {
            client.read();
        }
        assertEquals(Http2.NO_ERROR, client.on(1).reset());
        client.data(1, true, "late");
        client.get(3, "/next");
        assertEquals("GET /next", client.message(3).text());
    }

    @Test
    void file_largerThanTheWindows_isSent() throws IOException {
        byte[] bytes = new byte[3_000_000];
        new Random(3).nextBytes(bytes);
        Files.write(folder.resolve("file"), bytes);
        client.get(1, "/file");
        client.get(3, "/beside");
        assertEquals("GET /beside", client.message(3).text());
        assertArrayEquals(bytes, client.message(1).content());
        allEnded();
    }

    private void endFile(Exchange exchange) throws IOException {
        FileChannel file = FileChannel.open(folder.resolve("file"));
        exchange.fields().set("Content-Length", Long.toString(file.size()));
        exchange.endFile(file, 0, file.size());
    }

    @Test
    void file_thatAWorkerEndsWith_isSentByTheLoop() throws IOException {
        byte[] bytes = new byte[3_000_000];
        new Random(3).nextBytes(bytes);
        Files.write(folder.resolve("file"), bytes);
        client.get(1, "/dispatched/file");
        client.headers(3, true, Http2Wire.request("HEAD", "/dispatched/file"));
        assertEquals("", client.message(3).text());
        assertArrayEquals(bytes, client.message(1).content());
        client.get(5, "/dispatched/file");
        client.get(7, "/beside");
        assertEquals("GET /beside", client.message(7).text());
        client.reset(5, Http2.CANCEL);
        allEnded();
    }

    @Test
    void extendedConnect_isAnUpgrade() throws IOException {
        client.headers(
                1,
                false,
                Http2Wire.request("CONNECT", "/upgrade", "sec-websocket-version: 13", "x: y"));
        assertEquals(Http2.PROTOCOL_ERROR, client.message(1).reset(), "a CONNECT has no path");
        client.headers(
                3,
                false,
                ":method: CONNECT",
                ":protocol: websocket",
                ":scheme: http",
                ":path: /upgrade",
                ":authority: localhost",
                "sec-websocket-version: 13");
        client.data(3, false, "one");
        while (client.on(3).size() < 3) {
            client.read();
        }
        String head = client.on(3).heads().getFirst();
        assertEquals(200, client.on(3).status());
        assertFalse(head.contains("upgrade") || head.contains("accept"), head);
        client.data(3, true, "two");
        assertEquals("onetwobye", client.message(3).text());
        allEnded();
    }

    /// 2xx would say that it is one (RFC 8441 §5).
    @Test
    void extendedConnect_thatNobodyTakesForAnUpgrade_isNo2xx() throws IOException {
        client.headers(
                1,
                true,
                ":method: CONNECT",
                ":protocol: websocket",
                ":scheme: http",
                ":path: /dispatched/page",
                ":authority: localhost");
        assertEquals(501, client.message(1).status());
        allEnded();
    }

    /// A stream that was passed over cannot be begun any more (RFC 9113 §5.1.1); one that was used
    /// is closed.
    @Test
    void head_onALowerStream_endsTheConnection() throws IOException {
        client.get(5, "/on-the-loop");
        client.get(3, "/on-the-loop");
        assertEquals(Http2.PROTOCOL_ERROR, client.awaitEnd());
        try (Http2Wire other = server.http2()) {
            other.get(1, "/on-the-loop");
            other.get(3, "/on-the-loop");
            other.message(3);
            other.get(1, "/on-the-loop");
            assertEquals(Http2.STREAM_CLOSED, other.awaitEnd());
        }
        allEnded();
    }

    @Test
    void executions_beyondTheLimit_waitForTheirTurn() throws IOException {
        int most = Http2Limits.defaults().executionsMax();
        for (int i = 0; i < most; i++) {
            client.get(2 * i + 1, "/held");
        }
        int next = 2 * most + 1;
        client.get(next, "/dispatched/late");
        client.get(next + 2, "/on-the-loop");
        assertEquals("GET /on-the-loop", client.message(next + 2).text());
        client.settle();
        assertTrue(client.on(next).heads().isEmpty());
        held.countDown();
        assertEquals("GET /dispatched/late", client.message(next).text());
        for (int i = 0; i < most; i++) {
            assertEquals("released", client.message(2 * i + 1).text());
        }
    }

    @Test
    void drain_letsStreamsEnd_andSaysThatItGoes() throws Exception {
        client.get(1, "/held");
        client.settle();
        CompletableFuture<Boolean> drained =
                CompletableFuture.supplyAsync(() -> server.server.drain(Duration.ofSeconds(20)));
        while (client.goAwayCode() < 0) {
            client.read();
        }
        client.get(3, "/refused");
        assertEquals(Http2.NO_ERROR, client.goAwayCode());
        held.countDown();
        assertEquals("released", client.message(1).text());
        assertEquals(Http2.NO_ERROR, client.awaitEnd());
        client.close();
        assertTrue(drained.get());
    }

    @Test
    void drain_ofAnIdleConnection_endsIt() throws Exception {
        client.get(1, "/");
        client.message(1);
        CompletableFuture<Boolean> drained =
                CompletableFuture.supplyAsync(() -> server.server.drain(Duration.ofSeconds(20)));
        assertEquals(Http2.NO_ERROR, client.awaitEnd());
        client.close();
        assertTrue(drained.get());
    }

    @Test
    void client_thatLeaves_endsItsExchanges() throws IOException {
        client.get(1, "/much");
        client.headers(3, false, Http2Wire.request("POST", "/echo"));
        client.headers(5, false, Http2Wire.request("POST", "/poll"));
        client.settle();
        client.close();
        allEnded();
        assertEquals(3, server.stats().requestsFailed());
        Eventually.holds("no connection", () -> server.stats().connectionsOpen() == 0);
    }

    @Test
    void jdkClient_getsAndPosts() throws Exception {
        try (HttpClient jdk = server.jdkClient().build()) {
            String base =
                    (wire.tls() ? "https" : "http") + "://localhost:" + server.address().getPort();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String content = "content-".repeat(1 + i * 1_000);
                answers.add(
                        jdk.sendAsync(
                                HttpRequest.newBuilder(URI.create(base + "/echo"))
                                        .POST(BodyPublishers.ofString(content))
                                        .build(),
                                BodyHandlers.ofString()));
            }
            for (int i = 0; i < 30; i++) {
                HttpResponse<String> answer = answers.get(i).get();
                assertEquals("content-".repeat(1 + i * 1_000), answer.body());
                assertEquals(
                        wire.tls() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1,
                        answer.version(),
                        "the upgrade from HTTP/1.1 is not followed");
            }
        }
    }
}
