package io.margay.gateway.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Members;
import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.HealthConfig.Kind;
import io.margay.gateway.config.HealthConfigBuilder;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.testkit.Eventually;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthChecksTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nready";

    private static HealthConfig config(Kind kind, @Nullable String body) {
        return HealthConfigBuilder.builder(HealthConfig.of(kind, "/health?deep"))
                .every(Duration.ofMillis(10))
                .passes(2)
                .fails(2)
                .timeout(Duration.ofSeconds(10))
                .answer(new HealthConfig.ExpectedResponse(200, 399, body))
                .build();
    }

    private static @Nullable String probe(PeerScheme scheme, HealthConfig config, int port) {
        HealthProbe probe =
                new HealthProbe(
                        PeerConfig.of("p", PeerAddress.of(scheme, "127.0.0.1", port)), config);
        CompletableFuture.delayedExecutor(10, TimeUnit.SECONDS).execute(probe::giveUp);
        return probe.run();
    }

    @Test
    void check_atAnotherPort_isByHttp_whateverThePeerSpeaks() throws IOException {
        try (FixedPeer admin = new FixedPeer(OK)) {
            HealthConfig plain = config(Kind.GET, "ready");
            HealthConfig other =
                    HealthConfigBuilder.builder(HealthConfig.of(plain.kind(), plain.uri()))
                            .every(plain.every())
                            .timeout(plain.timeout())
                            .answer(new HealthConfig.ExpectedResponse(200, 200, "ready"))
                            .port(admin.port())
                            .build();
            assertNull(probe(PeerScheme.AJP, other, 1));
            assertTrue(admin.asked().startsWith("GET /health?deep HTTP/1.1\r\n"), admin.asked());
        }
    }

    @Test
    void peer_thatHasJoined_isCheckedAtOnce_andUsedWhenItPasses() throws IOException {
        try (FixedPeer peer = new FixedPeer(OK)) {
            HealthConfig rare =
                    HealthConfigBuilder.builder(HealthConfig.of(Kind.GET, "/"))
                            .every(Duration.ofHours(1))
                            .passes(3)
                            .timeout(Duration.ofSeconds(10))
                            .answer(new HealthConfig.ExpectedResponse(200, 399, "ready"))
                            .build();
            PeerConfig fixed = PeerConfig.of("f", PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", 1));
            Upstream upstream =
                    new Upstream(UpstreamConfig.of("up", List.of(fixed)).withHealth(rare));
            try (HealthChecks checks = new HealthChecks(List.of(upstream), new Random(1))) {
                Members.Change change =
                        upstream.replaceDiscovered(
                                List.of(
                                        PeerConfig.of(
                                                "p",
                                                PeerAddress.of(
                                                        PeerScheme.HTTP,
                                                        "127.0.0.1",
                                                        peer.port()))));
                checks.changed(upstream);
                Peer joined = change.joined().getFirst();
                Eventually.holds("passes", joined::healthy);
                assertEquals(1, checks.result(joined).passes());
                Members.Change _ = upstream.replaceDiscovered(List.of());
                checks.changed(upstream);
                assertEquals(0, checks.result(joined).passes());
            }
        }
    }

    @Test
    void tcp_whereSomethingListens_isGood() throws IOException {
        try (FixedPeer peer = new FixedPeer("")) {
            assertNull(probe(PeerScheme.HTTP, config(Kind.TCP, null), peer.port()));
        }
    }

    @Test
    void tcp_whereNothingListens_isBad() {
        // A port that was free a moment ago may be anybody's; nobody has this one.
        assertNotNull(probe(PeerScheme.HTTP, config(Kind.TCP, null), 1));
    }

    @ParameterizedTest
    @CsvSource({"GET", "HEAD", "OPTIONS"})
    void http_asksWhatIsConfigured(Kind kind) throws IOException {
        String answer = kind == Kind.HEAD ? OK.replace("ready", "") : OK;
        try (FixedPeer peer = new FixedPeer(answer)) {
            assertNull(probe(PeerScheme.HTTP, config(kind, null), peer.port()));
            assertTrue(peer.asked().startsWith(kind + " /health?deep HTTP/1.1\r\n"), peer.asked());
            assertTrue(peer.asked().contains("Host: 127.0.0.1:" + peer.port() + "\r\n"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            delimiter = '|',
            value = {
                "HTTP/1.1 200 OK~Content-Length: 5~~ready | ready | -",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~3~rea~2~dy~0~~ | ready | -",
                "HTTP/1.1 200 OK~Content-Length: 5~~other | ready |"
                        + " the body lacks what is expected",
                "HTTP/1.1 100 Continue~~HTTP/1.1 204 No Content~~ | - | -",
                "HTTP/1.1 503 Busy~Content-Length: 0~~ | - | status 503",
                "HTTP/1.1 404 No~Content-Length: 5~~ready | ready | status 404",
            })
    void http_answer_isJudged(String answer, @Nullable String body, @Nullable String verdict)
            throws IOException {
        try (FixedPeer peer = new FixedPeer(answer.strip().replace("~", "\r\n"))) {
            assertEquals(verdict, probe(PeerScheme.HTTP, config(Kind.GET, body), peer.port()));
        }
    }

    @Test
    void http_nonsense_isBad() throws IOException {
        try (FixedPeer peer = new FixedPeer("SSH-2.0\r\n\r\n")) {
            assertNotNull(probe(PeerScheme.HTTP, config(Kind.GET, null), peer.port()));
        }
    }

    @Test
    void http_answerThatIsBrokenOff_isBad() throws IOException {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nre";
        try (FixedPeer peer = new FixedPeer(head)) {
            assertNotNull(probe(PeerScheme.HTTP, config(Kind.GET, null), peer.port()));
            assertNotNull(probe(PeerScheme.HTTP, config(Kind.GET, "re"), peer.port()));
        }
    }

    @Test
    void peer_thatIsSilent_isBadAfterTheTimeout() throws IOException {
        try (FixedPeer peer = new FixedPeer("")) {
            HealthProbe probe =
                    new HealthProbe(
                            PeerConfig.of(
                                    "p", PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", peer.port())),
                            config(Kind.GET, null));
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(probe::giveUp);
            assertEquals("no response within PT10S", probe.run());
        }
    }

    @Test
    void cping_isAnsweredByCpong() throws IOException {
        try (FixedPeer peer = new FixedPeer("AB\0\1\t")) {
            assertNull(probe(PeerScheme.AJP, config(Kind.CPING, null), peer.port()));
            assertEquals("\u00124\0\1\n", peer.asked());
        }
    }

    @Test
    void cping_ofAnHttpPeer_isBad() throws IOException {
        try (FixedPeer peer = new FixedPeer(OK)) {
            assertNotNull(probe(PeerScheme.HTTP, config(Kind.CPING, null), peer.port()));
        }
    }

    @Test
    void get_overAjp_isARealRequest() throws IOException {
        String head = "AB\0\n\4\0\u00c8\0\2OK\0\0\0";
        String chunk = "AB\0\t\3\0\5ready\0";
        String end = "AB\0\2\5\1";
        try (FixedPeer peer = new FixedPeer(head + chunk + end)) {
            assertNull(probe(PeerScheme.AJP, config(Kind.GET, "ready"), peer.port()));
            assertTrue(peer.asked().contains("/health"), "the path");
            assertTrue(peer.asked().contains("deep"), "the query");
        }
    }

    /// CPING first, and the request on the same connection when it has been answered.
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void cpingAndGet_areBothAsked(boolean answersPing) throws Exception {
        CompletableFuture<Integer> asked = new CompletableFuture<>();
        try (ScriptedPeer peer =
                new ScriptedPeer(talk -> asked.complete(pingThenGet(talk, answersPing)))) {
            HealthConfig plain = config(Kind.GET, "ready");
            HealthConfig both =
                    HealthConfigBuilder.builder(HealthConfig.of(Kind.GET, plain.uri()))
                            .every(plain.every())
                            .timeout(plain.timeout())
                            .answer(new HealthConfig.ExpectedResponse(200, 200, "ready"))
                            .pingFirst(true)
                            .build();
            String verdict = probe(PeerScheme.AJP, both, peer.port());
            assertEquals(answersPing, verdict == null, verdict);
            assertEquals(answersPing ? 2 : 1, asked.get(10, TimeUnit.SECONDS));
        }
    }

    /// How many packets were asked.
    private static int pingThenGet(ScriptedPeer.Talk talk, boolean answersPing) throws IOException {
        byte[] ping = talk.body(5);
        if (!answersPing || ping[4] != 10) {
            return 1;
        }
        int type = talk.send("AB\0\1\t").body(5)[4];
        talk.send("AB\0\n\4\0\u00c8\0\2OK\0\0\0AB\0\t\3\0\5ready\0AB\0\2\5\1");
        return type == 2 ? 2 : 0;
    }

    @Test
    void get_overFastCgi_isARealRequest() throws IOException {
        String output = "Content-Type: text/plain\r\n\r\nready";
        String answer =
                "\1\6\0\1\0"
                        + (char) output.length()
                        + "\0\0"
                        + output
                        + "\1\3\0\1\0\10\0\0\0\0\0\0\0\0\0\0";
        try (FixedPeer peer = new FixedPeer(answer)) {
            assertNull(probe(PeerScheme.FCGI, config(Kind.GET, "ready"), peer.port()));
            assertTrue(peer.asked().contains("SCRIPT_FILENAME"));
        }
    }

    @Test
    void unixSocket_isConnectedTo(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(file));
            HealthProbe probe =
                    new HealthProbe(
                            PeerConfig.of("p", PeerAddress.of(PeerScheme.HTTP, file)),
                            config(Kind.TCP, null));
            assertNull(probe.run());
        }
    }

    // The series

    private static Upstream upstream(HealthConfig health, int port) {
        PeerConfig peer = PeerConfig.of("p", PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", port));
        return new Upstream(UpstreamConfig.of("up", List.of(peer)).withHealth(health));
    }

    @Test
    void peer_thatFailsItsChecks_isOutAndComesBackWhenItPasses() throws IOException {
        try (FixedPeer scripted = new FixedPeer(OK)) {
            Upstream upstream = upstream(config(Kind.GET, null), scripted.port());
            Peer peer = upstream.peers().getFirst();
            try (HealthChecks checks = new HealthChecks(List.of(upstream), new Random(1))) {
                Eventually.holds("passes", () -> checks.result(peer).passes() > 2);
                assertTrue(peer.healthy());
                scripted.answer("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
                Eventually.holds("is out", () -> !peer.healthy());
                assertEquals("status 500", checks.result(peer).reason());
                scripted.answer(OK);
                Eventually.holds("is back", peer::healthy);
            }
        }
    }

    @Test
    void peer_inError_comesBackWhenItPasses() throws IOException {
        try (FixedPeer scripted = new FixedPeer(OK)) {
            Upstream upstream = upstream(config(Kind.GET, null), scripted.port());
            Peer peer = upstream.peers().getFirst();
            peer.begin();
            peer.end(Outcome.CONNECT_FAILED, 0, 0);
            assertEquals(PeerState.ERROR, peer.state());
            try (HealthChecks checks = new HealthChecks(List.of(upstream), new Random(1))) {
                Eventually.holds("recovers", () -> peer.state() == PeerState.RECOVERING);
                assertTrue(checks.result(peer).passes() >= 2);
            }
        }
    }

    @Test
    void peer_thatIsStopped_isNotAsked() throws IOException {
        try (FixedPeer asked = new FixedPeer(OK);
                FixedPeer left = new FixedPeer(OK)) {
            Upstream first = upstream(config(Kind.GET, null), asked.port());
            Upstream second = upstream(config(Kind.GET, null), left.port());
            second.peers().getFirst().activation(Activation.STOPPED);
            try (HealthChecks checks = new HealthChecks(List.of(first, second), new Random(1))) {
                Peer peer = first.peers().getFirst();
                Eventually.holds("passes", () -> checks.result(peer).passes() > 10);
            }
            assertEquals("", left.asked());
        }
    }
}
