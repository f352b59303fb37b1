package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.mirror.CompareConfig;
import io.margay.gateway.mirror.Copies;
import io.margay.gateway.mirror.Mirror;
import io.margay.gateway.mirror.MirrorConfig;
import io.margay.gateway.mirror.SeenAnswer;
import io.margay.gateway.mirror.Shadow;
import io.margay.gateway.mirror.ShadowReading;
import io.margay.gateway.peer.PeerPools;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
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
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Routes whose copies are compared: what is seen of both answers, and that no client feels it.
final class ComparedRouteTest {
    private static final int LARGE = 1_000_000;

    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final PeerPools pools = new PeerPools(PeerLimits.defaults());
    private final List<Exchange> waiting = new CopyOnWriteArrayList<>();
    private final List<Fields> copied = new CopyOnWriteArrayList<>();
    private final List<String> askedOfOld = new CopyOnWriteArrayList<>();
    private final List<HttpServer> servers = new ArrayList<>();
    private final Seen seen = new Seen();
    private Transport transport;
    private Copies copies;

    /// Keeps what it is told.
    private static final class Seen implements Shadow {
        final List<SeenAnswer> old = new CopyOnWriteArrayList<>();
        final List<SeenAnswer> fresh = new CopyOnWriteArrayList<>();
        final List<SeenAnswer> again = new CopyOnWriteArrayList<>();
        final List<String> recorded = new CopyOnWriteArrayList<>();
        final AtomicInteger leftOut = new AtomicInteger();
        final List<FieldList> alone = new CopyOnWriteArrayList<>();

        @Override
        public Pairing begin(RequestHead asked, Fields received, boolean credentials) {
            return new Pairing() {
                @Override
                public String cookies() {
                    return "SID=new";
                }

                @Override
                public void answered(SeenAnswer one, SeenAnswer other) {
                    old.add(one);
                }

                @Override
                public boolean compare(SeenAnswer one, SeenAnswer other) {
                    fresh.add(other);
                    if (asked.target().raw().equals("/fails")) {
                        throw new IllegalStateException("of the test");
                    }
                    return List.of("/twice", "/later").contains(asked.target().raw());
                }

                @Override
                public boolean again(SeenAnswer one, SeenAnswer repeated) {
                    again.add(repeated);
                    return asked.target().raw().equals("/later") && again.size() == 2;
                }
            };
        }

        @Override
        public void leftOut(boolean busy) {
            leftOut.incrementAndGet();
        }

        @Override
        public void oldAlone(Fields received, FieldList answered) {
            alone.add(answered);
        }

        @Override
        public boolean isRecording() {
            return true;
        }

        @Override
        public int unwritten() {
            return 0;
        }

        @Override
        public void record(RequestHead asked, Fields received, int status) {
            recorded.add(asked.method() + " " + asked.target().raw() + " " + status);
        }

        @Override
        public ShadowReading read() {
            return new ShadowReading(old.size(), 0, 0, 0);
        }

        @Override
        public String text() {
            return "";
        }

        @Override
        public String page(String title, List<Chapter> chapters) {
            return "";
        }
    }

    @AfterEach
    void close() {
        waiting.forEach(Exchange::abort);
        servers.forEach(HttpServer::close);
        transport.close();
        workers.close();
    }

    private InetSocketAddress listen(Handler handler) throws IOException {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = new HttpServer(handler, workers);
        servers.add(server);
        return (InetSocketAddress)
                server.listen(transport, ListenerConfig.of(free)).socket().address();
    }

    private static Upstream upstream(String name, int port) {
        PeerAddress address = PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", port);
        return new Upstream(UpstreamConfig.of(name, List.of(PeerConfig.of(name, address))));
    }

    private void answerAsOld(Exchange exchange) throws IOException {
        String path = exchange.request().target().raw();
        askedOfOld.add(path + " " + exchange.request().field("Cookie"));
        exchange.fields().set("X-By", "old");
        byte[] content =
                "old".repeat(path.equals("/large") ? LARGE : 1).getBytes(StandardCharsets.US_ASCII);
        exchange.end(content, 0, content.length);
    }

    private void answerAsNew(Exchange exchange) throws IOException {
        copied.add(exchange.request().fields());
        exchange.fields().set("X-By", "new");
        byte[] content = "new".getBytes(StandardCharsets.US_ASCII);
        switch (exchange.request().target().raw()) {
            case "/hangs" -> waiting.add(exchange);
            case "/breaks" -> {
                exchange.fields().set("Content-Length", "10");
                exchange.offer(content, 0, content.length);
                exchange.push();
                exchange.abort();
            }
            case "/error" -> {
                exchange.status(500);
                exchange.end();
            }
            default -> exchange.end(content, 0, content.length);
        }
    }

