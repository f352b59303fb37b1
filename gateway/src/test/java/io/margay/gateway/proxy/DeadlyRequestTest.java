package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A request that ends the members that get it, or that none of them answers.
final class DeadlyRequestTest {
    private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String POISON = "GET /poison?a=b HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

    private final List<ScriptedPeer> members = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (ScriptedPeer one : members) {
            one.close();
        }
    }

    /// A server that ends, with its listener, on a poisoned request.
    private ScriptedPeer mortal() throws IOException {
        AtomicReference<ScriptedPeer> self = new AtomicReference<>();
        ScriptedPeer made =
                new ScriptedPeer(talk -> {
                    while (true) {
                        if (talk.head().contains("/poison")) {
                            self.get().close();
                            return;
                        }
                        talk.send(GOOD);
                    }
                });
        self.set(made);
        members.add(made);
        return made;
    }

    private static int poisoned(ScriptedPeer one) {
        return (int) one.heads().stream().filter(head -> head.contains("/poison")).count();
    }

    private static Gateway gateway(UpstreamConfig.Retries retries, List<ScriptedPeer> peers)
            throws IOException {
        List<PeerConfig> configs = new ArrayList<>();
        for (ScriptedPeer peer : peers) {
            configs.add(Peers.http(peer, "m" + configs.size()));
        }
        return new Gateway(
                "nio",
                ProxyRules.defaults(),
                Networks.NONE,
                PeerLimits.defaults(),
                UpstreamConfig.of("backend", configs).withRetries(retries));
    }

    /// @param sentMax 2 as by default, or as many as there are members
    /// @param kept whether members have connections that have carried requests
    @ParameterizedTest
    @ValueSource(strings = {"2 new", "2 kept", "0 new", "0 kept"})
    void request_onWhichTwoMembersDie_leavesTheThird_andIsRemembered(String how)
            throws IOException {
        UpstreamConfig.Retries retries =
                new UpstreamConfig.Retries(how.startsWith("2") ? 2 : 0, 10, 20);
        try (Gateway gateway = gateway(retries, List.of(mortal(), mortal(), mortal()));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; how.endsWith("kept") && i < 6; i++) {
                assertEquals("ok", client.send(GET).response().text());
            }
            for (int i = 0; i < 5; i++) {
                assertEquals(502, client.send(POISON).response().status());
            }
            assertEquals(2, members.stream().mapToInt(DeadlyRequestTest::poisoned).sum());
            for (int i = 0; i < 5; i++) {
                assertEquals("ok", client.send(GET).response().text());
            }
            assertEquals(200, client.send(GET.replace("/a", "/other")).response().status());
        }
    }

    @Test
    void request_thatNoMemberAnswers_isSentTwice_andNotRemembered() throws IOException {
        List<ScriptedPeer> peers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ScriptedPeer closing = new ScriptedPeer(talk -> talk.head());
            members.add(closing);
            peers.add(closing);
        }
        try (Gateway gateway = gateway(UpstreamConfig.Retries.defaults(), peers);
                RawHttpClient client = gateway.client()) {
            for (int i = 1; i <= 2; i++) {
                assertEquals(502, client.send(GET).response().status());
                assertEquals(2 * i, members.stream().mapToInt(it -> it.heads().size()).sum());
            }
        }
    }

    @Test
    void retries_thatThereAreTooManyOf_areNotMade() throws IOException {
        ScriptedPeer closing = new ScriptedPeer(talk -> talk.head());
        members.add(closing);
        ScriptedPeer good = mortal();
        UpstreamConfig.Retries none = new UpstreamConfig.Retries(2, 0, 0);
        try (Gateway gateway = gateway(none, List.of(closing, good));
                RawHttpClient client = gateway.client()) {
            int failed = 0;
            for (int i = 0; i < 2; i++) {
                failed += client.send(GET).response().status() == 502 ? 1 : 0;
            }
            assertEquals(1, failed);
            assertFalse(good.heads().isEmpty());
        }
    }
}
