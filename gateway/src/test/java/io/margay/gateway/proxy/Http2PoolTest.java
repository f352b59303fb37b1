package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.http2.Http2;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many connections there are to HTTP/2 peers, and which peer gets a request.
final class Http2PoolTest {
    private static final int CLIENTS = 6;
    private static final int REQUESTS = 15;

    private static PeerConfig pooled(PeerConfig peer, int max, Duration idle, boolean reuse) {
        PeerConfig.Pool pool = peer.pool();
        return peer.withPool(
                new PeerConfig.Pool(max, 0, idle, pool.acquire(), reuse, pool.lifetime()));
    }

    /// Has several clients ask at a time.
    ///
    /// @return statuses other than 200
    private static List<Integer> load(Gateway gateway) throws Exception {
        Callable<List<Integer>> client =
                () -> {
                    try (RawHttpClient one = gateway.client()) {
                        return IntStream.range(0, REQUESTS)
                                .mapToObj(i -> status(one, "/a" + i))
                                .filter(status -> status != 200)
                                .toList();
                    }
                };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Integer>>> all =
                    IntStream.range(0, CLIENTS).mapToObj(i -> threads.submit(client)).toList();
            List<Integer> bad = new java.util.ArrayList<>();
            for (Future<List<Integer>> each : all) {
                bad.addAll(each.get(30, TimeUnit.SECONDS));
            }
            return bad;
        }
    }

    private static int status(RawHttpClient client, String path) {
        try {
            return client.get(path).status();
        } catch (IOException e) {
            return -1;
        }
    }

    /// A loop without a connection gets one in the end, although the other's is always in use.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void oneConnection_forTwoLoops_servesBoth(String transport) throws Exception {
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway =
                        new Gateway(
                                transport,
                                pooled(backEnd.peer(), 1, Duration.ofSeconds(60), true))) {
            assertEquals(List.of(), load(gateway));
            assertTrue(gateway.pools.open(gateway.upstream.peers().getFirst()) <= 1);
        }
    }

    @Test
    void connections_thatIdle_areClosedInTime() throws Exception {
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway =
                        new Gateway(
                                "nio", pooled(backEnd.peer(), 0, Duration.ofMillis(200), true))) {
            assertEquals(List.of(), load(gateway));
            Eventually.holds(
                    "none is open",
                    () -> gateway.pools.open(gateway.upstream.peers().getFirst()) == 0);
        }
    }

    @Test
    void connections_thatAreNotReused_carryOneRequestEach() throws Exception {
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway =
                        new Gateway(
                                "nio", pooled(backEnd.peer(), 0, Duration.ofSeconds(60), false))) {
            assertEquals(List.of(), load(gateway));
            Eventually.holds(
                    "none is open",
                    () -> gateway.pools.open(gateway.upstream.peers().getFirst()) == 0);
            assertEquals(CLIENTS * REQUESTS, backEnd.requests.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "PREPOST"})
    void pings_beforeRequests_areAnswered(PeerConfig.Ping when) throws Exception {
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway =
                        new Gateway(
                                "native",
                                backEnd.peer()
                                        .withAjp(new PeerConfig.Ajp(null, 8192, Set.of(when))))) {
            assertEquals(List.of(), load(gateway));
        }
    }

    /// What is dialled again must not be dialled without end, while the client waits.
    @ParameterizedTest
    @ValueSource(strings = {"end", "goaway"})
    void connections_thatThePeerEndsBeforeARequest_are503AfterAFew(String how) throws Exception {
        ScriptedPeer.Script script =
                talk -> {
                    if (how.equals("goaway")) {
                        // In one: SETTINGS alone would be a sign of life, and a request come.
                        Http2Wire wire = Http2Wire.accept(talk.socket()).hold();
                        wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                        wire.goAway(0, Http2.NO_ERROR).release();
                        wire.awaitEnd();
                    }
                };
        try (ScriptedPeer peer = new ScriptedPeer(script);
                Gateway gateway =
                        new Gateway(
                                "nio",
                                Peers.http2(peer, "peer")
                                        .withAjp(
                                                new PeerConfig.Ajp(
                                                        null,
                                                        8192,
                                                        Set.of(PeerConfig.Ping.CONNECT))));
                RawHttpClient client = gateway.client()) {
            assertEquals(503, client.get("/a").status());
            assertTrue(peer.connections() <= 4, () -> peer.connections() + " connections");
            assertEquals(503, client.get("/b").status());
            Eventually.holds(
                    "none is open",
                    () -> gateway.pools.open(gateway.upstream.peers().getFirst()) == 0);
        }
    }

    /// Each says that it has not come to the request (RFC 9113 §6.8), which may so be sent again.
    @Test
    void connections_thatThePeerEndsAtTheirFirstRequest_areAFew() throws Exception {
        ScriptedPeer.Script script =
                talk -> {
                    Http2Wire wire = Http2Wire.accept(talk.socket());
                    wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
                    wire.await(Http2.HEADERS);
                    wire.goAway(0, Http2.NO_ERROR);
                    wire.awaitEnd();
                };
        try (ScriptedPeer peer = new ScriptedPeer(script);
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"));
                RawHttpClient client = gateway.client()) {
            assertEquals(502, client.get("/a").status());
            assertTrue(peer.connections() <= 8, () -> peer.connections() + " connections");
            Eventually.holds(
                    "none is open",
                    () -> gateway.pools.open(gateway.upstream.peers().getFirst()) == 0);
        }
    }

    @Test
    void requests_areBalancedOverPeersOfSeveralProtocols() throws Exception {
        try (BackEnd one = new BackEnd(PeerScheme.H2C);
                BackEnd two = new BackEnd(PeerScheme.H2);
                BackEnd three = new BackEnd(PeerScheme.HTTP);
                Gateway gateway =
                        new Gateway("native", one.peer("one"), two.peer("two"), three.peer("3"))) {
            assertEquals(List.of(), load(gateway));
            for (BackEnd each : List.of(one, two, three)) {
                assertEquals(CLIENTS * REQUESTS / 3, each.requests.size());
            }
        }
    }

    /// All of it is asked by GET, so that no client sees that a peer has gone.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void peer_thatGoesAway_isReplacedByTheOther(String transport) throws Exception {
        BackEnd gone = new BackEnd(PeerScheme.H2C);
        try (BackEnd stays = new BackEnd(PeerScheme.H2C);
                Gateway gateway = new Gateway(transport, gone.peer("gone"), stays.peer("stays"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Integer>> before = threads.submit(() -> load(gateway));
            Eventually.holds("it has requests", () -> gone.requests.size() > 5);
            gone.close();
            assertEquals(List.of(), before.get(30, TimeUnit.SECONDS));
            assertEquals(List.of(), load(gateway));
        } finally {
            gone.close();
        }
    }
}
