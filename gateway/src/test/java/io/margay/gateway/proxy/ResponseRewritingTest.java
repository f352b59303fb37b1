package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a hostile peer says in fields that are rewritten for clients.
final class ResponseRewritingTest {
    private static ProxyRules rules(List<Replacement> reverse, List<Replacement> cookiePaths) {
        return ProxyRules.defaults()
                .withReverse(reverse)
                .withCookieDomains(List.of(new Replacement("peer.example", "shop.example")))
                .withCookiePaths(cookiePaths);
    }

    /// What a client gets for a field that a peer with the path `/app` has sent.
    private static String through(String name, String value, ProxyRules rules) throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            talk.head();
                            talk.send(
                                    "HTTP/1.1 302 Found\r\n"
                                            + name
                                            + ": "
                                            + value
                                            + "\r\nContent-Length: 0\r\n\r\n");
                        });
                Gateway gateway = new Gateway("nio", rules, Networks.NONE, atApp(peer));
                RawHttpClient client = gateway.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            return String.valueOf(client.response().field(name));
        }
    }

    private static PeerConfig atApp(ScriptedPeer peer) {
        PeerConfig other = Peers.http(peer, "peer");
        return other.withUrl(new PeerUrl(other.address(), "/app"));
    }

    /// Without the path of the peer, what is left does not name another host.
    @ParameterizedTest
    @CsvSource({
        "/app/there, /there",
        "/app//evil.example/x, /evil.example/x",
        "/app/\\evil.example, /evil.example",
        "/app/\\/evil.example, /evil.example",
        "/apple/there, /apple/there",
        "//other.example/app, //other.example/app",
    })
    void location_belowThePathOfThePeer_staysOnTheHost_cve2026_25854(String said, String seen)
            throws IOException {
        assertEquals(seen, through("Location", said, ProxyRules.defaults()));
        ProxyRules reversed = rules(List.of(new Replacement("/app/", "/")), List.of());
        assertEquals(seen, through("Location", said, reversed));
    }

    @Test
    void location_thatIsThePathOfThePeer_isTheRoot() throws IOException {
        assertEquals("/", through("Location", "/app", ProxyRules.defaults()));
    }

    @Test
    void cookie_ofAnyLength_isRewrittenWhole_cve2026_34356() throws IOException {
        String longer = "/" + "p".repeat(2_000);
        ProxyRules rules = rules(List.of(), List.of(new Replacement("/app", longer)));
        for (int length : new int[] {0, 1, 15, 16, 255, 256, 1_023, 1_024, 4_000}) {
            String pair = "a=" + "v".repeat(length);
            assertEquals(
                    pair + "; Path=" + longer + "; Domain=shop.example",
                    through("Set-Cookie", pair + "; Path=/app/b; Domain=peer.example", rules));
        }
        for (String odd : List.of("a=b;Path=;;=;Domain", "a=b; Path; Domain=", "=;=;=", ";")) {
            assertEquals(odd, through("Set-Cookie", odd, rules));
        }
        String many = "a=b" + "; path=/app".repeat(3);
        String each = "a=b" + ("; path=" + longer).repeat(3);
        assertEquals(each, through("Set-Cookie", many, rules));
    }
}
