package io.margay.lab.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.margay.testkit.ScriptedPeer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HostileClientsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static InetSocketAddress address(ScriptedPeer peer) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), peer.port());
    }

    @Test
    void storm_asksOnceOnEachConnection() throws Exception {
        try (ScriptedPeer peer =
                new ScriptedPeer(talk -> {
                    String _ = talk.head();
                    talk.send(OK);
                })) {
            String words = new ConnectionStorm(address(peer), "/a").run(200);
            assertTrue(words.startsWith("200 connections in "), words);
            assertTrue(words.endsWith("failed: {}"), words);
            assertEquals(200, peer.heads().size());
        }
    }

    @Test
    void storm_thatIsTurnedAway_saysSo() throws Exception {
        try (ScriptedPeer peer =
                new ScriptedPeer(talk -> {
                    String _ = talk.head();
                    talk.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
                })) {
            String words = new ConnectionStorm(address(peer), "/a").run(5);
            assertTrue(words.endsWith("failed: {503=5}"), words);
        }
    }

    @Test
    void badRequests_areOneInTen() throws Exception {
        try (ScriptedPeer peer =
                new ScriptedPeer(talk -> {
                    while (true) {
                        String _ = talk.head();
                        talk.send(OK);
                    }
                })) {
            assertEquals("1000 answered", new BadRequests(address(peer), "/good").run(1000));
            long good =
                    peer.heads().stream()
                            .filter("GET /good HTTP/1.1\r\nHost: localhost\r\n\r\n"::equals)
                            .count();
            assertTrue(good > 800 && good < 1000, "good " + good);
        }
    }

    @Test
    void slowSenders_thatAreThrownOut_comeAgain() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        try (ScriptedPeer peer = new ScriptedPeer(talk -> {})) {
            Thread clients =
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                try {
                                    new SlowClients(HostileKind.SLOW_HEAD, address(peer), "/a")
                                            .run(3, said::add);
                                } catch (java.io.IOException e) {
                                    said.add("ended");
                                }
                            });
            Eventually.holds("they are there", () -> said.contains("ready"));
            Eventually.holds("they come again", () -> peer.connections() > 3);
            assertTrue(clients.isAlive());
        }
        Eventually.holds("their end", () -> said.contains("ended"));
    }
}
