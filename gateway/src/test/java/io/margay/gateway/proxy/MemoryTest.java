package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.PeerState;
import io.margay.gateway.config.PeerScheme;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients make the gateway hold for them comes out of one budget: what happens when that is
/// used up, and that it is whole again afterwards.
@Tag("slow")
class MemoryTest {
    private static final int SMALL = 96 * 1024;

    /// Content that peers get without delay, kept by the gateway for another attempt.
    private static final int KEPT = 40_000;

    private static void awaitNothingHeld(MemoryBudget memory) {
        Eventually.holds("nothing is held any more", () -> memory.held() == 0);
    }

    private static byte[] post(int declared, int sent) {
        byte[] head =
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + declared + "\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[head.length + sent];
        System.arraycopy(head, 0, all, 0, head.length);
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void contentForAnotherAttempt_beyondTheBudget_isPassedOnAndNotKept(String transport)
            throws IOException {
        MemoryBudget memory = new MemoryBudget(SMALL * 4);
        CountDownLatch come = new CountDownLatch(10);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.body(KEPT);
                            come.countDown();
                            talk.body(1);
                            talk.send("HTTP/1.1 204 None\r\n\r\n").awaitEnd();
                        });
                Gateway gateway = new Gateway(transport, memory, Peers.http(peer, "peer"))) {
            List<RawHttpClient> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clients.add(gateway.client().send(post(KEPT + 1, KEPT)));
            }
            Eventually.holds("all content has come", () -> come.getCount() == 0);
            assertTrue(memory.held() > 0, "something is kept");
            assertTrue(memory.refused() > 0, "not all is kept");
            for (RawHttpClient client : clients) {
                assertEquals(204, client.send(new byte[1]).response().status());
                client.close();
            }
            awaitNothingHeld(memory);
        }
    }

    @Test
    void contentThatMustBeWhole_withoutMemoryForIt_isAnswered503() throws IOException {
        MemoryBudget memory = new MemoryBudget(KEPT / 2);
        try (FastCgiBackEnd backEnd = new FastCgiBackEnd();
                Gateway gateway = new Gateway("nio", memory, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send("POST /a.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send(Integer.toHexString(KEPT) + "\r\n" + "x".repeat(KEPT) + "\r\n0\r\n\r\n");
            assertEquals(503, client.response().status());
            assertEquals(0, backEnd.connections());
            awaitNothingHeld(memory);
        }
    }

    /// What is left over when the kernel takes no more is a matter of chance, and up to 8 KiB are
    /// not counted: so heads of several lengths are tried.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void contentThatThePeerDoesNotTake_withoutMemoryForIt_isAnswered503(String transport)
            throws Exception {
        int status = 0;
        for (int i = 0; i < 10 && status != 503; i++) {
            status = statusOfContentNotTaken(transport, 1500 * i);
        }
        assertEquals(503, status);
    }

    private static int statusOfContentNotTaken(String transport, int padding) throws Exception {
        MemoryBudget memory = new MemoryBudget(1);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            awaitQuietly(over);
                        });
                Gateway gateway =
                        new Gateway(
                                transport,
                                memory,
                                Peers.http(peer, "peer", Duration.ofSeconds(1)));
                RawHttpClient client = gateway.client()) {
            client.send(post(200_000_000, padding));
            Thread sender = Thread.ofVirtual().start(() -> sendOn(client));
            int status = client.response().status();
            if (status == 503) {
                assertEquals(PeerState.OK, gateway.upstream.peers().getFirst().state());
            } else {
                assertEquals(502, status);
            }
            awaitNothingHeld(memory);
            over.countDown();
            sender.interrupt();
            return status;
        }
    }

    private static void sendOn(RawHttpClient client) {
        try {
            while (!Thread.interrupted()) {
                client.send(new byte[65_536]);
            }
        } catch (IOException e) {
            // The gateway has had enough, as is expected.
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void responseOfAnHttp2Peer_thatTheClientDoesNotTake_isBrokenOffWithoutMemoryForIt()
            throws Exception {
        MemoryBudget memory = new MemoryBudget(1);
        try (BackEnd backEnd = new BackEnd(PeerScheme.H2C);
                Gateway gateway = new Gateway("nio", memory, backEnd.peer("peer"));
                RawHttpClient client = RawHttpClient.connect(gateway.address(), 4_096)) {
            client.send("GET /bytes/20000000 HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.holds("there was no room", () -> memory.refused() > 0);
            awaitNothingHeld(memory);
            assertThrows(IOException.class, client::response);
        }
    }
}
