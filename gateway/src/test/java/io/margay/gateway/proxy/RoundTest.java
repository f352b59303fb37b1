package io.margay.gateway.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerScheme;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Many requests that come in one round of a loop, and are sent together at its end.
final class RoundTest {
    private static final int CLIENTS = 60;
    private static final int ROUNDS = 12;

    private static String request(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource({"native, HTTP, 60", "native, AJP, 60", "native, HTTPS, 8", "nio, HTTP, 60"})
    void requests_ofOneRound_areEachAnsweredAndSentOnce(
            String transport, PeerScheme scheme, int count) throws Exception {
        Set<String> asked = new HashSet<>();
        try (BackEnd back = new BackEnd(scheme, transport);
                Gateway gateway = new Gateway(transport, back.peer())) {
            List<RawHttpClient> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(gateway.client());
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < count; i++) {
                    clients.get(i).send(request("POST", "/r" + round + "/c" + i));
                }
                for (int i = 0; i < count; i++) {
                    String path = "/r" + round + "/c" + i;
                    RawHttpClient.Response response = clients.get(i).response();
                    assertEquals(200, response.status());
                    assertTrue(response.text().contains(path), response.text());
                    asked.add(path);
                }
            }
            for (RawHttpClient client : clients) {
                client.close();
            }
            assertEquals(count * ROUNDS, asked.size());
            assertEquals(count * ROUNDS, back.requests.size(), "sent twice, or lost");
        }
    }

    /// Kept connections that the peer closes are among those that a round sends to.
    @Test
    void requests_someToConnectionsThatHaveEnded_areEachAnswered() throws Exception {
        AtomicInteger resets = new AtomicInteger();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            for (int i = 0; i < 3; i++) {
                                String path = talk.head().split(" ", 3)[1];
                                seen.add(path);
                                talk.send(
                                        "HTTP/1.1 200 OK\r\nContent-Length: "
                                                + path.getBytes(US_ASCII).length
                                                + "\r\n\r\n"
                                                + path);
                            }
                            resets.incrementAndGet();
                            talk.reset();
                        });
                Gateway gateway = new Gateway("native", Peers.http(peer, "peer"))) {
            List<RawHttpClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(gateway.client());
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < CLIENTS; i++) {
                    clients.get(i).send(request("GET", "/r" + round + "/c" + i));
                }
                for (int i = 0; i < CLIENTS; i++) {
                    RawHttpClient.Response response = clients.get(i).response();
                    assertEquals("/r" + round + "/c" + i, response.text(), response.statusLine());
                }
            }
            for (RawHttpClient client : clients) {
                client.close();
            }
            assertEquals(CLIENTS * ROUNDS, seen.size());
            assertTrue(resets.get() > CLIENTS, "few connections have ended: " + resets);
        }
    }
}
