package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.canary.Canary;
import io.margay.gateway.canary.CanaryConfig;
import io.margay.gateway.canary.CanaryConfig.Step;
import io.margay.gateway.canary.CanaryRouter;
import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.mirror.Copies;
import io.margay.gateway.mirror.Mirror;
import io.margay.gateway.mirror.MirrorConfig;
import io.margay.gateway.peer.PeerPools;
import io.margay.protocol.http.Fields;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Routes that give a part of their requests, or copies of them, to another upstream.
final class DividedRouteTest {
    private static final CanaryConfig HALF =
            CanaryConfig.of("next")
                    .withSteps(List.of(new Step(50, Duration.ZERO)))
                    .withHeader("X-Canary")
                    .withCookie("canary");

    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final PeerPools pools = new PeerPools(PeerLimits.defaults());
    private final List<Fields> copied = new CopyOnWriteArrayList<>();
    private final List<Exchange> waiting = new CopyOnWriteArrayList<>();
    private final List<HttpServer> servers = new ArrayList<>();
    private Transport transport;
    private Upstream old;
    private Upstream next;

    @BeforeEach
    void open() throws IOException {
        transport = Transports.open("nio", TransportConfig.defaults().withLoops(1));
        old =
                upstream(
                        "old",
                        exchange -> {
                            if (exchange.request().target().raw().equals("/held")) {
                                waiting.add(exchange);
                            } else {
                                say(exchange, "old");
                            }
                        });
        next =
                upstream(
                        "next",
                        exchange -> {
                            copied.add(exchange.request().fields());
                            if (exchange.request().target().raw().equals("/hangs")) {
                                waiting.add(exchange);
                            } else {
                                say(exchange, "next");
                            }
                        });
    }

    @AfterEach
    void close() {
        waiting.forEach(Exchange::abort);
        servers.forEach(HttpServer::close);
        transport.close();
        workers.close();
    }

    private static void say(Exchange exchange, String who) throws IOException {
        exchange.fields().set("X-By", who);
        exchange.end();
    }

    private InetSocketAddress listen(Handler handler) throws IOException {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = new HttpServer(handler, workers);
        servers.add(server);
        return (InetSocketAddress)
                server.listen(transport, ListenerConfig.of(free)).socket().address();
    }

    private Upstream upstream(String name, Handler handler) throws IOException {
        int port = listen(handler).getPort();
        PeerAddress address = PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", port);
        return new Upstream(UpstreamConfig.of(name, List.of(PeerConfig.of(name, address))));
    }

    private RawHttpClient canary(CanaryConfig config) throws IOException {
        Router router =
                new CanaryRouter(
                        new Canary("old", config, System::nanoTime),
                        old,
                        next,
                        ProxyRules.defaults(),
                        new SecureRandom());
        return RawHttpClient.connect(
                listen(new ReverseProxy(router, pools, "margay", Networks.NONE)));
    }

    private static RawHttpClient.Response get(RawHttpClient client, String fields)
            throws IOException {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
        return client.response();
    }

    @Test
    void clientWithTheCookie_staysWithAVersion() throws IOException {
        try (RawHttpClient client = canary(HALF)) {
            for (int i = 0; i < 20; i++) {
                RawHttpClient.Response first = get(client, "");
                String cookie = first.field("Set-Cookie");
                assertNotNull(cookie);
                assertEquals("private", first.field("Cache-Control"));
                assertTrue(cookie.endsWith("; Path=/; HttpOnly; SameSite=Lax"), cookie);
                String sent = cookie.substring(0, cookie.indexOf(';'));
                RawHttpClient.Response again = get(client, "Cookie: a=b; " + sent + "\r\n");
                assertEquals(first.field("X-By"), again.field("X-By"));
                assertNull(again.field("Set-Cookie"));
            }
        }
    }

