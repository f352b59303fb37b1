package io.margay.gateway.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.HealthConfigBuilder;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.http2.Http2;
import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.ScriptedPeer;
import io.margay.testkit.TestCertificate;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks by HTTP/2, of Margay itself.
@Tag("slow")
final class Http2ProbeTest {
    private static final TestCertificate CERTIFICATE = TestCertificate.temporary();
    private static Transport transport;
    private static WorkerPool workers;
    private static HttpServer server;
    private static int plain;
    private static int secure;
    private static int withoutHttp2;

    @BeforeAll
    static void start() throws IOException {
        transport = Transports.open("nio", TransportConfig.defaults().withLoops(1));
        workers = new WorkerPool(WorkerLimits.defaults());
        server = new HttpServer(Http2ProbeTest::answer, workers);
        plain = listen(null);
        secure = listen(List.of("h2", "http/1.1"));
        withoutHttp2 = listen(List.of("http/1.1"));
    }

    private static int listen(@Nullable List<String> protocols) throws IOException {
        ListenerConfig config =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        if (protocols != null) {
            TlsConfig made = TlsConfig.of(CERTIFICATE.cert(), CERTIFICATE.key());
            config = config.withTls(made.withApplicationProtocols(protocols));
        }
        InetSocketAddress address =
                (InetSocketAddress) server.listen(transport, config).socket().address();
        return address.getPort();
    }

    @AfterAll
    static void stop() {
        server.close();
        transport.close();
        workers.close();
    }

    private static void answer(Exchange exchange) throws IOException {
        String path = exchange.request().target().raw();
        exchange.status(path.equals("/busy") ? 503 : 200);
        String text = path.equals("/large") ? "y".repeat(100_000) : exchange.request().method();
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        exchange.end(bytes, 0, bytes.length);
    }

    private static @Nullable String probe(PeerScheme scheme, int port, HealthConfig config) {
        return started(scheme, port, config).run();
    }

    private static HealthProbe started(PeerScheme scheme, int port, HealthConfig config) {
        PeerConfig made = PeerConfig.of("p", PeerAddress.of(scheme, "127.0.0.1", port));
        PeerConfig peer =
                made.withTls(new PeerConfig.Tls(true, CERTIFICATE.cert(), null, List.of()));
        HealthProbe probe = new HealthProbe(peer, config);
        CompletableFuture.delayedExecutor(10, TimeUnit.SECONDS).execute(probe::giveUp);
        return probe;
    }

    private static HealthConfig config(HealthConfig.Kind kind, String uri, @Nullable String body) {
        return HealthConfigBuilder.builder(HealthConfig.of(kind, uri))
                .every(Duration.ofSeconds(1))
                .timeout(Duration.ofSeconds(10))
                .answer(new HealthConfig.ExpectedResponse(200, 399, body))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"GET, GET", "OPTIONS, OPTIONS", "HEAD, "})
    void http2_goodAnswer_isGood(HealthConfig.Kind kind, @Nullable String body) {
        assertNull(probe(PeerScheme.H2C, plain, config(kind, "/", body)));
        assertNull(probe(PeerScheme.H2, secure, config(kind, "/", body)));
    }

    @Test
    void http2_badStatus_isBad() {
        HealthConfig asked = config(HealthConfig.Kind.GET, "/busy", null);
        assertEquals("status 503", probe(PeerScheme.H2C, plain, asked));
    }

    @Test
    void http2_bodyThatLacksWhatIsExpected_isBad() {
        HealthConfig asked = config(HealthConfig.Kind.GET, "/", "other");
        assertEquals("the body lacks what is expected", probe(PeerScheme.H2C, plain, asked));
    }

    @Test
    void http2_answerBeyondWhatIsLookedAt_isJudgedByItsBeginning() {
        assertNull(probe(PeerScheme.H2C, plain, config(HealthConfig.Kind.GET, "/large", "yyy")));
    }

    /// A peer that goes away when the request has come.
    ///
    /// @param lastKnownId what it says that it will still answer
    private static ScriptedPeer leaving(int lastKnownId) throws IOException {
        return new ScriptedPeer(talk -> {
            Http2Wire wire = Http2Wire.accept(talk.socket());
            wire.send(Http2.SETTINGS, 0, 0, Http2Wire.settings());
            Http2Wire.Frame frame = wire.read();
            while (frame != null && !frame.ends()) {
                frame = wire.read();
            }
            wire.goAway(lastKnownId, Http2.NO_ERROR);
            if (frame != null && frame.id() <= lastKnownId) {
                wire.headers(frame.id(), true, ":status: 204");
            }
            talk.awaitEnd();
        });
    }

    @Test
    void http2_goAwayOfAPeerThatAnswersStill_isGood() throws IOException {
        try (ScriptedPeer peer = leaving(1)) {
            assertNull(
                    probe(PeerScheme.H2C, peer.port(), config(HealthConfig.Kind.GET, "/", null)));
        }
    }

    @Test
    void http2_goAwayBeforeTheRequestIsLookedAt_saysNothingOfThePeer() throws IOException {
        try (ScriptedPeer peer = leaving(0)) {
            HealthProbe probe =
                    started(PeerScheme.H2C, peer.port(), config(HealthConfig.Kind.GET, "/", null));
            assertNotNull(probe.run());
            assertTrue(probe.wasPassedBy());
        }
    }

    @Test
    void http2_whereItIsNotSpoken_isBad() {
        HealthConfig asked = config(HealthConfig.Kind.GET, "/", null);
        assertNotNull(probe(PeerScheme.H2, withoutHttp2, asked));
        assertNotNull(probe(PeerScheme.H2C, secure, asked));
    }
}
