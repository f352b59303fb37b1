package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers of peers, sound and not, as the client sees them.
@Tag("slow")
final class PeerResponseTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

    private static ScriptedPeer answering(String answer) throws IOException {
        return new ScriptedPeer(talk -> {
            while (true) {
                talk.head();
                talk.send(answer);
            }
        });
    }

    /// What the client gets when the peer answers so and then closes.
    private static RawHttpClient.Response through(String answer) throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(answer);
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            return client.send(GET).response();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nX: a\nY: b\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX : a\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\n X: a\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX: a\u0000b\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 0200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 999 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
                "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 100 Continue\r\nContent-Length: 2\r\n\r\nok",
                "SSH-2.0-OpenSSH\r\n",
                "ok",
                "",
            })
    void answer_thatIsMalformed_is502(String answer) throws IOException {
        assertEquals(502, through(answer).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r", "\n", "\u0000", "\u000b", "\u007f", "\r\r", "\u0085\n"})
    void statusLine_thatWouldSplitTheAnswer_is502_cve2026_33523(String octets) throws IOException {
        RawHttpClient.Response response =
                through(
                        "HTTP/1.1 200 OK"
                                + octets
                                + "Set-Cookie: a=b\r\nContent-Length: 2\r\n\r\nok");
        assertEquals(502, response.status());
        assertNull(response.field("Set-Cookie"));
    }

    @Test
    void answer_withEndlessInterims_is502() throws IOException {
        try (ScriptedPeer peer = answering("HTTP/1.1 102 Processing\r\n\r\n".repeat(50));
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            int status = client.response(true).status();
            while (status == 102) {
                status = client.response(true).status();
            }
            assertEquals(502, status);
        }
    }

    @Test
    void answer_withAHeadOverTheLimit_is502() throws IOException {
        String line = "X: " + "y".repeat(1000) + "\r\n";
        assertEquals(502, through("HTTP/1.1 200 OK\r\n" + line.repeat(100) + "\r\n").status());
    }

    @Test
    void answer_untilClose_arrivesWhole() throws IOException {
        RawHttpClient.Response response = through("HTTP/1.1 200 OK\r\nX: y\r\n\r\nall of it");
        assertEquals("all of it", response.text());
        assertEquals("y", response.field("X"));
    }

    @Test
    void answer_ofHttp10_arrivesWhole() throws IOException {
        assertEquals("old", through("HTTP/1.0 200 OK\r\n\r\nold").text());
    }

    @Test
    void fields_ofOneConnection_arePeeledOff() throws IOException {
        RawHttpClient.Response response =
                through(
                        "HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n"
                                + "Keep-Alive: 5\r\n"
                                + "Upgrade: h2c\r\nX-End: 2\r\nContent-Length: 2\r\n\r\nok");
        assertEquals("ok", response.text());
        assertNull(response.field("X-Hop"));
        assertNull(response.field("Keep-Alive"));
        assertNull(response.field("Upgrade"));
        assertNull(response.field("Connection"));
        assertEquals("2", response.field("X-End"));
    }

    @Test
    void bytes_afterTheAnswer_areNotTheNextAnswer() throws IOException {
        try (ScriptedPeer peer =
                        answering(
                                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                                        + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                assertEquals("ok", client.send(GET).response().text());
            }
            assertEquals(3, peer.connections());
        }
    }

    @Test
    void interimAnswers_arePassedOn() throws IOException {
        try (ScriptedPeer peer =
                        answering(
                                "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
                                        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(GET + GET);
            for (int i = 0; i < 2; i++) {
                RawHttpClient.Response first = client.response(true);
                assertEquals(103, first.status());
                assertEquals("</a.css>", first.field("Link"));
                assertEquals("ok", client.response().text());
            }
            assertEquals(1, peer.connections());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void trailers_bothWays_arePassedOn(String transport) throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            byte[] body = talk.body("5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n".length());
                            talk.heads().add(new String(body, StandardCharsets.US_ASCII));
                            talk.send(
                                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                            + "2\r\nok\r\n");
                            talk.send("0\r\nX-Sum: 2\r\n\r\n");
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(
                    "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n");
            RawHttpClient.Response response = client.response();
            assertEquals("ok", response.text());
            assertTrue(peer.heads().getLast().contains("X-Sum: 1"), peer.heads().toString());
        }
    }

    @Test
    void head_isAnsweredWithTheLengthAndNoContent() throws IOException {
        try (ScriptedPeer peer = answering("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n");
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");
                RawHttpClient.Response response = client.response(true);
                assertEquals("7", response.field("Content-Length"));
            }
            assertEquals(1, peer.connections());
        }
    }

    @Test
    void notModified_withALength_hasNoContent() throws IOException {
        RawHttpClient.Response response =
                through("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n");
        assertEquals(304, response.status());
        assertEquals("\"x\"", response.field("ETag"));
    }

    @Test
    void location_ofThePeer_isThatOfTheGateway() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            int port = talk.socket().getLocalPort();
                            talk.send(
                                    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:"
                                            + port
                                            + "/there\r\nContent-Length: 0\r\n\r\n");
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            assertEquals("http://shop.example/there", client.response().field("Location"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void expectation_isAskedOfThePeerBeforeContentIsTaken(String transport) throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            while (true) {
                                String head = talk.head();
                                assertTrue(head.contains("Expect: 100-continue"), head);
                                talk.send("HTTP/1.1 100 Continue\r\n\r\n");
                                talk.body(5);
                                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                            }
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                client.send(
                        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                                + "Expect: 100-continue\r\n\r\n");
                assertEquals(100, client.response(true).status());
                assertEquals("ok", client.send("hello").response().text());
            }
        }
    }

    @Test
    void expectation_thatThePeerRefuses_endsWithoutContent() throws IOException {
        try (ScriptedPeer peer =
                        answering("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(
                    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                            + "Expect: 100-continue\r\n\r\n");
            RawHttpClient.Response response = client.response();
            assertEquals(413, response.status());
            assertTrue(response.closes());
        }
    }

    private static PeerLimits limits(Duration continueWait) {
        PeerLimits all = PeerLimits.defaults();
        return new PeerLimits(
                all.responses(),
                all.http2(),
                all.requestHeadBytesMax(),
                all.interimsMax(),
                all.contentPieceBytes(),
                all.contentPause(),
                all.contentRateMin(),
                continueWait,
                all.replayBytesMax(),
                all.heldResponseBytesMax(),
                all.openResponseHeld(),
                all.upgradedIdle(),
                all.silence());
    }

    /// One wait is shorter than the default of a second, one longer.
    @ParameterizedTest
    @CsvSource({"nio,PT0.1S", "nio,PT1.3S", "native,PT1.3S", "blocking,PT1.3S"})
    void expectation_thatThePeerIgnores_isGivenUpAfterTheWait(String transport, Duration wait)
            throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.body(5);
                            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                        });
                Gateway gateway =
                        new Gateway(
                                transport,
                                ProxyRules.defaults(),
                                Networks.NONE,
                                limits(wait),
                                UpstreamConfig.of("backend", List.of(Peers.http(peer, "peer"))));
                RawHttpClient client = gateway.client()) {
            long start = System.nanoTime();
            client.send(
                    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                            + "Expect: 100-continue\r\n\r\n");
            assertEquals(100, client.response(true).status());
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(waited.compareTo(wait) >= 0, waited + " were waited");
            assertTrue(waited.compareTo(wait.plusSeconds(15)) < 0, waited + " were waited");
            assertEquals("ok", client.send("hello").response().text());
        }
    }

    @Test
    void earlyAnswer_beforeTheContentIsSent_reachesTheClient() throws IOException {
        try (ScriptedPeer peer =
                        answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\nbegin");
            assertEquals(403, client.response().status());
            Eventually.holds("closed", () -> gateway.pools.open(only(gateway)) == 0);
        }
    }

    private static io.margay.gateway.balance.Peer only(Gateway gateway) {
        return gateway.upstream.peers().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void slowClient_holdsUpThePeer_notTheMemory(String transport) throws Exception {
        byte[] piece = BackEnd.content(100_000);
        int pieces = 500; // More than the kernel takes on all the way.
        java.util.concurrent.atomic.AtomicInteger sent =
                new java.util.concurrent.atomic.AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.socket().setSendBufferSize(65_536);
                            talk.send(
                                    "HTTP/1.1 200 OK\r\nContent-Length: "
                                            + pieces * 100_000
                                            + "\r\n\r\n");
                            for (int i = 0; i < pieces; i++) {
                                talk.send(piece);
                                sent.incrementAndGet();
                            }
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = RawHttpClient.connect(gateway.address(), 65_536)) {
            client.send(GET);
            int before;
            do {
                before = sent.get();
                java.util.concurrent.locks.LockSupport.parkNanos(150_000_000);
            } while (before != sent.get());
            assertTrue(before < pieces, "sent " + before + " while nobody read");
            byte[] body = client.response().body();
            assertEquals(pieces * 100_000, body.length);
            for (int i = 0; i < pieces; i++) {
                assertArrayEquals(
                        piece, java.util.Arrays.copyOfRange(body, i * 100_000, (i + 1) * 100_000));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void content_bothWaysAtOnce_doesNotDeadlock(String transport) throws Exception {
        // The client reads only when it has sent all; the peer sends more than any buffer holds.
        byte[] piece = BackEnd.content(1_000_000);
        int answers = 20;
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            Thread writer =
                                    Thread.ofVirtual().start(() -> flood(talk, piece, answers));
                            talk.body(8_000_000);
                            join(writer);
                            talk.send(piece); // the end, once the request has ended
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = RawHttpClient.connect(gateway.address(), 16_384)) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n");
            for (int i = 0; i < 8; i++) {
                client.send(piece);
            }
            assertEquals(answers * piece.length, client.response().body().length);
        }
    }

    private static void flood(ScriptedPeer.Talk talk, byte[] piece, int count) {
        try {
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + count * piece.length + "\r\n\r\n");
            for (int i = 1; i < count; i++) {
                talk.send(piece);
            }
        } catch (IOException e) {
            // The client sees it.
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void webSocket_isPassedOnBothWays_withHalfClose(String transport) throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            String head = talk.head();
                            assertTrue(head.contains("Upgrade: websocket\r\n"), head);
                            assertTrue(head.contains("Connection: Upgrade\r\n"), head);
                            talk.send(
                                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                            + "Connection: Upgrade\r\n"
                                            + "Sec-WebSocket-Accept: x\r\n\r\nhi");
                            byte[] five = talk.body(5);
                            talk.send(five);
                            talk.awaitEnd();
                            talk.send("bye");
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(
                    "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\n"
                            + "Upgrade: websocket\r\nSec-WebSocket-Key: k\r\n"
                            + "Sec-WebSocket-Version: 13\r\n\r\n");
            RawHttpClient.Response response = client.response(true);
            assertEquals(101, response.status());
            assertEquals("websocket", response.field("Upgrade"));
            assertEquals("x", response.field("Sec-WebSocket-Accept"));
            assertEquals('h', client.read());
            assertEquals('i', client.read());
            client.send("hello");
            for (char c : "hello".toCharArray()) {
                assertEquals(c, client.read());
            }
            client.shutdownOutput();
            assertEquals("bye", client.readToEnd());
        }
    }

    @Test
    void upgrade_toAnythingElse_isNotPassedOn() throws IOException {
        try (ScriptedPeer peer = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(
                    "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                            + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n");
            assertEquals("ok", client.response().text());
            assertTrue(!peer.heads().getFirst().contains("pgrade"), peer.heads().getFirst());
            assertTrue(!peer.heads().getFirst().contains("ettings"), peer.heads().getFirst());
        }
    }
}
