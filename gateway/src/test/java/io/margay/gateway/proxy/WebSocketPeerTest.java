package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.protocol.http2.Http2;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// WebSocket through the gateway: from clients of HTTP/1.1 and of HTTP/2, to peers of either. What
/// is passed on are raw bytes, so that the tests need no frames of WebSocket.
@Tag("slow")
final class WebSocketPeerTest {
    private static final String MATRIX =
            """
            nio, HTTP, nio
            nio, H2C, native
            nio, H2, blocking
            native, HTTP, native
            native, H2C, blocking
            native, H2, nio
            blocking, HTTP, blocking
            blocking, H2C, nio
            blocking, H2, native
            """;

    /// The example of RFC 6455 §1.3.
    private static final String HANDSHAKE =
            "GET /socket HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\n"
                    + "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "Sec-WebSocket-Protocol: echo\r\nSec-WebSocket-Version: 13\r\n\r\n";

    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private static Http2Wire connect(Http2Wire client, int id, String path) throws IOException {
        return client.headers(
                id,
                false,
                ":method: CONNECT",
                ":protocol: websocket",
                ":scheme: http",
                ":path: " + path,
                ":authority: a",
                "sec-websocket-version: 13",
                "sec-websocket-protocol: echo");
    }

    private static void awaitContent(Http2Wire client, int id, String text) throws IOException {
        while (client.on(id).size() < text.length()) {
            client.read();
        }
        assertEquals(text, client.on(id).text());
    }

