package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The life of HTTP/1.x on a connection, over every transport.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class Http1LifeTest {
    private final Wire wire;
    private TestServer server;
    private RawHttpClient client;

    Http1LifeTest(Wire wire) {
        this.wire = wire;
    }

    static java.util.stream.Stream<Wire> wires() {
        return Wire.withInlines();
    }

    @BeforeEach
    void open() throws IOException {
        server = new TestServer(wire, TestHandlers::handle);
        client = server.client();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
    }

    @Test
    void keepAlive_manyRequests_useOneConnection() throws IOException {
        for (int i = 0; i < 50; i++) {
            assertEquals("GET /a" + i, client.get("/a" + i).text());
            assertEquals("GET /dispatched/" + i, client.get("/dispatched/" + i).text());
        }
        assertEquals(1, server.stats().connections());
        Eventually.holds("all are counted", () -> server.stats().successful() == 100);
    }

    /// Most clients send all before they read.
    @Test
    void earlyAnswer_toALargeUpload_reachesAClientThatReadsAtTheEnd() throws IOException {
        byte[] piece = new byte[64 * 1024];
        client.send("POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 6291456\r\n\r\n");
        for (int i = 0; i < 96; i++) {
            client.send(piece);
        }
        Response response = client.response();
        assertEquals("early", response.text());
        assertTrue(response.closes());
    }

    @Test
    void connect_endsTheConnection() throws IOException {
        client.send(
                "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertTrue(client.response().closes());
        assertEquals("", client.readToEnd());
    }

    @Test
    void pipelining_of100Inline_isAnsweredInOrder() throws IOException {
        pipeline("/x");
    }

    @Test
    void pipelining_of100Dispatched_isAnsweredInOrder() throws IOException {
        pipeline("/dispatched/x");
    }

    private void pipeline(String path) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            requests.append("GET ").append(path).append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        client.send(requests.toString());
        for (int i = 0; i < 100; i++) {
            assertEquals("GET " + path + i, client.response().text());
        }
    }

    @Test
    void pipelining_ofRequestsWithContent_isAnsweredInOrder() throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            requests.append("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n")
                    .append(1000 + i)
                    .append("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .append("2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n")
                    .append("GET /plain HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        client.send(requests.toString());
        for (int i = 0; i < 50; i++) {
            assertEquals(Integer.toString(1000 + i), client.response().text());
            assertEquals("abcde", client.response().text());
            assertEquals("GET /plain", client.response().text());
        }
    }

    @Test
    void request_byteByByte_isAnswered() throws IOException {
        String request =
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n";
        for (char c : request.toCharArray()) {
            client.send(String.valueOf(c));
        }
        assertEquals("hello", client.response().text());
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void head_hasTheLengthButNoContent() throws IOException {
        client.send("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n");
        Response response = client.response(true);
        assertEquals("9", response.field("Content-Length"));
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void statusWithoutContent_sendsNone() throws IOException {
        Response none = client.get("/204");
        assertEquals(204, none.status());
        assertNull(none.field("Content-Length"));
        assertNull(none.field("Transfer-Encoding"));
        assertEquals(304, client.get("/304").status());
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void resetContent_whateverIsWritten_hasNeitherContentNorType() throws IOException {
        Response reset = client.get("/205");
        assertEquals(205, reset.status());
        assertEquals("0", reset.field("Content-Length"));
        assertNull(reset.field("Content-Type"));
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void response_hasDateAndNoServerField() throws IOException {
        Response response = client.get("/");
        assertNotNull(response.field("Date"));
        assertNull(response.field("Server"));
        assertEquals("5", response.field("Content-Length"));
        assertFalse(response.closes());
    }

    @Test
    void contentOfUnknownLength_isChunked() throws IOException {
        Response response = client.get("/chunks");
        assertEquals("chunked", response.field("Transfer-Encoding"));
        assertEquals("onetwothree", response.text());
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void http10_endsWithTheConnection() throws IOException {
        client.send("GET /chunks HTTP/1.0\r\n\r\n");
        Response response = client.response();
        assertNull(response.field("Transfer-Encoding"));
        assertEquals("onetwothree", response.text());
        assertEquals(-1, client.read());
    }

    @Test
    void http10_keepAlive_isKept() throws IOException {
        for (int i = 0; i < 3; i++) {
            client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            Response response = client.response();
            assertEquals("keep-alive", response.field("Connection"));
            assertEquals("GET /a", response.text());
        }
    }

    @Test
    void connectionClose_closes() throws IOException {
        client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        Response response = client.response();
        assertTrue(response.closes());
        assertEquals(-1, client.read());
    }

    @Test
    void trailers_followTheContent() throws IOException {
        assertEquals("content", client.get("/trailers").text());
        assertEquals("Sum: 42", String.join("", client.trailers()));
    }

    @Test
    void contentShorterThanDeclared_isSeenAsFailure() throws IOException {
        assertThrows(IOException.class, () -> client.get("/short"));
        Eventually.holds("the failure is counted", () -> server.stats().requestsFailed() == 1);
    }

    /// A close, as from Tomcat: a reset might take away what was sent before. What has been sent
    /// does not look like the whole.
    @Test
    void responseBrokenOff_endsWithoutItsLastChunk() throws IOException {
        client.send("GET /broken-off HTTP/1.1\r\nHost: x\r\n\r\n");
        String all = client.readToEnd();
        assertTrue(all.endsWith("\r\n\r\n5\r\nbegun\r\n"), all);
        Eventually.holds("the failure is counted", () -> server.stats().requestsFailed() == 1);
    }

    @Test
    void responseBrokenOff_whoseEndIsTheConnections_isReset() throws IOException {
        client.send("GET /broken-off HTTP/1.0\r\n\r\n");
        assertThrows(IOException.class, client::readToEnd);
    }

    @Test
    void contentLongerThanDeclared_isNotSent() {
        assertThrows(IOException.class, () -> client.get("/long"));
        Eventually.holds("the failure is counted", () -> server.stats().requestsFailed() == 1);
    }

    @Test
    void handlerThatThrows_isAnswered500() throws IOException {
        assertEquals(500, client.get("/throws").status());
        assertEquals(500, client.get("/dispatched/throws").status());
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void responseSplitting_isAnswered500() throws IOException {
        Response response = client.get("/bad-field");
        assertEquals(500, response.status());
        assertNull(response.field("Set-Cookie"));
    }

    @Test
    void expectContinue_isSentWhenContentIsRead() throws IOException {
        client.send(
                "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                        + "Content-Length: 5\r\n\r\n");
        assertEquals(100, client.response().status());
        client.send("hello");
        assertEquals("hello", client.response().text());
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void expectContinue_unreadContent_getsTheFinalAnswerOnly() throws IOException {
        client.send(
                "POST /early HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                        + "Content-Length: 5\r\n\r\n");
        Response response = client.response();
        assertEquals(200, response.status());
        assertTrue(response.closes());
        client.shutdownOutput();
        assertEquals(-1, client.read());
    }

    @Test
    void earlyAnswer_smallContent_isSkippedAndTheConnectionKept() throws IOException {
        client.send("POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n");
        assertEquals("early", client.response().text());
        client.send("helloGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("GET /next", client.response().text());
    }

    @Test
    void earlyAnswer_largeContent_closesButIsRead() throws IOException {
        client.send("POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
        client.send(new byte[100_000]);
        Response response = client.response();
        assertEquals("early", response.text());
        assertTrue(response.closes());
    }

    @Test
    void onEnd_severalTasks_eachRunsOnceInOrder() throws IOException {
        List<String> ended = new CopyOnWriteArrayList<>();
        try (TestServer own =
                        new TestServer(
                                wire,
                                exchange -> {
                                    exchange.onEnd(() -> ended.add("first"));
                                    exchange.onEnd(() -> {
                                        throw new IllegalStateException("as the test says");
                                    });
                                    exchange.onEnd(() -> {
                                        ended.add("third");
                                        exchange.onEnd(() -> ended.add("late"));
                                    });
                                    TestHandlers.handle(exchange);
                                });
                RawHttpClient asking = own.client()) {
            assertEquals("GET /a", asking.get("/a").text());
            Eventually.holds("all have run", () -> ended.size() == 3);
            assertEquals("GET /dispatched/b", asking.get("/dispatched/b").text());
            Eventually.holds("all have run again", () -> ended.size() == 6);
        }
        List<String> once = List.of("first", "third", "late");
        assertEquals(once, ended.subList(0, 3));
        assertEquals(once, ended.subList(3, 6));
    }

    @Test
    void end_fromAnotherThread_answers() throws IOException {
        assertEquals("alien", client.get("/alien").text());
        assertEquals("async", client.get("/async").text());
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void interimResponse_comesFirst() throws IOException {
        client.send("GET /hints HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals(103, client.response().status());
        assertEquals("hinted", client.response().text());
    }

    @Test
    void pollingEcho_returnsWhatWasSent() throws IOException {
        byte[] body = new byte[300_000];
        new java.util.Random(7).nextBytes(body);
        Thread sender =
                Thread.startVirtualThread(
                        TestHandlers.unchecked(() ->
                                client.send(
                                                "POST /poll HTTP/1.1\r\nHost: x\r\n"
                                                        + "Content-Length: 300000\r\n\r\n")
                                        .send(body)));
        assertArrayEquals(body, client.response().body());
        assertTrue(sender.getState() != null);
        assertEquals("GET /next", client.get("/next").text());
    }

    @Test
    void halfClose_afterTheRequest_stillGetsTheAnswer() throws IOException {
        client.send("GET /dispatched/a HTTP/1.1\r\nHost: x\r\n\r\n");
        client.shutdownOutput();
        assertEquals("GET /dispatched/a", client.response().text());
        assertEquals(-1, client.read());
    }

    @Test
    void upgrade_movesRawBytes() throws IOException {
        try (TestServer raw = new TestServer(wire, TestHandlers.dispatched(Http1LifeTest::shout));
                RawHttpClient peer = raw.client()) {
            peer.send(
                    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\nab");
            Response response = peer.response();
            assertEquals(101, response.status());
            assertEquals("shout", response.field("Upgrade"));
            peer.send("c");
            byte[] shouted = new byte[3];
            for (int i = 0; i < 3; i++) {
                shouted[i] = (byte) peer.read();
            }
            assertEquals("ABC", new String(shouted));
            peer.send(".");
            assertEquals(-1, peer.read());
        }
    }

    private static void shout(io.margay.server.exchange.Exchange exchange) throws IOException {
        exchange.fields().add("Upgrade", "shout");
        exchange.upgrade();
        byte[] one = new byte[1];
        while (exchange.read(one, 0, 1) > 0 && one[0] != '.') {
            one[0] = (byte) Character.toUpperCase(one[0]);
            exchange.write(one, 0, 1);
        }
        exchange.end();
    }

    @Test
    void drain_endsIdleConnectionsAndLetsRequestsEnd() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (TestServer slow =
                        new TestServer(
                                wire,
                                TestHandlers.dispatched(exchange -> {
                                    entered.countDown();
                                    awaitQuietly(go);
                                    TestHandlers.end(exchange, "done");
                                }));
                RawHttpClient idle = slow.client();
                RawHttpClient busy = slow.client()) {
            busy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            entered.await();
            Thread drain =
                    Thread.startVirtualThread(() -> slow.server.drain(Duration.ofSeconds(20)));
            assertEquals(-1, idle.read());
            go.countDown();
            Response response = busy.response();
            assertEquals("done", response.text());
            assertTrue(response.closes());
            assertEquals(-1, busy.read());
            assertTrue(drain.join(Duration.ofSeconds(20)));
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void workersAllBusy_queueFull_isAnswered503() throws Exception {
        if (wire.transport().equals("blocking") || wire.inline()) {
            return; // each connection has a thread of its own: there is no queue to fill
        }
        CountDownLatch go = new CountDownLatch(1);
        WorkerPool tiny = new WorkerPool(new WorkerLimits(1, 1, 2, Duration.ofSeconds(1)));
        try (TestServer full =
                new TestServer(
                        wire,
                        TestHandlers.dispatched(exchange -> {
                            awaitQuietly(go);
                            TestHandlers.end(exchange, "done");
                        }),
                        HttpLimits.defaults(),
                        tiny)) {
            RawHttpClient[] clients = new RawHttpClient[3];
            for (int i = 0; i < 3; i++) {
                clients[i] = full.client();
                clients[i].send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                int queued = i;
                Eventually.holds("taken", () -> tiny.active() == 1 && tiny.queued() == queued);
            }
            try (RawHttpClient more = full.client()) {
                Response response = more.get("/");
                assertEquals(503, response.status());
                assertEquals("1", response.field("Retry-After"));
                go.countDown();
                for (RawHttpClient waiting : clients) {
                    assertEquals("done", waiting.response().text());
                    waiting.close();
                }
                assertEquals("done", more.get("/").text());
            }
        }
    }

    @Test
    void sleepingHandler_delaysNobody() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (TestServer mixed =
                new TestServer(
                        wire,
                        TestHandlers.dispatched(exchange -> {
                            if (exchange.request().target().rawPath().equals("/slow")) {
                                awaitQuietly(go);
                            }
                            TestHandlers.end(exchange, "done");
                        }))) {
            RawHttpClient[] sleepers = new RawHttpClient[20];
            for (int i = 0; i < sleepers.length; i++) {
                sleepers[i] = mixed.client();
                sleepers[i].send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            for (int i = 0; i < 20; i++) {
                try (RawHttpClient quick = mixed.client()) {
                    assertEquals("done", quick.get("/quick").text());
                }
            }
            go.countDown();
            for (RawHttpClient sleeper : sleepers) {
                assertEquals("done", sleeper.response().text());
                sleeper.close();
            }
        }
    }

    @Test
    void requestsMax_closesAfterTheLast() throws IOException {
        try (TestServer few =
                        new TestServer(
                                wire,
                                TestHandlers::handle,
                                HttpLimits.defaults().withRequestsMax(2));
                RawHttpClient peer = few.client()) {
            assertFalse(peer.get("/1").closes());
            assertTrue(peer.get("/2").closes());
            assertEquals(-1, peer.read());
        }
    }
}
