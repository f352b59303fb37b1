package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Limits;
import io.margay.server.config.HttpLimits;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What HTTP/2 servers have been attacked with, each by its CVE, end to end: what it may cost is
/// bounded, and nothing is left of it.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class Http2HostileTest {
    private static final Http2Limits LIMITS = Http2Limits.defaults();

    private final Wire wire;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger worked = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Exchange> kept = new CopyOnWriteArrayList<>();
    private final CountDownLatch held = new CountDownLatch(1);
    private TestServer server;
    private Http2Wire client;

    Http2HostileTest(Wire wire) {
        this.wire = wire;
    }

    static Stream<Wire> wires() {
        return Stream.of(new Wire("native", true), new Wire("blocking", false));
    }

    @BeforeEach
    void open() throws IOException {
        HttpLimits limits =
                HttpLimits.defaults()
                        .withTimeouts(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(1));
        server = new TestServer(wire, this::handle, limits);
        client = server.http2();
    }

    @AfterEach
    void close() throws IOException {
        held.countDown();
        client.close();
        server.close();
    }

    private void handle(Exchange exchange) throws IOException {
        begun.incrementAndGet();
        switch (exchange.request().target().rawPath()) {
            case "/held" ->
                    exchange.dispatch(
                            TestHandlers.unchecked(() -> {
                                worked.incrementAndGet();
                                awaitRelease();
                                TestHandlers.end(exchange, "released");
                            }));
            case "/much" ->
                    exchange.dispatch(() -> {
                        worked.incrementAndGet();
                        try {
                            byte[] much = new byte[1_000_000];
                            exchange.end(much, 0, much.length);
                        } catch (IOException e) {
                            failures.add(String.valueOf(e.getMessage()));
                        }
                    });
            case "/kept" -> {
                kept.add(exchange);
                TestHandlers.end(exchange, "kept");
            }
            default -> TestHandlers.handle(exchange);
        }
    }

    private void awaitRelease() {
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void nothingIsLeft() throws IOException {
        held.countDown();
        Eventually.holds("no request is left", () -> server.stats().requestsActive() == 0);
        client.close();
        Eventually.holds("no connection is left", () -> server.stats().connectionsOpen() == 0);
        try (Http2Wire next = server.http2()) {
            next.get(1, "/next");
            assertEquals("GET /next", next.message(1).text());
        }
    }

    private void endsCalm(byte[] frames, int times) throws IOException {
        client.flood(frames, times);
        int code = client.awaitEnd();
        // Who still sends when the connection ends may meet the reset before it has read why.
        assertTrue(
                code == Http2.ENHANCE_YOUR_CALM || code == -1,
                "ended with " + code + ", not for its overhead");
        nothingIsLeft();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] head(int id, boolean ends, String method, String path) {
        return Http2Wire.frame(
                Http2.HEADERS,
                Http2.FLAG_END_HEADERS | (ends ? 1 : 0),
                id,
                Http2Wire.block(Http2Wire.request(method, path)));
    }

    @Test
    void CVE_2023_44487_rapidReset_endsTheConnection_andTheWork() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            int id = 2 * i + 1;
            byte[] pair =
                    joined(
                            head(id, true, "GET", "/held"),
                            Http2Wire.frame(
                                    Http2.RST_STREAM, 0, id, Http2Wire.int32(Http2.CANCEL)));
            if (client.flood(pair, 1)) {
                break;
            }
        }
        int code = client.awaitEnd();
        assertTrue(code == Http2.ENHANCE_YOUR_CALM || code == -1, "code " + code);
        // A reset costs 8, and something is forgiven while the test runs.
        assertTrue(begun.get() <= LIMITS.overheadMax() / 8 + 100, "begun " + begun);
        assertTrue(worked.get() <= LIMITS.executionsMax(), "worked on " + worked);
        nothingIsLeft();
        assertTrue(worked.get() <= LIMITS.executionsMax(), "none was begun after its reset");
    }

    /// One that cancels what takes long may have as many at work as it may have streams, and no
    /// more.
    @Test
    void CVE_2023_44487_resetStreamsAtWork_areBounded() throws IOException {
        // Within what resets may cost.
        HttpLimits few =
                HttpLimits.defaults()
                        .withHttp2(Http2Limits.defaults().withStreamsMax(20).withExecutionsMax(50));
        try (TestServer small = new TestServer(wire, this::handle, few);
                Http2Wire attacker = small.http2()) {
            int next = 1;
            for (int i = 0; i < 40; i++, next += 2) {
                attacker.get(next, "/held");
                int at = i + 1;
                Eventually.holds("it is at work", () -> worked.get() == at);
                attacker.send(Http2.RST_STREAM, 0, next, Http2Wire.int32(Http2.CANCEL));
            }
            attacker.get(next, "/next");
            assertEquals(Http2.REFUSED_STREAM, attacker.message(next).reset());
            held.countDown();
            Eventually.holds("the work is over", () -> small.stats().requestsActive() == 0);
            attacker.get(next + 2, "/next");
            assertEquals("GET /next", attacker.message(next + 2).text());
        }
    }

    @Test
    void CVE_2025_8671_CVE_2025_48989_madeYouReset_keepsTheSlotUntilTheWorkEnds()
            throws IOException {
        int most = LIMITS.streamsMax();
        for (int i = 0; i < most; i++) {
            client.get(2 * i + 1, "/held");
        }
        client.settle();
        Eventually.holds(
                "all that may be are at work", () -> worked.get() == LIMITS.executionsMax());
        for (int i = 0; i < most; i++) {
            client.room(2 * i + 1, 0);
        }
        int next = 2 * most + 1;
        client.get(next, "/next");
        assertEquals(Http2.REFUSED_STREAM, client.message(next).reset());
        for (int i = 0; i < most; i++) {
            assertEquals(Http2.PROTOCOL_ERROR, client.message(2 * i + 1).reset());
        }
        assertTrue(worked.get() <= LIMITS.executionsMax());
        nothingIsLeft();
    }

    @Test
    void CVE_2025_8671_manyMadeResets_endTheConnection() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            int id = 2 * i + 1;
            byte[] pair =
                    joined(
                            head(id, false, "POST", "/echo"),
                            Http2Wire.frame(Http2.WINDOW_UPDATE, 0, id, Http2Wire.int32(0)));
            if (client.flood(pair, 1)) {
                break;
            }
        }
        int code = client.awaitEnd();
        assertTrue(code == Http2.ENHANCE_YOUR_CALM || code == -1, "code " + code);
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16_000})
    void CVE_2024_27316_CVE_2024_24549_continuationFlood_isCutOff(int size) throws IOException {
        client.send(Http2.HEADERS, 0, 1, Http2Wire.block(Http2Wire.request("GET", "/")));
        byte[] more = new byte[size];
        java.util.Arrays.fill(more, (byte) 0x82);
        endsCalm(Http2Wire.frame(Http2.CONTINUATION, 0, 1, more), 1_000);
        assertEquals(1, begun.get(), "only the request of the next connection");
    }

    @Test
    void CVE_2024_27316_headerBlockThatNeverEnds_isCutOffInTime() throws IOException {
        client.settle();
        client.send(Http2.HEADERS, 0, 1, Http2Wire.block(Http2Wire.request("GET", "/")));
        assertEquals(Http2.ENHANCE_YOUR_CALM, client.awaitEnd());
        nothingIsLeft();
    }

    @Test
    void CVE_2019_9512_pingFlood_endsTheConnection() throws IOException {
        endsCalm(Http2Wire.frame(Http2.PING, 0, 0, new byte[8]), 5_000);
    }

    @Test
    void CVE_2019_9515_settingsFlood_endsTheConnection() throws IOException {
        byte[] settings = Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, 1_000);
        endsCalm(Http2Wire.frame(Http2.SETTINGS, 0, 0, settings), 5_000);
    }

    @Test
    void CVE_2020_11080_hugeSettings_endTheConnection() throws IOException {
        int[] many = new int[2 * 2_000];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = Http2.SETTINGS_INITIAL_WINDOW_SIZE;
            many[i + 1] = i;
        }
        endsCalm(Http2Wire.frame(Http2.SETTINGS, 0, 0, Http2Wire.settings(many)), 1);
    }

    @Test
    void CVE_2019_9518_emptyData_endsTheConnection() throws IOException {
        client.headers(1, false, Http2Wire.request("POST", "/echo"));
        endsCalm(Http2Wire.frame(Http2.DATA, 0, 1, new byte[0]), 5_000);
    }

    @Test
    void CVE_2019_9513_priorityFlood_endsTheConnection() throws IOException {
        byte[] churn = new byte[] {0, 0, 0, 3, 16};
        endsCalm(Http2Wire.frame(Http2.PRIORITY, 0, 1, churn), 5_000);
    }

    @Test
    void CVE_2019_9514_floodOfWrongRequests_endsTheConnection() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            byte[] wrong =
                    Http2Wire.frame(
                            Http2.HEADERS,
                            Http2.FLAG_END_HEADERS,
                            2 * i + 1,
                            Http2Wire.block(":method: GET"));
            if (client.flood(wrong, 1)) {
                break;
            }
        }
        int code = client.awaitEnd();
        assertTrue(code == Http2.ENHANCE_YOUR_CALM || code == -1, "code " + code);
        nothingIsLeft();
        assertEquals(1, begun.get());
    }

    @Test
    void CVE_2019_9516_emptyNames_endTheStream() throws IOException {
        byte[] empty = joined(Http2Wire.block(Http2Wire.request("GET", "/")), new byte[3]);
        client.send(Http2.HEADERS, 5, 1, empty);
        assertEquals(Http2.PROTOCOL_ERROR, client.message(1).reset());
    }

    @Test
    void unknownFrames_inAFlood_endTheConnection() throws IOException {
        endsCalm(Http2Wire.frame(0x77, 0, 0, new byte[0]), 5_000);
    }

    @Test
    void CVE_2019_9511_tinyWindows_endTheConnection() throws IOException {
        client.givesRoom(false);
        client.send(
                Http2.SETTINGS, 0, 0, Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, 0));
        client.get(1, "/much");
        client.settle();
        Eventually.holds("a thread is at work", () -> worked.get() == 1);
        endsCalm(Http2Wire.frame(Http2.WINDOW_UPDATE, 0, 1, Http2Wire.int32(1)), 5_000);
        Eventually.holds("the thread was let go", () -> failures.size() == 1);
    }

    @Test
    void CVE_2019_9517_windowThatNeverOpens_letsTheThreadGo() throws IOException {
        client.givesRoom(false);
        for (int i = 0; i < 10; i++) {
            client.get(2 * i + 1, "/much");
        }
        Eventually.holds("threads are at work", () -> worked.get() == 10);
        for (int i = 0; i < 10; i++) {
            assertEquals(Http2.CANCEL, client.message(2 * i + 1).reset());
        }
        Eventually.holds("all threads were let go", () -> failures.size() == 10);
        nothingIsLeft();
    }

    @Test
    void CVE_2016_6581_hpackBomb_endsTheConnection() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        bomb.writeBytes(Http2Wire.block(Http2Wire.request("GET", "/")));
        bomb.writeBytes(new byte[] {0x40, 1, 'x', 127, (byte) 0x81, 0x1d});
        bomb.writeBytes("a".repeat(127 + 1 + 29 * 128).getBytes(StandardCharsets.US_ASCII));
        byte[] first = bomb.toByteArray();
        byte[] block = java.util.Arrays.copyOf(first, 16_000);
        java.util.Arrays.fill(block, first.length, block.length, (byte) 0xbe);
        client.send(Http2.HEADERS, 5, 1, block);
        assertEquals(Http2.ENHANCE_YOUR_CALM, client.awaitEnd());
        nothingIsLeft();
        assertEquals(1, begun.get());
    }

    /// Fields that are joined or dropped count as others do.
    @ParameterizedTest
    @ValueSource(strings = {"cookie", "host", "te", "content-length"})
    void CVE_2026_49975_CVE_2026_47774_CVE_2026_73550_bombOfOneField_isBounded(String name)
            throws IOException {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        bomb.writeBytes(Http2Wire.block(Http2Wire.request("GET", "/")));
        bomb.writeBytes(new byte[] {0x40, (byte) text.length});
        bomb.writeBytes(text);
        bomb.writeBytes(new byte[] {127, (byte) 0x81, 0x1d});
        bomb.writeBytes("a".repeat(127 + 1 + 29 * 128).getBytes(StandardCharsets.US_ASCII));
        byte[] first = bomb.toByteArray();
        byte[] block = java.util.Arrays.copyOf(first, 16_000);
        java.util.Arrays.fill(block, first.length, block.length, (byte) 0xbe);
        client.send(Http2.HEADERS, 5, 1, block);
        assertEquals(Http2.ENHANCE_YOUR_CALM, client.awaitEnd());
        nothingIsLeft();
        assertEquals(1, begun.get());
    }

    @Test
    void CVE_2026_123007_windowOfTheConnection_beyondTheMost_endsIt() throws IOException {
        client.send(Http2.WINDOW_UPDATE, 0, 0, Http2Wire.int32(Integer.MAX_VALUE));
        assertEquals(Http2.FLOW_CONTROL_ERROR, client.awaitEnd());
        nothingIsLeft();
    }

    @Test
    void CVE_2026_123007_windowOfAStream_beyondTheMost_endsIt() throws IOException {
        client.get(1, "/held");
        client.send(Http2.WINDOW_UPDATE, 0, 1, Http2Wire.int32(Integer.MAX_VALUE));
        assertEquals(Http2.FLOW_CONTROL_ERROR, client.message(1).reset());
        nothingIsLeft();
    }

    @Test
    void CVE_2026_123007_windowsMovedBeyondTheMost_endTheConnection() throws IOException {
        client.get(1, "/held");
        client.send(Http2.WINDOW_UPDATE, 0, 1, Http2Wire.int32(1));
        client.send(
                Http2.SETTINGS,
                0,
                0,
                Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, Integer.MAX_VALUE));
        assertEquals(Http2.FLOW_CONTROL_ERROR, client.awaitEnd());
        nothingIsLeft();
    }

    @Test
    void CVE_2025_53506_streams_areBounded_thoughTheSettingIsNotAcknowledged() throws IOException {
        int most = LIMITS.streamsMax();
        for (int i = 0; i <= most; i++) {
            client.get(2 * i + 1, "/held");
        }
        assertEquals(Http2.REFUSED_STREAM, client.message(2 * most + 1).reset());
        assertEquals(most, begun.get());
        nothingIsLeft();
    }

    @Test
    void CVE_2024_34750_CVE_2025_31650_badRequests_leakNothing() throws IOException {
        for (int round = 0; round < 20; round++) {
            try (Http2Wire bad = server.http2()) {
                for (int i = 0; i < 30; i++) {
                    int id = 2 * i + 1;
                    switch (i % 5) {
                        case 0 -> bad.headers(id, true, ":method: GET", "x: y");
                        case 1 -> bad.headers(id, true, Http2Wire.request("GET", "/", tooMany()));
                        case 2 ->
                                bad.headers(
                                        id,
                                        true,
                                        Http2Wire.request("GET", "/", "priority: u=99;;=,"));
                        case 3 -> bad.headers(id, true, Http2Wire.request("GET", "/a b"));
                        default ->
                                bad.headers(id, false, Http2Wire.request("POST", "/echo", "x: y"));
                    }
                }
                bad.settle();
                assertEquals(431, bad.message(3).status());
                assertEquals(400, bad.message(7).status());
                assertEquals(200, bad.message(5).status());
                assertEquals(Http2.PROTOCOL_ERROR, bad.message(1).reset());
            }
        }
        nothingIsLeft();
    }

    private static String[] tooMany() {
        String[] fields = new String[LIMITS.fieldsMax() + 1];
        java.util.Arrays.fill(fields, "x: y");
        return fields;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x: a\r\nb: c",
                "x: a\nb",
                "x: a\u0000b",
                "x:y: z",
                "x y: z",
                "x\r\ny: z",
                "X: upper",
                "x:  led by a blank",
                "x: followed by one ",
                "connection: close",
                "transfer-encoding: chunked",
                "upgrade: h2c",
                "keep-alive: 5",
                "proxy-connection: x",
                "te: gzip",
                ":late: x",
                ":status: 200",
                ":path: /second",
                "content-length: 5\nx",
                "content-length: +5",
                "content-length: 5, 5",
                "content-length: "
            })
    void h2Desync_fieldsThatMeanMoreInHttp1_endTheStream(String field) throws IOException {
        client.headers(1, false, Http2Wire.request("POST", "/echo", field));
        assertEquals(Http2.PROTOCOL_ERROR, client.message(1).reset());
        client.get(3, "/next");
        assertEquals("GET /next", client.message(3).text());
        assertEquals(1, begun.get());
    }

    @Test
    void h2Desync_contentThatIsNotAsLongAsDeclared_endsTheStream() throws IOException {
        client.headers(1, false, Http2Wire.request("POST", "/echo", "content-length: 5"));
        client.data(1, true, "four");
        assertEquals(Http2.PROTOCOL_ERROR, client.message(1).reset());
        client.headers(3, false, Http2Wire.request("POST", "/echo", "content-length: 5"));
        client.data(3, false, "sixsix");
        assertEquals(Http2.PROTOCOL_ERROR, client.message(3).reset());
        client.headers(5, true, Http2Wire.request("POST", "/echo", "content-length: 5"));
        assertEquals(Http2.PROTOCOL_ERROR, client.message(5).reset());
        client.headers(
                7,
                false,
                Http2Wire.request("POST", "/echo", "content-length: 1", "content-length: 1"));
        assertEquals(Http2.PROTOCOL_ERROR, client.message(7).reset());
        nothingIsLeft();
    }

    @Test
    void CVE_2026_65637_CVE_2026_32990_hostMissingOrContradicted_isRefused() throws IOException {
        client.headers(1, true, ":method: GET", ":scheme: http", ":path: /");
        client.headers(3, true, Http2Wire.request("GET", "/", "host: other"));
        client.headers(5, true, ":method: GET", ":scheme: http", ":path: /", ":authority: a@b");
        client.headers(7, true, ":method: GET", ":scheme: http", ":path: /", "host: only.host");
        assertEquals(400, client.message(1).status());
        assertEquals(400, client.message(3).status());
        assertEquals(400, client.message(5).status());
        assertEquals(200, client.message(7).status());
        assertEquals(1, begun.get());
    }

    @Test
    void CVE_2024_52317_CVE_2026_77762_exchangeAfterItsEnd_touchesNoOther() throws IOException {
        client.get(1, "/kept");
        assertEquals("kept", client.message(1).text());
        client.get(3, "/held");
        client.settle();
        Exchange old = kept.getFirst();
        byte[] evil = "evil".getBytes(StandardCharsets.US_ASCII);
        for (TestHandlers.Work work :
                List.<TestHandlers.Work>of(
                        () -> old.write(evil, 0, 4),
                        () -> old.offer(evil, 0, 4),
                        () -> old.end(evil, 0, 4),
                        () -> old.poll(evil, 0, 4))) {
            org.junit.jupiter.api.Assertions.assertThrows(IllegalStateException.class, work::run);
        }
        held.countDown();
        assertEquals("released", client.message(3).text());
        assertEquals("kept", client.on(1).text());
    }

    @Test
    void CVE_2012_5568_contentThatDoesNotCome_isGivenUp() throws IOException {
        client.headers(1, false, Http2Wire.request("POST", "/echo"));
        client.data(1, false, "some");
        client.headers(3, false, Http2Wire.request("POST", "/dispatched/echo"));
        assertEquals("POST /dispatched/echo", client.message(3).text());
        assertEquals(408, client.message(1).status());
        nothingIsLeft();
    }

    @Test
    void content_beyondTheWindows_endsTheStreamOrTheConnection() throws IOException {
        client.headers(1, false, Http2Wire.request("POST", "/held"));
        String piece = "x".repeat(16_384);
        for (int i = 0; i <= LIMITS.streamWindowBytes() / 16_384; i++) {
            client.data(1, false, piece);
        }
        assertEquals(Http2.FLOW_CONTROL_ERROR, client.message(1).reset());
        nothingIsLeft();
    }

    @Test
    void contentOfTheMostStreams_isKeptWithinTheConnectionsWindow() throws IOException {
        String piece = "x".repeat(16_384);
        boolean ended = false;
        try {
            for (int i = 0; i < 100; i++) {
                client.headers(2 * i + 1, false, Http2Wire.request("POST", "/held"));
                for (int k = 0; k < 4; k++) {
                    client.data(2 * i + 1, false, piece);
                }
            }
        } catch (IOException e) {
            ended = true;
        }
        int code = client.awaitEnd();
        assertTrue(code == Http2.FLOW_CONTROL_ERROR || (ended && code == -1), "code " + code);
        nothingIsLeft();
    }

    @Test
    void preface_thatIsWrong_endsTheConnection() throws IOException {
        try (var raw = server.client()) {
            raw.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n");
            assertTrue(wire.tls() || raw.response().status() >= 400);
        }
        nothingIsLeft();
    }
}