    private RawHttpClient client(String kind, Duration timeout) throws IOException {
        transport = Transports.open(kind, TransportConfig.defaults().withLoops(1));
        Upstream old = upstream("old", listen(this::answerAsOld).getPort());
        Upstream fresh = upstream("new", listen(this::answerAsNew).getPort());
        MirrorConfig config =
                new MirrorConfig(
                        "new",
                        100,
                        List.of("GET", "HEAD"),
                        false,
                        20,
                        timeout,
                        CompareConfig.defaults());
        copies = new Copies(config, seen);
        ReverseProxy proxy =
                new ReverseProxy(
                        new PathRouter(old, ProxyRules.defaults()), pools, "margay", Networks.NONE);
        return RawHttpClient.connect(
                listen(
                        new Mirror(
                                copies,
                                proxy,
                                proxy,
                                new Mirror.Sides(old, fresh),
                                ProxyRules.defaults(),
                                new Mirror.Means(System::nanoTime, new SecureRandom(), () -> 0))));
    }

    private static String text(SeenAnswer answer) {
        return answer.status()
                + " "
                + answer.fields().get("X-By")
                + " "
                + new String(answer.content().kept(), StandardCharsets.US_ASCII)
                + (answer.content().whole() ? "" : " …");
    }

    private void get(RawHttpClient client, String path) throws IOException {
        client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\nCookie: SID=old; a=b\r\n\r\n");
        RawHttpClient.Response response = client.response();
        assertEquals(200, response.status());
        assertEquals("old", response.field("X-By"));
    }

    private void ended() throws Exception {
        Eventually.holds("all is compared", () -> copies.read().active() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void bothAnswers_areSeen_andTheOldServerIsAskedAgainWhereItIsToBe(String kind)
            throws Exception {
        try (RawHttpClient client = client(kind, Duration.ofSeconds(20))) {
            get(client, "/");
            ended();
            assertEquals("200 old old", text(seen.old.getFirst()));
            assertEquals("200 new new", text(seen.fresh.getFirst()));
            assertTrue(seen.old.getFirst().nanos() > 0);
            assertEquals(List.of(), seen.again);
            assertEquals("SID=new", copied.getFirst().get("cookie"));
            get(client, "/twice");
            ended();
            assertEquals("200 old old", text(seen.again.getFirst()));
            assertEquals(
                    List.of("/ SID=old; a=b", "/twice SID=old; a=b", "/twice SID=old; a=b"),
                    askedOfOld);
            long before = System.nanoTime();
            get(client, "/later");
            ended();
            assertEquals(3, seen.again.size());
            assertEquals("200 old old", text(seen.again.getLast()));
            assertTrue(System.nanoTime() - before >= 1_000_000_000L);
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
            assertEquals("old", client.response().field("X-By"));
            Eventually.holds("it is told", () -> seen.alone.size() == 1);
            assertEquals("old", seen.alone.getFirst().get("X-By"));
            assertEquals(3, copied.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void longContent_isKeptUpToTheLimit_andCounted(String kind) throws Exception {
        try (RawHttpClient client = client(kind, Duration.ofSeconds(20))) {
            get(client, "/large");
            get(client, "/large");
            ended();
            for (SeenAnswer answer : seen.old) {
                assertEquals(3L * LARGE, answer.content().length());
                assertEquals(1 << 18, answer.content().kept().length);
                assertFalse(answer.content().isKept());
            }
            assertTrue(seen.old.getFirst().content().isSame(seen.old.getLast().content()));
        }
    }

    /// What the new server does, or does not, no client feels, and what fails ends.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void newServer_mayDoWhatItLikes(String kind) throws Exception {
        try (RawHttpClient client = client(kind, Duration.ofMillis(300))) {
            for (String path : List.of("/error", "/breaks", "/fails")) {
                get(client, path);
                ended();
            }
            assertEquals("500 new ", text(seen.fresh.get(0)));
            assertFalse(seen.fresh.get(1).content().whole());
            assertEquals("200 new new", text(seen.fresh.get(2)));
            for (int i = 0; i < 30; i++) {
                get(client, "/hangs");
            }
            ended();
            assertEquals(33, copies.read().leftOut() + seen.old.size());
            assertEquals(copies.read().leftOut(), seen.leftOut.get());
            assertEquals("GET /error 200", seen.recorded.getFirst());
            assertNull(seen.fresh.getLast().fields().get("X-By"));
        }
    }
}
