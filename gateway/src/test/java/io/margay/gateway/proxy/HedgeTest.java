package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.HedgeConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.retry.HedgeReading;
import io.margay.gateway.retry.Hedging;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A second member is asked for a GET that the first one does not answer in time.
final class HedgeTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";

    private final Hedging hedging = new Hedging(HedgeConfig.after(Duration.ofMillis(5)));

    private static String good(String text) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + text.length() + "\r\n\r\n" + text;
    }

    /// One that answers nothing.
    private static ScriptedPeer silent() throws IOException {
        return new ScriptedPeer(talk -> {
            talk.head();
            talk.awaitEnd();
        });
    }

    /// One that answers each request when it may.
    private static ScriptedPeer patient(String text, Semaphore may) throws IOException {
        return new ScriptedPeer(talk -> {
            while (true) {
                talk.head();
                talk.await(may::tryAcquire);
                talk.send(good(text));
            }
        });
    }

    private static ScriptedPeer prompt(String text) throws IOException {
        return new ScriptedPeer(talk -> {
            while (true) {
                talk.head();
                talk.send(good(text));
            }
        });
    }

    private Gateway gateway(String transport, PeerConfig... peers) throws IOException {
        return hedged(new Gateway(transport, peers));
    }

    private Gateway hedged(Gateway gateway) {
        gateway.hedging = hedging;
        return gateway;
    }

    private HedgeReading read() {
        return hedging.read("");
    }

    private static void assertIdle(Gateway gateway) {
        Eventually.holds(
                "no request is left on a member",
                () ->
                        gateway.upstream.busy() == 0
                                && gateway.upstream.peers().stream()
                                        .allMatch(peer -> peer.busy() == 0));
        for (Peer peer : gateway.upstream.peers()) {
            assertEquals(0, peer.errors(), peer.config().name());
        }
    }

    @ParameterizedTest
    @CsvSource({"nio, HTTP", "native, HTTP", "blocking, HTTP", "nio, H2C", "native, AJP"})
    void secondMember_answersInPlaceOfASlowOne(String transport, PeerScheme scheme)
            throws Exception {
        try (ScriptedPeer slow = silent();
                BackEnd quick = new BackEnd(scheme);
                Gateway gateway =
                        gateway(transport, Peers.http(slow, "slow"), quick.peer("quick"));
                RawHttpClient client = gateway.client()) {
            assertEquals("GET /a", client.send(GET).response().text());
            assertEquals(1, slow.heads().size());
            assertEquals(1, read().sent());
            assertEquals(1, read().won());
            assertIdle(gateway);
        }
    }

    /// The second attempt is cancelled: its member sees the end of the connection.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void firstMember_thatAnswersBeforeTheSecond_isTheOneThatCounts(String transport)
            throws Exception {
        Semaphore may = new Semaphore(0);
        CountDownLatch cancelled = new CountDownLatch(1);
        try (ScriptedPeer first = patient("first", may);
                ScriptedPeer second =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.awaitEnd();
                            cancelled.countDown();
                        });
                Gateway gateway =
                        gateway(
                                transport,
                                Peers.http(first, "first"),
                                Peers.http(second, "second"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            Eventually.holds("both are asked", () -> second.heads().size() == 1);
            may.release();
            assertEquals("first", client.response().text());
            Eventually.holds("the second is cancelled", () -> cancelled.getCount() == 0);
            assertEquals(0, read().won());
            assertIdle(gateway);
            may.release();
            assertEquals("first", client.send(GET).response().text());
        }
    }

    /// What the second one does wrong is not the client's affair.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nno",
                "HTTP/1.1 103 Early Hints\r\nLink: </evil>\r\n\r\n"
            })
    void secondMember_thatFails_leavesTheRequestToTheFirst(String answer) throws Exception {
        Semaphore may = new Semaphore(0);
        CountDownLatch done = new CountDownLatch(1);
        try (ScriptedPeer first = patient("first", may);
                ScriptedPeer second =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(answer);
                            if (answer.isEmpty()) {
                                talk.reset();
                            }
                            done.countDown();
                        });
                Gateway gateway =
                        gateway("nio", Peers.http(first, "first"), Peers.http(second, "second"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            Eventually.holds("the second has answered", () -> done.getCount() == 0);
            Eventually.holds(
                    "its attempt is over", () -> gateway.upstream.peers().getLast().busy() == 0);
            may.release();
            RawHttpClient.Response response = client.response();
            assertEquals("first", response.text());
            assertEquals(0, read().won());
        }
    }

    /// A first member that breaks off leaves the request to the second, which gets it once.
    @Test
    void firstMember_thatBreaks_leavesTheRequestToTheSecond() throws Exception {
        Semaphore breaks = new Semaphore(0);
        Semaphore may = new Semaphore(0);
        try (ScriptedPeer first =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.await(breaks::tryAcquire);
                            talk.reset();
                        });
                ScriptedPeer second = patient("second", may);
                Gateway gateway =
                        gateway("nio", Peers.http(first, "first"), Peers.http(second, "second"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            Eventually.holds("both are asked", () -> second.heads().size() == 1);
            breaks.release();
            Eventually.holds(
                    "the first is given up", () -> gateway.upstream.peers().getFirst().busy() == 0);
            may.release();
            assertEquals("second", client.response().text());
            assertEquals(1, second.heads().size());
        }
    }

    /// Content, a session, or a spent retry budget: nobody is asked twice. That the time is over is
    /// known from a request after it that is asked twice.
    @ParameterizedTest
    @ValueSource(strings = {POST, "GET /a HTTP/1.1\r\nHost: a\r\nCookie: JSESSIONID=1\r\n\r\n"})
    void request_withASideEffectOrASession_isSentToOneMember(String request) throws Exception {
        Semaphore may = new Semaphore(0);
        try (ScriptedPeer first =
                        new ScriptedPeer(talk -> {
                            String head = talk.head();
                            if (head.startsWith("GET /late")) {
                                talk.awaitEnd();
                            }
                            talk.await(may::tryAcquire);
                            talk.send(good("first"));
                        });
                ScriptedPeer second = prompt("second");
                Gateway gateway =
                        gateway("nio", Peers.http(first, "first"), Peers.http(second, "second"));
                RawHttpClient client = gateway.client();
                RawHttpClient other = gateway.client()) {
            client.send(request);
            Eventually.holds("it is asked", () -> first.heads().size() == 1);
            assertEquals("second", other.send(GET).response().text());
            other.send(GET.replace("/a", "/late"));
            assertEquals("second", other.response().text());
            may.release(9); // also for what waits on connections that were given up
            assertEquals("first", client.response().text());
            for (String head : second.heads()) {
                assertTrue(!head.startsWith("POST") && !head.contains("JSESSIONID"), head);
            }
        }
    }

    @Test
    void retryBudget_boundsSecondAttempts() throws Exception {
        Semaphore may = new Semaphore(0);
        try (ScriptedPeer first = patient("first", may);
                ScriptedPeer second = prompt("second");
                Gateway gateway =
                        hedged(
                                new Gateway(
                                        "nio",
                                        ProxyRules.defaults(),
                                        Networks.NONE,
                                        PeerLimits.defaults(),
                                        UpstreamConfig.of(
                                                        "backend",
                                                        List.of(
                                                                Peers.http(first, "first"),
                                                                Peers.http(second, "second")))
                                                .withRetries(
                                                        new UpstreamConfig.Retries(2, 0, 0))));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            Eventually.holds("it is time", () -> read().leftOut() == 1);
            may.release();
            assertEquals("first", client.response().text());
            assertEquals(0, read().sent());
            assertEquals(List.of(), second.heads());
        }
    }

    /// A client that leaves cancels both.
    @Test
    void client_thatLeaves_endsBothAttempts() throws Exception {
        try (ScriptedPeer first = silent();
                ScriptedPeer second = silent();
                Gateway gateway =
                        gateway("nio", Peers.http(first, "first"), Peers.http(second, "second"))) {
            try (Http2Wire client = gateway.http2()) {
                client.get(1, "/a");
                Eventually.holds("both are asked", () -> second.heads().size() == 1);
            }
            assertIdle(gateway);
        }
    }

    @Test
    void percentile_isKnownAfterSomeResponses_andFollowsThem() {
        Hedging byPercentile = new Hedging(HedgeConfig.percentile(95));
        for (int i = 0; i < 90; i++) {
            byPercentile.answered(Duration.ofMillis(10).toNanos());
        }
        assertEquals(-1, byPercentile.afterNanos());
        for (int i = 0; i < 10; i++) {
            byPercentile.answered(Duration.ofMillis(400).toNanos());
        }
        assertNear(400, byPercentile);
        for (int i = 0; i < 40_000; i++) {
            byPercentile.answered(Duration.ofMillis(20).toNanos());
        }
        assertNear(20, byPercentile);
    }

    private static void assertNear(long millis, Hedging hedging) {
        double after = hedging.afterNanos() / 1e6;
        assertTrue(after >= millis && after <= 1.15 * millis, after + " ms");
    }
}