    /// Requests of a page are sent before its cookie is there.
    @Test
    void requestsOfASession_agree_whateverItsMemberIs() throws IOException {
        try (RawHttpClient client = canary(HALF)) {
            for (int i = 0; i < 20; i++) {
                String session = "Cookie: JSESSIONID=abc" + i;
                RawHttpClient.Response one = get(client, session + ".tc1\r\n");
                RawHttpClient.Response other = get(client, session + "\r\n");
                assertEquals(one.field("X-By"), other.field("X-By"));
                assertEquals(one.field("Set-Cookie"), other.field("Set-Cookie"));
                assertFalse(String.valueOf(one.field("Set-Cookie")).contains("abc"), "its id");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "aaaaaaaaaaaaaaaaaaa!", "HUGE"})
    void cookieThatIsNone_isReplaced(String value) throws IOException {
        String text = value.equals("HUGE") ? "a".repeat(4000) : value;
        try (RawHttpClient client = canary(HALF)) {
            assertNotNull(
                    get(client, "Cookie: margay-canary=" + text + "\r\n").field("Set-Cookie"));
        }
    }

    @Test
    void clientThatAsks_getsWhatItAsksFor() throws IOException {
        try (RawHttpClient client = canary(HALF)) {
            for (int i = 0; i < 10; i++) {
                assertEquals("next", get(client, "X-Canary: always\r\n").field("X-By"));
                assertEquals("old", get(client, "X-Canary: never\r\n").field("X-By"));
                assertEquals("next", get(client, "Cookie: canary=always\r\n").field("X-By"));
            }
        }
        try (RawHttpClient client = canary(HALF.withNetworks(List.of("127.0.0.0/8")))) {
            assertEquals("next", get(client, "").field("X-By"));
        }
    }

    @Test
    void requestsWithoutWhatTheyAreToldApartBy_getTheOldVersion() throws IOException {
        try (RawHttpClient client =
                canary(HALF.withSticky(HashKey.ofVersions("header X-Tenant")))) {
            String by = get(client, "X-Tenant: one\r\n").field("X-By");
            for (int i = 0; i < 10; i++) {
                assertEquals("old", get(client, "").field("X-By"));
                assertEquals(by, get(client, "X-Tenant: one\r\n").field("X-By"));
            }
        }
    }

    private RawHttpClient mirror(Copies copies) throws IOException {
        ReverseProxy proxy =
                new ReverseProxy(
                        new PathRouter(old, ProxyRules.defaults()), pools, "margay", Networks.NONE);
        Mirror.Means means = new Mirror.Means(System::nanoTime, new SecureRandom(), () -> 0);
        return RawHttpClient.connect(
                listen(
                        new Mirror(
                                copies,
                                proxy,
                                proxy,
                                new Mirror.Sides(old, next),
                                ProxyRules.defaults(),
                                means)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copy_hasNoFieldsOfTheConnection_andCredentialsByChoiceAlone(boolean credentials)
            throws Exception {
        MirrorConfig all = MirrorConfig.of("next");
        Copies copies =
                new Copies(
                        new MirrorConfig(
                                "next", 100, all.methods(), credentials, 100, all.timeout(), null));
        try (RawHttpClient client = mirror(copies)) {
            String fields =
                    "Connection: X-Hop\r\nX-Hop: 1\r\nX-Kept: 1\r\nCookie: a=b\r\n"
                            + "Authorization: Basic eDp5\r\n";
            assertEquals("old", get(client, fields).field("X-By"));
            Eventually.holds("the copy comes", () -> copied.size() == 1);
            Fields copy = copied.getFirst();
            assertEquals("1", copy.get("x-kept"));
            assertNull(copy.get("x-hop"));
            assertEquals(credentials ? "a=b" : null, copy.get("cookie"));
            assertEquals(credentials ? "Basic eDp5" : null, copy.get("authorization"));
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
            assertEquals("old", client.response().field("X-By"));
            Eventually.holds("copies end", () -> copies.read().active() == 0);
            assertEquals(1, copies.read().sent());
        }
    }

    @Test
    void copy_isSentWhenTheClientHasItsResponse() throws Exception {
        Copies copies = new Copies(MirrorConfig.of("next"));
        try (RawHttpClient held = mirror(copies);
                RawHttpClient other =
                        RawHttpClient.connect(
                                (InetSocketAddress) held.socket().getRemoteSocketAddress())) {
            held.send("GET /held HTTP/1.1\r\nHost: a\r\nX-Which: held\r\n\r\n");
            Eventually.holds("the member has it", () -> waiting.size() == 1);
            assertEquals("old", get(other, "X-Which: other\r\n").field("X-By"));
            Eventually.holds("a copy comes", () -> !copied.isEmpty());
            assertEquals("other", copied.getFirst().get("x-which"));
            Exchange answered = waiting.getFirst();
            answered.execute(() -> {
                try {
                    say(answered, "old");
                } catch (IOException e) {
                    answered.abort();
                }
            });
            assertEquals("old", held.response().field("X-By"));
            Eventually.holds("the other copy comes", () -> copied.size() == 2);
            assertEquals("held", copied.getLast().get("x-which"));
        }
    }

    /// Copies that are never answered hold nobody up, and are no more than there may be.
    @Test
    void copiesThatHang_areNotFelt_andBounded() throws Exception {
        MirrorConfig few =
                new MirrorConfig(
                        "next", 100, List.of("GET"), false, 2, Duration.ofMinutes(5), null);
        Copies copies = new Copies(few);
        try (RawHttpClient client = mirror(copies)) {
            for (int i = 0; i < 10; i++) {
                client.send("GET /hangs HTTP/1.1\r\nHost: a\r\n\r\n");
                assertEquals("old", client.response().field("X-By"));
            }
            Eventually.holds("others are left out", () -> copies.read().leftOut() == 8);
            assertEquals(2, copies.read().active());
            Eventually.holds("copies come", () -> waiting.size() == 2);
            Eventually.holds(
                    "copies end",
                    () -> {
                        waiting.forEach(Exchange::abort); // also what was tried once more
                        return copies.read().active() == 0;
                    });
        }
    }
}
