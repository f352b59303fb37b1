package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerConfig;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many connections to a peer there are, and who gets them.
final class PoolTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    static PeerConfig.Pool max(int connections, Duration acquire) {
        return new PeerConfig.Pool(
                connections, 0, Duration.ofSeconds(60), acquire, true, Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource({"nio, 1", "native, 1", "native, 3", "blocking, 2"})
    void connections_ofAllLoops_areNeverMoreThanAllowed(String transport, int most)
            throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger highest = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            highest.accumulateAndGet(open.incrementAndGet(), Math::max);
                            try {
                                while (true) {
                                    talk.head();
                                    talk.send(GOOD);
                                }
                            } finally {
                                open.decrementAndGet();
                            }
                        });
                Gateway gateway =
                        new Gateway(
                                transport,
                                Peers.http(peer, "peer")
                                        .withPool(max(most, Duration.ofSeconds(20))));
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(executor.submit(() -> ask(gateway, 30)));
            }
            for (Future<Integer> client : clients) {
                assertEquals(30, client.get(60, TimeUnit.SECONDS));
            }
            // The peer may see the end of one after the begin of the next.
            assertTrue(highest.get() <= most + 4, highest + " connections");
            assertTrue(gateway.pools.open(gateway.upstream.peers().getFirst()) <= most);
        }
    }

    private static int ask(Gateway gateway, int times) throws IOException {
        int good = 0;
        for (int i = 0; i < times; i += 10) {
            try (RawHttpClient client = gateway.client()) {
                for (int k = 0; k < 10; k++) {
                    good += client.send(GET).response().status() == 200 ? 1 : 0;
                }
            }
        }
        return good;
    }

    @Test
    void request_thatWaitsTooLongForAConnection_is503() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.await(answered::await);
                            talk.send(GOOD);
                            talk.awaitEnd();
                        });
                Gateway gateway =
                        new Gateway(
                                "nio",
                                shortWait(
                                        Peers.http(peer, "peer")
                                                .withPool(max(1, Duration.ofMillis(1)))));
                RawHttpClient first = gateway.client();
                RawHttpClient second = gateway.client()) {
            first.send(GET);
            Eventually.holds("asked", () -> peer.heads().size() == 1);
            assertEquals(503, second.send(GET).response().status());
            answered.countDown();
            assertEquals("ok", first.response().text());
        }
    }

    /// What has met a connection that the peer has ended gets a new one, though another one that
    /// was used, and may end as well, is given back meanwhile.
    @ParameterizedTest
    @CsvSource({"native, 0", "nio, 0", "native, 2"})
    void request_whoseConnectionHasEnded_isSentAgainOnANewOne(String transport, int most)
            throws Exception {
        AtomicInteger onUsed = new AtomicInteger();
        Set<String> reset = ConcurrentHashMap.newKeySet();
        Semaphore broken = new Semaphore(0);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            for (int carried = 0; ; carried++) {
                                String head = talk.head();
                                if (head.startsWith("GET /slow ")) {
                                    talk.await(broken::tryAcquire);
                                } else if (head.startsWith("GET /broken")) {
                                    // A loop that needs a connection may have taken the used one.
                                    String path = head.substring(4, head.indexOf(' ', 4));
                                    boolean again = reset.contains(path);
                                    if (!again && carried > 0) {
                                        reset.add(path);
                                        talk.reset();
                                        broken.release();
                                        return;
                                    }
                                    onUsed.addAndGet(carried > 0 ? 1 : 0);
                                    broken.release(again ? 0 : 1);
                                }
                                talk.send(GOOD);
                            }
                        });
                Gateway gateway =
                        new Gateway(
                                transport,
                                Peers.http(peer, "peer")
                                        .withPool(max(most, Duration.ofSeconds(20))));
                RawHttpClient slow = gateway.client();
                RawHttpClient other = gateway.client()) {
            for (int i = 0; i < 40; i++) {
                slow.send(GET.replace("/a", "/slow"));
                assertEquals("ok", other.send(GET).response().text());
                other.send(GET.replace("/a", "/broken" + i));
                assertEquals("ok", slow.response().text());
                assertEquals("ok", other.response().text());
            }
            assertTrue(reset.size() > 20, reset + " were reset");
            assertEquals(0, onUsed.get(), "sent again on connections that were used");
        }
    }

    private static PeerConfig shortWait(PeerConfig peer) {
        return peer.withTimeouts(
                new PeerConfig.Timeouts(
                        Duration.ofMillis(100),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(1)));
    }

    @Test
    void connection_thatIdlesOrLivesTooLong_isClosed() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            while (true) {
                                talk.head();
                                talk.send(GOOD);
                            }
                        });
                Gateway idle =
                        new Gateway(
                                "nio",
                                Peers.http(peer, "peer")
                                        .withPool(
                                                new PeerConfig.Pool(
                                                        0,
                                                        0,
                                                        Duration.ofMillis(20),
                                                        Duration.ofSeconds(1),
                                                        true,
                                                        Duration.ZERO)));
                Gateway once =
                        new Gateway(
                                "nio",
                                Peers.http(peer, "peer")
                                        .withPool(
                                                new PeerConfig.Pool(
                                                        0,
                                                        0,
                                                        Duration.ofSeconds(60),
                                                        Duration.ofSeconds(1),
                                                        false,
                                                        Duration.ZERO)));
                RawHttpClient client = idle.client();
                RawHttpClient other = once.client()) {
            assertEquals("ok", client.send(GET).response().text());
            Eventually.holds(
                    "closed", () -> idle.pools.open(idle.upstream.peers().getFirst()) == 0);
            assertEquals("ok", other.send(GET).response().text());
            assertTrue(
                    peer.heads().getLast().contains("Connection: close"), peer.heads().getLast());
            Eventually.holds(
                    "closed", () -> once.pools.open(once.upstream.peers().getFirst()) == 0);
        }
    }
}
