package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerConfig;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers of HTTP/1.1 that are asked for 100 Continue before they get content, as with mod_proxy's
/// `ping`.
final class PeerPingTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String POST =
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

    private static PeerConfig pinged(ScriptedPeer peer, String name) {
        return Peers.http(peer, name)
                .withAjp(new PeerConfig.Ajp(null, 8192, Set.of(PeerConfig.Ping.PREPOST)));
    }

    /// Takes heads, and answers nothing.
    private static void hangs(ScriptedPeer.Talk talk) throws IOException {
        String head = talk.head();
        assertTrue(head.contains("Expect: 100-continue"), head);
        talk.head();
    }

    private static void asks(ScriptedPeer.Talk talk) throws IOException {
        while (true) {
            String head = talk.head();
            if (head.contains("Content-Length: 5")) {
                assertTrue(head.contains("Expect: 100-continue"), head);
                talk.send("HTTP/1.1 100 Continue\r\n\r\n");
                assertEquals("hello", new String(talk.body(5), StandardCharsets.US_ASCII));
            } else {
                assertFalse(head.contains("Expect"), head);
            }
            talk.send(OK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void post_toPeerThatHangs_isRunByAnotherOnce(String transport) throws IOException {
        try (ScriptedPeer bad = new ScriptedPeer(PeerPingTest::hangs);
                ScriptedPeer good = new ScriptedPeer(PeerPingTest::asks);
                Gateway gateway = new Gateway(transport, pinged(bad, "bad"), pinged(good, "good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertEquals("ok", client.send(POST).response().text());
            }
            assertEquals(4, good.heads().size());
            assertEquals(1, bad.heads().size(), "it is not asked again while it is in error");
        }
    }

    @Test
    void post_toTheOnlyPeerThatHangs_is503() throws IOException {
        try (ScriptedPeer bad = new ScriptedPeer(PeerPingTest::hangs);
                Gateway gateway = new Gateway("nio", pinged(bad, "bad"));
                RawHttpClient client = gateway.client()) {
            assertEquals(503, client.send(POST).response().status());
        }
    }

    @Test
    void request_withoutContent_isNotHeldUp() throws IOException {
        try (ScriptedPeer good = new ScriptedPeer(PeerPingTest::asks);
                Gateway gateway = new Gateway("nio", pinged(good, "good"));
                RawHttpClient client = gateway.client()) {
            assertEquals("ok", client.get("/a").text());
            assertEquals("ok", client.send(POST).response().text());
            assertEquals(2, good.heads().size());
        }
    }

    @Test
    void refusal_inPlaceOf100_isTheResponse() throws IOException {
        String refusal = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedPeer refuses =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(refusal);
                        });
                Gateway gateway = new Gateway("nio", pinged(refuses, "refuses"));
                RawHttpClient client = gateway.client()) {
            assertEquals(413, client.send(POST).response().status());
        }
    }
}
