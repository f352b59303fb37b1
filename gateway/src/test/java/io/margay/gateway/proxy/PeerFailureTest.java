package io.margay.gateway.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a request when a peer fails: the retry rule, and what the client sees.
@Tag("slow")
final class PeerFailureTest {
    private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String PUT =
            "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
    private static final String POST =
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

    /// Takes the request with its content, then resets.
    private static void takeAndReset(ScriptedPeer.Talk talk) throws IOException {
        String head = talk.head();
        if (head.contains("Content-Length: 5")) {
            talk.body(5);
        }
        talk.reset();
    }

    private static void good(ScriptedPeer.Talk talk) throws IOException {
        while (true) {
            String head = talk.head();
            if (head.contains("Content-Length: 5")) {
                assertEquals(
                        "hello",
                        new String(talk.body(5), java.nio.charset.StandardCharsets.US_ASCII));
            }
            talk.send(GOOD);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {GET, PUT})
    void reset_beforeTheAnswer_ofAnIdempotentRequest_isTriedOnAnother(String request)
            throws IOException {
        try (ScriptedPeer bad = new ScriptedPeer(PeerFailureTest::takeAndReset);
                ScriptedPeer good = new ScriptedPeer(PeerFailureTest::good);
                Gateway gateway =
                        new Gateway("nio", Peers.http(bad, "bad"), Peers.http(good, "good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertEquals("ok", client.send(request).response().text());
            }
            assertTrue(bad.heads().size() > 0);
        }
    }

    private static void decline(ScriptedPeer.Talk talk) throws IOException {
        String head = talk.head();
        if (head.contains("Content-Length: 5")) {
            talk.body(5);
        }
        talk.send(
                "HTTP/1.1 503 Service Unavailable\r\nMargay-Session: unknown\r\n"
                        + "Retry-After: 1\r\nContent-Length: 5\r\n\r\nlater");
    }

    @ParameterizedTest
    @ValueSource(strings = {GET, PUT})
    void request_whoseSessionCannotBeLookedUp_isAskedOfAnother(String request) throws IOException {
        try (ScriptedPeer unsure = new ScriptedPeer(PeerFailureTest::decline);
                ScriptedPeer good = new ScriptedPeer(PeerFailureTest::good);
                Gateway gateway =
                        new Gateway("nio", Peers.http(unsure, "unsure"), Peers.http(good, "good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertEquals("ok", client.send(request).response().text());
            }
            assertTrue(unsure.heads().size() > 1, "it is not in error");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {GET, POST})
    void request_whoseSessionNobodyCanLookUp_isAnsweredByTheLast(String request)
            throws IOException {
        try (ScriptedPeer one = new ScriptedPeer(PeerFailureTest::decline);
                ScriptedPeer two = new ScriptedPeer(PeerFailureTest::decline);
                Gateway gateway =
                        new Gateway("nio", Peers.http(one, "one"), Peers.http(two, "two"));
                RawHttpClient client = gateway.client()) {
            RawHttpClient.Response response = client.send(request).response();
            assertFalse(response.fields().toString().contains("Margay-Session"));
            assertEquals("503 later", response.status() + " " + response.text());
            assertEquals("1", response.field("Retry-After"));
            assertEquals(
                    request.equals(GET) ? 2 : 1,
                    one.heads().size() + two.heads().size(),
                    "a POST is sent once");
        }
    }

    /// mod_jk's `retries` of a load balancer.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void peers_thatAllFail_areGoneThroughAgain(int rounds) throws IOException {
        AtomicInteger talks = new AtomicInteger();
        ScriptedPeer.Script script =
                talk -> {
                    String _ = talk.head();
                    if (talks.incrementAndGet() <= 2) {
                        talk.reset();
                    } else {
                        talk.send(GOOD);
                    }
                };
        try (ScriptedPeer one = new ScriptedPeer(script);
                ScriptedPeer two = new ScriptedPeer(script);
                Gateway gateway =
                        new Gateway(
                                "nio",
                                ProxyRules.defaults(),
                                Networks.NONE,
                                PeerLimits.defaults(),
                                UpstreamConfig.of(
                                                "backend",
                                                List.of(
                                                        Peers.http(one, "one"),
                                                        Peers.http(two, "two")))
                                        .withRetries(new UpstreamConfig.Retries(0, 10, 20))
                                        .withRounds(rounds, Duration.ZERO));
                RawHttpClient client = gateway.client()) {
            assertEquals(rounds == 2 ? 200 : 502, client.send(GET).response().status());
            assertEquals(rounds == 2 ? 3 : 2, talks.get());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void reset_beforeTheAnswer_ofAPost_is502AndNeverSentTwice(String transport) throws IOException {
        try (ScriptedPeer one = new ScriptedPeer(PeerFailureTest::takeAndReset);
                ScriptedPeer two = new ScriptedPeer(PeerFailureTest::takeAndReset);
                Gateway gateway =
                        new Gateway(transport, Peers.http(one, "one"), Peers.http(two, "two"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, client.send(POST).response().status());
            assertEquals(1, one.heads().size() + two.heads().size());
        }
    }

    /// A port that nobody listens at and nobody else can get.
    private static Socket bound() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    private static PeerConfig dead(Socket bound) {
        return PeerConfig.of(
                "dead", PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", bound.getLocalPort()));
    }

    @Test
    void connection_refused_isTriedOnAnother_alsoForAPost() throws IOException {
        try (Socket dead = bound();
                ScriptedPeer good = new ScriptedPeer(PeerFailureTest::good);
                Gateway gateway = new Gateway("nio", dead(dead), Peers.http(good, "good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertEquals("ok", client.send(POST).response().text());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void pooledConnection_closedWhileIdle_isReplaced(String transport) throws IOException {
        // Each connection answers one request and is closed by the peer while it idles.
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.body(5);
                            talk.send(GOOD);
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 20; i++) {
                assertEquals("ok", client.send(PUT).response().text());
            }
            for (int i = 0; i < 20; i++) {
                // Seen by the gateway, so that no POST meets a connection that is about to close.
                Eventually.holds("closed", () -> gateway.pools.open(only(gateway)) == 0);
                assertEquals("ok", client.send(POST).response().text());
            }
        }
    }

    private static io.margay.gateway.balance.Peer only(Gateway gateway) {
        return gateway.upstream.peers().getFirst();
    }

    @Test
    void pooledConnection_closedUponTheRequest_isReplacedForIdempotentOnes() throws IOException {
        AtomicInteger number = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(GOOD);
                            if (number.incrementAndGet() == 1) {
                                talk.head();
                                talk.reset();
                            }
                            good(talk);
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals("ok", client.send(GET).response().text());
            assertEquals("ok", client.send(GET).response().text());
            assertEquals(2, peer.connections());
        }
    }

    @Test
    void answer_cutOffWithinDeclaredLength_ofAnIdempotentRequest_isTriedOnAnother()
            throws IOException {
        try (ScriptedPeer bad =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
                            talk.socket().close();
                        });
                ScriptedPeer good = new ScriptedPeer(PeerFailureTest::good);
                Gateway gateway =
                        new Gateway("nio", Peers.http(bad, "bad"), Peers.http(good, "good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                RawHttpClient.Response response = client.send(GET).response();
                assertEquals("ok", response.text());
                assertEquals("2", response.field("Content-Length"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void answer_cutOffAfterItWasPassedOn_isSeenAsFailureByTheClient(String transport)
            throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhalf");
                            talk.socket().close();
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            assertThrows(IOException.class, client::response);
        }
    }

    @Test
    void chunkedAnswer_cutOffAtOnce_ofAnIdempotentRequest_isTriedOnAnother() throws IOException {
        try (ScriptedPeer bad =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(HALF);
                            talk.socket().close();
                        });
                ScriptedPeer good = new ScriptedPeer(PeerFailureTest::good);
                Gateway gateway =
                        new Gateway("nio", Peers.http(bad, "bad"), Peers.http(good, "good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertEquals("ok", client.send(GET).response().text());
            }
            assertTrue(bad.heads().size() > 0);
        }
    }

    private static final String HALF =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n";

    @Test
    void chunkedAnswer_cutOffLater_isSeenAsFailureByTheClient() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(HALF);
                            talk.await(read::await);
                            talk.socket().close();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            assertEquals('H', client.read());
            read.countDown();
            assertThrows(IOException.class, () -> readAll(client));
        }
    }

    /// Reads until the end or the failure; an end without the last chunk is a failure, too.
    private static void readAll(RawHttpClient client) throws IOException {
        if (!client.readToEnd().contains("\r\n0\r\n")) {
            throw new IOException("cut off");
        }
    }

    /// The connection breaks while the content is sent; what the peer said before lies in the
    /// socket.
    @Test
    void answer_thatPrecedesAReset_isPassedOn() throws IOException {
        byte[] content = new byte[1_000_000];
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(
                                    "HTTP/1.1 413 Too Large\r\nConnection: close\r\n"
                                            + "Content-Length: 5\r\n\r\nlarge");
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"))) {
            for (int i = 0; i < 200; i++) {
                try (RawHttpClient client = gateway.client()) {
                    client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
                    client.send(content);
                    RawHttpClient.Response response = client.response();
                    assertEquals("413 large", response.status() + " " + response.text());
                }
            }
        }
    }

    @Test
    void content_thatIsEmpty_isEndedOnTheNextPeer_too() throws IOException {
        try (ScriptedPeer bad =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.reset();
                        });
                ScriptedPeer good =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            assertEquals("0\r\n\r\n", new String(talk.body(5), ISO_8859_1));
                            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                            talk.awaitEnd();
                        });
                Gateway gateway =
                        new Gateway("nio", Peers.http(bad, "bad"), Peers.http(good, "good"));
                RawHttpClient client = gateway.client()) {
            client.send(
                    "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
            assertEquals("ok", client.response().text());
            assertEquals(1, bad.heads().size());
        }
    }

    @Test
    void eventStream_isPassedOnAtOnce() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(
                                    HALF.replace(
                                            "\r\n\r\n4",
                                            "\r\nContent-Type: text/event-stream\r\n\r\n4"));
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            StringBuilder seen = new StringBuilder();
            while (!seen.toString().endsWith("half")) {
                seen.append((char) client.read());
            }
            assertTrue(seen.toString().contains("text/event-stream"), seen.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void answer_thatDoesNotBegin_is504(String transport) throws IOException {
        try (ScriptedPeer hung = new ScriptedPeer(ScriptedPeer.Talk::awaitEnd);
                Gateway gateway =
                        new Gateway(transport, Peers.http(hung, "hung", Duration.ofMillis(100)));
                RawHttpClient client = gateway.client()) {
            assertEquals(504, client.send(POST).response().status());
        }
    }

    @Test
    void peer_thatIsNotThere_is503WithRetryAfter() throws IOException {
        try (Socket dead = bound();
                Gateway gateway = new Gateway("nio", dead(dead));
                RawHttpClient client = gateway.client()) {
            RawHttpClient.Response response = client.send(GET).response();
            assertEquals(503, response.status());
            assertEquals("1", response.field("Retry-After"));
            assertEquals(503, client.send(GET).response().status());
        }
    }

    @Test
    void client_thatLeaves_closesTheConnectionToThePeer() throws IOException {
        AtomicInteger ended = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.awaitEnd();
                            ended.incrementAndGet();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            Eventually.holds("asked", () -> peer.heads().size() == 1);
            client.reset();
            Eventually.holds("closed", () -> ended.get() == 1);
            Eventually.holds("idle", () -> only(gateway).busy() == 0);
        }
    }

    @Test
    void client_thatBreaksItsContent_isAnswered400AndThePeerSeesNoEnd() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(
                    "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "5\r\nhello\r\nzz\r\n");
            RawHttpClient.Response response = client.response();
            assertEquals(400, response.status());
            assertTrue(response.closes());
            Eventually.holds("idle", () -> gateway.pools.open(only(gateway)) == 0);
        }
    }
}
