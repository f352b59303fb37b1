package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.AdaptiveConfig;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Members whose requests in flight follow their response times.
final class AdaptiveMemberTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String GOOD =
            "HTTP/1.1 200 OK\r\nServer-Timing: total;dur=9.000, queued;dur=8.000\r\n"
                    + "Content-Length: 2\r\n\r\nok";

    private static ScriptedPeer patient(Semaphore may) throws IOException {
        return new ScriptedPeer(talk -> {
            while (true) {
                talk.head();
                talk.await(may::tryAcquire);
                talk.send(GOOD);
            }
        });
    }

    private static Gateway gateway(
            ScriptedPeer peer, BalanceDialect dialect, AdaptiveConfig limit, Duration patience)
            throws IOException {
        return new Gateway(
                "nio",
                ProxyRules.defaults(),
                Networks.NONE,
                PeerLimits.defaults(),
                UpstreamConfig.of("backend", List.of(Peers.http(peer, "peer")))
                        .withDialect(dialect)
                        .withPatience(patience)
                        .withWatching(new UpstreamConfig.Watching(null, limit)));
    }

    /// The second of two is refused, or waits until the first is answered.
    @ParameterizedTest
    @EnumSource
    void fullMember_isLeftAlone(BalanceDialect dialect) throws Exception {
        AdaptiveConfig one = new AdaptiveConfig(1, 1, 2, false);
        Semaphore may = new Semaphore(0);
        try (ScriptedPeer peer = patient(may);
                Gateway refusing = gateway(peer, dialect, one, Duration.ZERO);
                Gateway waiting = gateway(peer, dialect, one, Duration.ofSeconds(60));
                RawHttpClient first = refusing.client();
                RawHttpClient second = refusing.client()) {
            first.send(GET);
            Eventually.holds("asked", () -> peer.heads().size() == 1);
            int status = second.send(GET).response().status();
            assertTrue(status == 503 || status == 502, () -> dialect + ": " + status);
            may.release();
            assertEquals("ok", first.response().text());
            try (RawHttpClient third = waiting.client();
                    RawHttpClient fourth = waiting.client()) {
                third.send(GET);
                Eventually.holds("asked", () -> peer.heads().size() == 2);
                fourth.send(GET);
                Eventually.holds("one is on it", () -> waiting.upstream.busy() == 1);
                assertEquals(2, peer.heads().size());
                may.release(2);
                assertEquals("ok", third.response().text());
                assertEquals("ok", fourth.response().text());
            }
        }
    }

    /// What members say of themselves is for the gateway alone, where it asks for that.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queueTimes_areTakenOff_whereTheyAreBelieved(boolean told) throws Exception {
        Semaphore may = new Semaphore(1);
        AdaptiveConfig limit = new AdaptiveConfig(4, 100, 2, told);
        try (ScriptedPeer peer = patient(may);
                Gateway gateway = gateway(peer, BalanceDialect.MARGAY, limit, Duration.ZERO);
                RawHttpClient client = gateway.client()) {
            assertEquals(
                    told ? List.of() : List.of("total;dur=9.000, queued;dur=8.000"),
                    client.send(GET).response().all("Server-Timing"));
        }
    }

    @Test
    void withoutTheKey_thereIsNoLimit() throws Exception {
        try (ScriptedPeer peer = patient(new Semaphore(1));
                Gateway gateway = new Gateway("nio", Peers.http(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals("ok", client.send(GET).response().text());
            assertEquals(0, gateway.upstream.peers().getFirst().limit());
        }
    }
}
