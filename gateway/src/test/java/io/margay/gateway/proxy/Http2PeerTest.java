package io.margay.gateway.proxy;

import static io.margay.gateway.proxy.ScriptedHttp2Peers.good;
import static io.margay.gateway.proxy.ScriptedHttp2Peers.path;
import static io.margay.gateway.proxy.ScriptedHttp2Peers.serving;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.proxy.ScriptedHttp2Peers.Answer;
import io.margay.protocol.http2.Http2;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests to an HTTP/2 peer whose every frame the test decides: several on one connection, and
/// each of them ended in another way.
@Tag("slow")
final class Http2PeerTest {
    private static final Duration SILENCE = Duration.ofMillis(300);
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST =
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void requests_atATime_shareOneConnection(String transport) throws IOException {
        List<Integer> waiting = new ArrayList<>();
        Answer inReverse =
                (wire, id, path) -> {
                    waiting.add(id);
                    if (waiting.size() == 8) {
                        for (int each : waiting.reversed()) {
                            good(wire, each, path(wire.on(each).head()));
                        }
                        waiting.clear();
                    } else if (path.equals("/first")) {
                        waiting.clear();
                        good(wire, id, path);
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(inReverse));
                Gateway gateway = new Gateway(transport, Peers.http2(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            assertEquals("/first", client.get(1, "/first").message(1).text());
            for (int i = 0; i < 8; i++) {
                client.get(3 + 2 * i, "/" + i);
            }
            for (int i = 0; i < 8; i++) {
                assertEquals("/" + i, client.message(3 + 2 * i).text());
            }
            assertEquals(1, peer.connections());
        }
    }

    @Test
    void streams_thatThePeerAllows_areNotExceeded() throws IOException {
        AtomicInteger most = new AtomicInteger();
        List<Integer> open = new ArrayList<>();
        byte[] two = Http2Wire.settings(Http2.SETTINGS_MAX_CONCURRENT_STREAMS, 2);
        Answer twoByTwo =
                (wire, id, path) -> {
                    open.add(id);
                    most.accumulateAndGet(open.size(), Math::max);
                    if (path.equals("/first")) {
                        open.clear();
                        good(wire, id, path);
                    } else if (open.size() == 2) {
                        wire.settle(); // whatever is on its way comes first
                        for (int each : List.copyOf(open)) {
                            open.remove((Integer) each);
                            good(wire, each, path(wire.on(each).head()));
                        }
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(two, twoByTwo));
                Gateway gateway =
                        new Gateway(
                                "nio",
                                withOneConnection(
                                        Peers.http2(peer, "peer", Duration.ofSeconds(10))));
                Http2Wire client = gateway.http2()) {
            client.get(1, "/first").message(1);
            for (int i = 0; i < 6; i++) {
                client.get(3 + 2 * i, "/" + i);
            }
            for (int i = 0; i < 6; i++) {
                assertEquals("/" + i, client.message(3 + 2 * i).text());
            }
            assertEquals(1, peer.connections());
            assertEquals(2, most.get());
        }
    }

    private static PeerConfig withOneConnection(PeerConfig config) {
        PeerConfig.Pool pool = config.pool();
        return config.withPool(
                new PeerConfig.Pool(
                        1, 0, pool.idle(), pool.acquire(), pool.reuse(), pool.lifetime()));
    }

    /// GOAWAY that says that a request was not looked at: it goes to another connection, whatever
    /// its method.
    @ParameterizedTest
    @ValueSource(strings = {GET, POST})
    void goAway_beforeTheRequest_isSentAgain(String request) throws IOException {
        AtomicInteger requests = new AtomicInteger();
        Answer secondIsPassedBy =
                (wire, id, path) -> {
                    if (requests.incrementAndGet() == 2) {
                        wire.goAway(id - 2, Http2.NO_ERROR);
                    } else {
                        good(wire, id, path);
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(secondIsPassedBy));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertEquals("/a", client.send(request).response().text());
            }
            assertEquals(2, peer.connections());
            assertEquals(5, requests.get());
        }
    }

    /// GOAWAY of a connection that ends its requests (RFC 9113 §6.8): nothing is sent twice.
    @Test
    void goAway_withARequestUnderWay_letsItEnd() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        Answer lastOne =
                (wire, id, path) -> {
                    requests.incrementAndGet();
                    wire.goAway(id, Http2.NO_ERROR);
                    good(wire, id, path);
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(lastOne));
                Gateway gateway = new Gateway("native", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertEquals("/a", client.send(POST).response().text());
            }
            assertEquals(5, requests.get());
            assertEquals(5, peer.connections());
        }
    }

    @Test
    void refusedStream_isSentAgain_alsoForAPost() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        Answer everyThirdIsRefused =
                (wire, id, path) -> {
                    if (requests.incrementAndGet() % 3 == 0) {
                        wire.reset(id, Http2.REFUSED_STREAM);
                    } else {
                        good(wire, id, path);
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(everyThirdIsRefused));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 6; i++) {
                assertEquals("/a", client.send(POST).response().text());
            }
            assertEquals(8, requests.get());
        }
    }

    @Test
    void refusedStream_alwaysAgain_endsWith503() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        Answer refused =
                (wire, id, path) -> {
                    requests.incrementAndGet();
                    wire.reset(id, Http2.REFUSED_STREAM);
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(refused));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(503, client.send(POST).response().status());
            assertTrue(requests.get() <= 2, requests.toString());
        }
    }

    @Test
    void reset_beforeTheAnswer_ofAPost_is502AndNeverSentTwice() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        Answer reset =
                (wire, id, path) -> {
                    requests.incrementAndGet();
                    wire.reset(id, Http2.INTERNAL_ERROR);
                };
        try (ScriptedPeer one = new ScriptedPeer(serving(reset));
                ScriptedPeer two = new ScriptedPeer(serving(reset));
                Gateway gateway =
                        new Gateway("nio", Peers.http2(one, "one"), Peers.http2(two, "two"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, client.send(POST).response().status());
            assertEquals(1, requests.get());
        }
    }

    @Test
    void reset_beforeTheAnswer_ofAGet_isTriedOnAnother() throws IOException {
        Answer reset = (wire, id, path) -> wire.reset(id, Http2.INTERNAL_ERROR);
        try (ScriptedPeer bad = new ScriptedPeer(serving(reset));
                ScriptedPeer good = new ScriptedPeer(serving(ScriptedHttp2Peers::good));
                Gateway gateway =
                        new Gateway("nio", Peers.http2(bad, "bad"), Peers.http2(good, "good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertEquals("/a", client.send(GET).response().text());
            }
            assertTrue(bad.heads().size() > 0);
        }
    }

    /// The client sees a failure, and the others on the connection do not.
    @Test
    void reset_withinTheAnswer_endsThatRequestAlone() throws IOException {
        Answer half =
                (wire, id, path) -> {
                    if (path.equals("/half")) {
                        wire.headers(id, false, ":status: 200", "content-type: text/event-stream");
                        wire.data(id, false, "half");
                    } else if (path.equals("/now")) {
                        wire.reset(id - 2, Http2.INTERNAL_ERROR);
                        good(wire, id, path);
                    } else {
                        good(wire, id, path);
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(half));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            client.get(1, "/a").message(1);
            client.get(3, "/half").awaitHead(3);
            client.get(5, "/now");
            assertEquals("/now", client.message(5).text());
            assertTrue(client.message(3).reset() >= 0);
            assertEquals("half", client.on(3).text());
            assertEquals("/b", client.get(7, "/b").message(7).text());
            assertEquals(1, peer.connections());
        }
    }

    /// What the client gives up is given up at the peer, too, and the connection goes on.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void cancel_byTheClient_resetsTheStreamAlone(String transport) throws IOException {
        ConcurrentLinkedQueue<Integer> resets = new ConcurrentLinkedQueue<>();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            Http2Wire wire = Http2Wire.accept(talk.socket());
                            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                            for (Http2Wire.Frame f = wire.read(); f != null; f = wire.read()) {
                                if (f.type() == Http2.RST_STREAM) {
                                    resets.add(f.code());
                                } else if (f.ends()) {
                                    String path = path(wire.on(f.id()).head());
                                    talk.heads().add(path);
                                    if (!path.equals("/slow")) {
                                        good(wire, f.id(), path);
                                    }
                                }
                            }
                        });
                Gateway gateway = new Gateway(transport, Peers.http2(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            client.get(1, "/a").message(1);
            client.get(3, "/slow");
            Eventually.holds("it is asked", () -> peer.heads().contains("/slow"));
            client.reset(3, Http2.CANCEL);
            Eventually.holds("it is given up", () -> resets.contains(Http2.CANCEL));
            assertEquals("/b", client.get(5, "/b").message(5).text());
            assertEquals(1, peer.connections());
        }
    }

    /// Before the peer takes it for an attack and closes what others use (CVE-2023-44487).
    @Test
    void cve_2023_44487_cancelsOfClients_moveToAnotherConnection() throws IOException {
        ConcurrentHashMap<Object, Integer> resets = new ConcurrentHashMap<>();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            Http2Wire wire = Http2Wire.accept(talk.socket());
                            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                            for (Http2Wire.Frame f = wire.read(); f != null; f = wire.read()) {
                                if (f.type() == Http2.RST_STREAM) {
                                    resets.merge(talk, 1, Integer::sum);
                                } else if (f.ends()) {
                                    talk.heads().add(path(wire.on(f.id()).head()));
                                }
                            }
                        });
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"))) {
            for (int i = 0; i < 120; i++) {
                int asked = i + 1;
                try (Http2Wire client = gateway.http2()) {
                    client.get(1, "/" + i);
                    Eventually.holds("it is asked", () -> peer.heads().size() == asked);
                }
            }
            Eventually.holds(
                    "all are given up",
                    () -> resets.values().stream().mapToInt(each -> each).sum() >= 100);
            assertTrue(peer.connections() >= 2, "connections: " + peer.connections());
            assertTrue(resets.values().stream().allMatch(each -> each <= 51), resets.toString());
        }
    }

    /// A client that does not take its answer stops nobody else on the connection.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void client_thatDoesNotRead_stopsNoOther(String transport) throws IOException {
        String piece = "x".repeat(16_384);
        Answer endless =
                (wire, id, path) -> {
                    if (path.equals("/large")) {
                        wire.headers(id, false, ":status: 200");
                        for (int i = 0; i < 4; i++) {
                            wire.data(id, false, i == 3 ? piece.substring(0, 16_383) : piece);
                        }
                    } else {
                        good(wire, id, path);
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(endless));
                Gateway gateway = new Gateway(transport, Peers.http2(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            client.givesRoom(false);
            client.get(1, "/a").message(1);
            List<Http2Wire> silent = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Http2Wire each = gateway.http2();
                each.send(
                        Http2.SETTINGS,
                        0,
                        0,
                        Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, 10));
                each.get(1, "/large").awaitHead(1);
                silent.add(each);
            }
            assertEquals("/b", client.get(3, "/b").message(3).text());
            for (Http2Wire each : silent) {
                each.close();
            }
            assertEquals("/c", client.get(5, "/c").message(5).text());
        }
    }

    /// An upload that the peer does not take fails in time, and alone.
    @Test
    void window_thatIsNeverOpened_failsTheUploadAlone() throws IOException {
        byte[] closed = Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, 0);
        try (ScriptedPeer peer = new ScriptedPeer(serving(closed, ScriptedHttp2Peers::good));
                Gateway gateway =
                        new Gateway("nio", Peers.http2(peer, "peer", Duration.ofMillis(600)));
                Http2Wire client = gateway.http2()) {
            client.get(1, "/a").message(1);
            client.headers(3, false, Http2Wire.request("POST", "/stuck"));
            client.data(3, true, "hello");
            assertEquals("/b", client.get(5, "/b").message(5).text());
            assertEquals(502, client.message(3).status());
            assertEquals("/c", client.get(7, "/c").message(7).text());
            assertEquals(1, peer.connections());
        }
    }

    @Test
    void peer_thatAnswersPings_hasAsMuchTimeAsConfigured() throws IOException {
        AtomicInteger pings = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            Http2Wire wire = Http2Wire.accept(talk.socket());
                            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                            while (wire.pings() < 2 && wire.read() != null) {
                                pings.set(wire.pings());
                            }
                            good(wire, 1, "/late");
                            wire.awaitEnd();
                        });
                Gateway gateway =
                        gateway("nio", limits(65_536, SILENCE), Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals("/late", client.send(GET).response().text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void peer_thatAnswersNoPing_isGivenUp(String transport) throws IOException {
        ScriptedPeer.Script hung =
                talk -> {
                    Http2Wire wire = Http2Wire.accept(talk.socket());
                    wire.answersPings(false);
                    wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                    wire.awaitEnd();
                };
        try (ScriptedPeer bad = new ScriptedPeer(hung);
                Gateway gateway =
                        gateway(transport, limits(65_536, SILENCE), Peers.http2(bad, "bad"));
                RawHttpClient client = gateway.client()) {
            assertEquals(504, client.send(POST).response().status());
        }
    }

    @Test
    void answer_thatDoesNotBegin_is504_andTheConnectionStays() throws IOException {
        Answer oneNever =
                (wire, id, path) -> {
                    if (!path.equals("/never")) {
                        good(wire, id, path);
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(oneNever));
                Gateway gateway =
                        new Gateway("nio", Peers.http2(peer, "peer", Duration.ofMillis(400)));
                RawHttpClient client = gateway.client()) {
            assertEquals("/a", client.get("/a").text());
            client.send("POST /never HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertEquals(504, client.response().status());
            assertEquals("/b", client.get("/b").text());
            assertEquals(1, peer.connections());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {GET, POST})
    void connection_closedWhileIdle_isReplaced(String request) throws IOException {
        // Each connection answers one request and is closed by the peer while it idles.
        AtomicInteger ended = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            Http2Wire wire = Http2Wire.accept(talk.socket());
                            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                            while (!wire.on(1).ended() && wire.read() != null) {}
                            good(wire, 1, "/a");
                            talk.socket().close();
                            ended.incrementAndGet();
                        });
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 10; i++) {
                int before = i;
                Eventually.holds("the last one is closed", () -> ended.get() == before);
                assertEquals("/a", client.send(request).response().text());
            }
        }
    }

    @Test
    void interimAnswers_arePassedOn() throws IOException {
        Answer hints =
                (wire, id, path) -> {
                    wire.headers(id, false, ":status: 103", "link: </a.css>");
                    good(wire, id, path);
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(hints));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            Http2Wire.Message message = client.get(1, "/a").message(1);
            assertEquals(":status: 103\nlink: </a.css>", message.head());
            assertEquals("/a", message.text());
        }
    }

    @Test
    void expectation_isAskedOfThePeer() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            Http2Wire wire = Http2Wire.accept(talk.socket());
                            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                            talk.heads().add(wire.awaitHead(1).head());
                            wire.headers(1, false, ":status: 100");
                            talk.heads().add(wire.message(1).text());
                            good(wire, 1, "/a");
                            wire.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(
                    "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                            + "Content-Length: 5\r\n\r\n");
            assertEquals("HTTP/1.1 100 Continue", client.line());
            assertEquals("", client.line());
            assertEquals("/a", client.send("hello").response().text());
            assertTrue(peer.heads().getFirst().contains("expect: 100-continue"));
            assertEquals("hello", peer.heads().getLast());
        }
    }

    @Test
    void head_andNotModified_haveNoContentWhateverLengthIsTold() throws IOException {
        Answer lengthOnly =
                (wire, id, path) -> {
                    String status = path.equals("/304") ? "304" : "200";
                    wire.headers(id, false, ":status: " + status, "content-length: 1000");
                    wire.data(id, true, "");
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(lengthOnly));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");
            RawHttpClient.Response head = client.response(true);
            assertEquals("1000", head.field("Content-Length"));
            client.send("GET /304 HTTP/1.1\r\nHost: a\r\nIf-None-Match: x\r\n\r\n");
            assertEquals(304, client.response(true).status());
            assertEquals(1, peer.connections());
        }
    }

    @Test
    void requestHead_tooLargeForAPeer_is431() throws IOException {
        try (ScriptedPeer peer = new ScriptedPeer(serving(ScriptedHttp2Peers::good));
                Gateway gateway =
                        gateway(
                                "nio",
                                limits(1024, Duration.ofSeconds(10)),
                                Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(2000) + "\r\n\r\n");
            assertEquals(431, client.response().status());
            assertEquals("/b", client.get("/b").text());
        }
    }

    private static PeerLimits limits(int requestHeadBytesMax, Duration silence) {
        PeerLimits all = PeerLimits.defaults();
        return new PeerLimits(
                all.responses(),
                all.http2(),
                requestHeadBytesMax,
                all.interimsMax(),
                all.contentPieceBytes(),
                all.contentPause(),
                all.contentRateMin(),
                all.continueWait(),
                all.replayBytesMax(),
                all.heldResponseBytesMax(),
                all.openResponseHeld(),
                all.upgradedIdle(),
                silence);
    }

    private static Gateway gateway(String transport, PeerLimits limits, PeerConfig peer)
            throws IOException {
        return new Gateway(
                transport,
                ProxyRules.defaults(),
                Networks.NONE,
                limits,
                UpstreamConfig.of("u", List.of(peer)));
    }

    @Test
    void connection_thatBreaksWithinAnAnswer_isSeenByTheClient() throws IOException {
        Answer cut =
                (wire, id, path) -> {
                    wire.headers(id, false, ":status: 200", "content-length: 100000");
                    wire.data(id, false, "half");
                    wire.socket().setSoLinger(true, 0);
                    wire.close();
                };
        try (ScriptedPeer peer = new ScriptedPeer(serving(cut));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(POST);
            assertThrows(IOException.class, () -> client.response());
        }
    }
}