    private static void hear(RawHttpClient client, String text) throws IOException {
        for (char c : text.toCharArray()) {
            assertEquals(c, client.read());
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = MATRIX)
    void webSocket_ofHttp11_isPassedOnBothWays(
            String transport, PeerScheme scheme, String peerTransport) throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme, peerTransport);
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            assertEquals("GET /a", client.get("/a").text());
            client.send(HANDSHAKE);
            RawHttpClient.Response answer = client.response(true);
            assertEquals(101, answer.status());
            assertEquals("websocket", answer.field("Upgrade"));
            assertEquals(List.of(ACCEPT), answer.all("Sec-WebSocket-Accept"));
            assertEquals("echo", answer.field("Sec-WebSocket-Protocol"));
            client.send("one");
            hear(client, "one");
            client.send("two");
            hear(client, "two");
            client.shutdownOutput();
            assertEquals("bye", client.readToEnd());
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = MATRIX)
    void webSocket_ofHttp2_isPassedOnBothWays(
            String transport, PeerScheme scheme, String peerTransport) throws IOException {
        boolean secure = scheme != PeerScheme.H2C;
        try (BackEnd backEnd = new BackEnd(scheme, peerTransport);
                Gateway gateway =
                        new Gateway(
                                transport,
                                ProxyRules.defaults(),
                                Networks.NONE,
                                PeerLimits.defaults(),
                                UpstreamConfig.of("u", List.of(backEnd.peer())),
                                secure);
                Http2Wire client = gateway.http2()) {
            for (int id = 1; id <= 3; id += 2) {
                connect(client, id, "/socket");
                assertEquals(200, client.awaitHead(id).status());
                String head = client.on(id).head();
                assertFalse(head.contains("accept") || head.contains("upgrade"), head);
                assertTrue(head.contains("sec-websocket-protocol: echo"), head);
                client.data(id, false, "one");
                awaitContent(client, id, "one");
            }
            client.get(5, "/beside");
            assertEquals("GET /beside", client.message(5).text());
            for (int id = 1; id <= 3; id += 2) {
                client.data(id, false, "two");
                awaitContent(client, id, "onetwo");
                client.data(id, true, "");
                assertEquals("onetwobye", client.message(id).text());
                assertEquals(-1, client.on(id).reset());
            }
        }
    }

    /// More than the windows have room for, both ways at once.
    @ParameterizedTest
    @CsvSource(textBlock = MATRIX)
    void webSocket_withMuchContent_goesAtThePaceOfTheSlower(
            String transport, PeerScheme scheme, String peerTransport) throws Exception {
        byte[] content = BackEnd.content(600_000);
        try (BackEnd backEnd = new BackEnd(scheme, peerTransport);
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send(HANDSHAKE);
            assertEquals(101, client.response(true).status());
            Thread sender =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    client.send(content);
                                    client.shutdownOutput();
                                } catch (IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            });
            byte[] heard = new byte[content.length];
            int at = 0;
            while (at < heard.length) {
                at += client.read(heard, at, heard.length - at);
            }
            assertArrayEquals(content, heard);
            assertEquals("bye", client.readToEnd());
            sender.join();
        }
    }

    // Peers that say what they take

    /// A peer that says its settings when it is told to, and writes down the heads of requests.
    private static ScriptedPeer.Script taking(
            CountDownLatch may, List<String> heads, String answer, int... settings) {
        return talk -> {
            Http2Wire wire = Http2Wire.accept(talk.socket());
            try {
                may.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings(settings));
            int id = 1;
            while (wire.read() != null) {
                if (!wire.on(id).heads().isEmpty()) {
                    heads.add(wire.on(id).head());
                    wire.headers(id, false, ":status: " + answer).data(id, true, "so");
                    id += 2;
                }
            }
        };
    }

    private static final CountDownLatch NOW = new CountDownLatch(0);

    @Test
    void peer_thatHasNotAllowedIt_isNotAskedAndTheAnswerIs501() throws IOException {
        List<String> heads = new CopyOnWriteArrayList<>();
        try (ScriptedPeer peer = new ScriptedPeer(taking(NOW, heads, "200"));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client();
                Http2Wire other = gateway.http2()) {
            for (int i = 0; i < 2; i++) {
                RawHttpClient.Response answer = client.send(HANDSHAKE).response();
                assertEquals(501, answer.status());
                assertTrue(answer.text().contains("takes no WebSocket"), answer.text());
                connect(other, 1 + 2 * i, "/socket");
                assertEquals(501, other.message(1 + 2 * i).status());
            }
            assertEquals(List.of(), heads);
            assertEquals("so", client.get("/a").text(), "the peer is well");
        }
    }

    @Test
    void peer_thatHasNotAllowedIt_isPassedOverForAnother() throws IOException {
        List<String> heads = new CopyOnWriteArrayList<>();
        try (ScriptedPeer peer = new ScriptedPeer(taking(NOW, heads, "200"));
                BackEnd good = new BackEnd(PeerScheme.HTTP);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "bad"), good.peer("good"))) {
            for (int i = 0; i < 2; i++) {
                try (RawHttpClient client = gateway.client()) {
                    assertEquals(101, client.send(HANDSHAKE).response(true).status());
                }
            }
            assertEquals(List.of(), heads);
        }
    }

    @Test
    void peer_whoseSettingsComeLate_isAskedWhenTheyHaveCome() throws IOException {
        List<String> heads = new CopyOnWriteArrayList<>();
        CountDownLatch may = new CountDownLatch(1);
        ScriptedPeer.Script script =
                taking(may, heads, "200", Http2.SETTINGS_ENABLE_CONNECT_PROTOCOL, 1);
        try (ScriptedPeer peer = new ScriptedPeer(script);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(HANDSHAKE);
            may.countDown();
            RawHttpClient.Response answer = client.response(true);
            assertEquals(101, answer.status());
            assertEquals(ACCEPT, answer.field("Sec-WebSocket-Accept"));
            assertEquals("so", client.readToEnd());
            String head = heads.getFirst();
            assertTrue(head.startsWith(":method: CONNECT\n"), head);
            assertTrue(head.contains(":protocol: websocket\n"), head);
            assertTrue(head.contains(":path: /socket\n"), head);
            assertTrue(head.contains("sec-websocket-version: 13"), head);
            assertFalse(head.contains("key") || head.contains("upgrade"), head);
        }
    }

    @Test
    void peer_thatRefuses_isPassedOn_andTheConnectionGoesOn() throws IOException {
        List<String> heads = new CopyOnWriteArrayList<>();
        ScriptedPeer.Script script =
                taking(NOW, heads, "403", Http2.SETTINGS_ENABLE_CONNECT_PROTOCOL, 1);
        try (ScriptedPeer peer = new ScriptedPeer(script);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                RawHttpClient.Response answer = client.send(HANDSHAKE).response();
                assertEquals(403, answer.status());
                assertEquals("so", answer.text());
                assertNull(answer.field("Sec-WebSocket-Accept"));
            }
            assertEquals(3, heads.size());
            assertEquals(1, peer.connections());
        }
    }

    /// A peer that accepts, says something, and then goes or is silent.
    private static ScriptedPeer.Script accepting(boolean goes) {
        return talk -> {
            Http2Wire wire = Http2Wire.accept(talk.socket());
            wire.send(
                    Http2.SETTINGS,
                    0,
                    0,
                    Http2Wire.settings(Http2.SETTINGS_ENABLE_CONNECT_PROTOCOL, 1));
            wire.awaitHead(1);
            wire.headers(1, false, ":status: 200").data(1, false, "hi");
            if (!goes) {
                wire.awaitEnd();
            }
        };
    }

    private static void endsAfterHi(ScriptedPeer peer, PeerLimits limits) throws IOException {
        try (Gateway gateway =
                new Gateway(
                        "nio",
                        ProxyRules.defaults(),
                        Networks.NONE,
                        limits,
                        UpstreamConfig.of("u", List.of(Peers.http2(peer, "peer"))))) {
            try (RawHttpClient client = gateway.client()) {
                assertEquals(101, client.send(HANDSHAKE).response(true).status());
                assertEquals("hi", client.readToEnd());
            }
        }
    }

    @Test
    void webSocket_whosePeerGoes_isEnded() throws IOException {
        try (ScriptedPeer peer = new ScriptedPeer(accepting(true))) {
            endsAfterHi(peer, PeerLimits.defaults());
        }
    }

    @Test
    void webSocket_onWhichNothingMoves_isEnded() throws IOException {
        PeerLimits all = PeerLimits.defaults();
        PeerLimits hasty =
                new PeerLimits(
                        all.responses(),
                        all.http2(),
                        all.requestHeadBytesMax(),
                        all.interimsMax(),
                        all.contentPieceBytes(),
                        all.contentPause(),
                        all.contentRateMin(),
                        all.continueWait(),
                        all.replayBytesMax(),
                        all.heldResponseBytesMax(),
                        all.openResponseHeld(),
                        Duration.ofMillis(200),
                        all.silence());
        try (ScriptedPeer peer = new ScriptedPeer(accepting(false))) {
            endsAfterHi(peer, hasty);
        }
    }

    // Both ends are checked

    @Test
    void handshake_withoutAProperKey_is400_whereThePeerCannotTell() throws IOException {
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway = new Gateway("nio", backEnd.peer());
                RawHttpClient client = gateway.client()) {
            for (String key : new String[] {"", "c2hvcnQ=", "!".repeat(24)}) {
                String text = HANDSHAKE.replace("dGhlIHNhbXBsZSBub25jZQ==", key);
                assertEquals(400, client.send(text).response().status(), key);
            }
            assertEquals(List.of(), backEnd.requests);
        }
    }

    /// A key is made for a client that has none, and what is said to it is looked at.
    @Test
    void peerOfHttp11_thatDoesNotUnderstandTheKey_is502() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            String head = talk.head();
                            assertTrue(head.contains("Upgrade: websocket\r\n"), head);
                            talk.send(
                                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                            + "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                                            + ACCEPT
                                            + "\r\n\r\n");
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                Http2Wire client = gateway.http2()) {
            connect(client, 1, "/socket");
            assertEquals(502, client.message(1).status());
            connect(client, 3, "/socket");
            assertEquals(502, client.message(3).status());
            String first = key(peer.heads().getFirst());
            assertEquals(24, first.length());
            assertFalse(first.equals(key(peer.heads().getLast())), first);
        }
    }

    private static String key(String head) {
        String name = "Sec-WebSocket-Key: ";
        int at = head.indexOf(name) + name.length();
        return head.substring(at, head.indexOf('\r', at));
    }

    /// 2xx to an extended CONNECT says that the WebSocket is open, which it is not. The request
    /// would have waited for ever.
    @Test
    void peer_thatSwitchesToAnotherProtocol_is502() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(
                                    "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\n"
                                            + "Upgrade: other\r\n\r\n");
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, client.send(HANDSHAKE).response().status());
        }
    }

    @Test
    void answer_ofAPageToExtendedConnect_isNo2xx() throws IOException {
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway = new Gateway("nio", backEnd.peer());
                Http2Wire client = gateway.http2()) {
            connect(client, 1, "/a");
            assertEquals(501, client.message(1).status());
        }
    }

    @ParameterizedTest
    @CsvSource({"nio, HTTP", "native, H2C", "blocking, H2C", "blocking, H2"})
    void client_thatResetsItsStream_endsThePeersToo(String transport, PeerScheme scheme)
            throws IOException {
        try (BackEnd backEnd = new BackEnd(scheme);
                Gateway gateway = new Gateway(transport, backEnd.peer());
                Http2Wire client = gateway.http2()) {
            for (int id = 1; id <= 9; id += 4) {
                connect(client, id, "/socket").data(id, false, "one");
                awaitContent(client, id, "one");
                client.reset(id, Http2.CANCEL);
                client.get(id + 2, "/a" + id);
                assertEquals("GET /a" + id, client.message(id + 2).text());
            }
            Eventually.holds("no WebSocket is open", () -> backEnd.sockets.get() == 0);
        }
    }
}
