package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.Exchange;
import io.margay.server.timing.RequestPhase;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A request that went to a member knows how long it was at what.
@Timeout(60)
final class RequestPhasesTest {
    private static final long SEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String GET = "GET /a HTTP/1.1\r\nHost: shop.example\r\n\r\n";
    private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static long pass() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < SEEN_NANOS) {
            LockSupport.parkNanos(SEEN_NANOS);
        }
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
    }

    private static Exchange ended(Gateway gateway) {
        Eventually.holds("ended", () -> gateway.ended != null);
        return Objects.requireNonNull(gateway.ended);
    }

    private static void assertTook(long micros, Exchange exchange, RequestPhase phase) {
        assertTrue(
                exchange.micros(phase) >= micros,
                phase + ": " + exchange.micros(phase) + ", seen " + micros);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void memberThatThinks_isWaitedFor(String transport) throws Exception {
        CountDownLatch thought = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.await(thought::await);
                            talk.send(GOOD);
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway(transport, Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send(GET);
            Eventually.holds("asked", () -> peer.heads().size() == 1);
            long micros = pass();
            thought.countDown();
            assertEquals("ok", client.response().text());
            Exchange exchange = ended(gateway);
            assertTook(micros, exchange, RequestPhase.ANSWER);
            assertEquals(1, exchange.attempts());
            assertEquals(0, exchange.micros(RequestPhase.SEND));
            assertTrue(exchange.headMicros() >= micros);
        }
    }

    /// What a client takes to send its content is not the member's.
    @Test
    void contentThatComesSlowly_isNotTheMembers() throws Exception {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            byte[] _ = talk.body(8);
                            talk.send(GOOD);
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf");
            Eventually.holds("asked", () -> peer.heads().size() == 1);
            long micros = pass();
            client.send("full");
            assertEquals("ok", client.response().text());
            Exchange exchange = ended(gateway);
            assertTook(micros / 2, exchange, RequestPhase.SEND);
            assertTook(micros / 2, exchange, RequestPhase.CONTENT);
        }
    }

    @Test
    void requestWithoutAConnection_waitsForOne() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            while (true) {
                                talk.head();
                                talk.await(answered::await);
                                talk.send(GOOD);
                            }
                        });
                Gateway gateway =
                        new Gateway(
                                "nio",
                                Peers.http(peer, "peer")
                                        .withPool(PoolTest.max(1, Duration.ofSeconds(20))));
                RawHttpClient first = gateway.client();
                RawHttpClient second = gateway.client()) {
            first.send(GET);
            Eventually.holds("asked", () -> peer.heads().size() == 1);
            second.send(GET);
            Eventually.holds("waits", () -> gateway.upstream.peers().getFirst().busy() == 2);
            long micros = pass();
            answered.countDown();
            assertEquals("ok", first.response().text());
            assertEquals("ok", second.response().text());
            Eventually.holds("told", () -> ended(gateway).micros(RequestPhase.CONNECT) >= micros);
        }
    }
}
