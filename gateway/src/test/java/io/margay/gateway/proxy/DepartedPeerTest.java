package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Members;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests and connections of peers that leave their upstream.
@Tag("slow")
final class DepartedPeerTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static void replace(Gateway gateway, PeerConfig... now) {
        Members.Change change = gateway.upstream.replaceDiscovered(List.of(now));
        change.left().forEach(gateway.pools::retire);
    }

    @Test
    void request_onAPeerThatLeaves_isAnswered_andItsConnectionCloses() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        try (ScriptedPeer fixed = new ScriptedPeer(DepartedPeerTest::answer);
                ScriptedPeer leaving =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.await(left::await);
                            talk.send(GOOD);
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", Peers.http(fixed, "fixed"));
                RawHttpClient client = gateway.client()) {
            replace(gateway, Peers.http(leaving, "leaving"));
            Peer peer = gateway.upstream.peers().getLast();
            gateway.upstream.peers().getFirst().activation(Activation.STOPPED);
            client.send(GET);
            Eventually.holds("asked", () -> leaving.heads().size() == 1);
            replace(gateway);
            left.countDown();
            assertEquals("ok", client.response().text());
            Eventually.holds("closed", () -> gateway.pools.open(peer) == 0);
        }
    }

    @Test
    void request_thatWaitsForAConnectionToAPeerThatLeaves_isAnswered() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        try (ScriptedPeer leaving =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.await(left::await);
                            talk.send(GOOD);
                            talk.head();
                            talk.send(GOOD);
                            talk.awaitEnd();
                        });
                Gateway gateway =
                        new Gateway(
                                "nio",
                                Peers.http(leaving, "leaving")
                                        .withPool(
                                                new PeerConfig.Pool(
                                                        1,
                                                        0,
                                                        Duration.ofSeconds(60),
                                                        Duration.ofSeconds(20),
                                                        true,
                                                        Duration.ZERO)));
                RawHttpClient first = gateway.client();
                RawHttpClient second = gateway.client()) {
            Peer peer = gateway.upstream.peers().getFirst();
            first.send(GET);
            Eventually.holds("asked", () -> leaving.heads().size() == 1);
            second.send(GET);
            Eventually.holds("waits", () -> peer.busy() == 2);
            gateway.pools.retire(peer);
            left.countDown();
            assertEquals("ok", first.response().text());
            assertEquals("ok", second.response().text());
        }
    }

    @ParameterizedTest
    @CsvSource({"nio, HTTP", "nio, AJP", "nio, H2C", "blocking, HTTP"})
    void requests_whileMembersComeAndGo_areAllAnswered(String transport, PeerScheme scheme)
            throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (BackEnd one = new BackEnd(scheme);
                BackEnd two = new BackEnd(scheme);
                Gateway gateway = new Gateway(transport, one.peer("fixed"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(threads.submit(() -> ask(gateway, over)));
            }
            for (int i = 0; i < 100; i++) {
                int sofar = one.requests.size() + two.requests.size();
                replace(
                        gateway,
                        i % 2 == 0 ? new PeerConfig[] {two.peer("two")} : new PeerConfig[0]);
                Eventually.holds(
                        "goes on", () -> one.requests.size() + two.requests.size() > sofar + 3);
            }
            over.set(true);
            for (Future<Integer> client : clients) {
                assertTrue(client.get(20, TimeUnit.SECONDS) > 0);
            }
            assertTrue(!two.requests.isEmpty());
            Eventually.holds("closed", () -> two.connections() == 0);
        }
    }

    private static int ask(Gateway gateway, AtomicBoolean over) throws IOException {
        int asked = 0;
        try (RawHttpClient client = gateway.client()) {
            do {
                assertEquals(200, client.send(GET).response().status());
                asked++;
            } while (!over.get());
        }
        return asked;
    }

    private static void answer(ScriptedPeer.Talk talk) throws IOException {
        while (true) {
            talk.head();
            talk.send(GOOD);
        }
    }
}
