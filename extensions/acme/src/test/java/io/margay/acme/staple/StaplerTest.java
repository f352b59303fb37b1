package io.margay.acme.staple;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.margay.server.acme.StapleLimits;
import io.margay.server.acme.StapleReading;
import io.margay.testkit.Eventually;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import io.margay.testkit.program.Program;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Stapling;
import io.margay.transport.TlsConfig.Stapling.Which;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// OCSP responses between OpenSSL's responder and OpenSSL's client.
@Timeout(60)
final class StaplerTest {
    private static final String STAPLED = "OCSP Response Status: successful";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path folder = Path.of("");
    private TestAuthority root;
    private TestAuthority authority;
    private HttpServer responder;
    private Path responses;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean answers = true;
    private volatile Duration ahead = Duration.ZERO;

    @BeforeEach
    void open() throws IOException {
        root = TestAuthority.in(folder, "root");
        authority = root.intermediate("below");
        responses = folder.resolve("ocsp");
        responder =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        responder.createContext("/", this::respond);
        responder.start();
    }

    @AfterEach
    void close() {
        responder.stop(0);
    }

    private void respond(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.incrementAndGet();
            byte[] question = exchange.getRequestBody().readAllBytes();
            byte[] answer = answers ? authority.answer(question, Duration.ofDays(4)) : new byte[0];
            exchange.sendResponseHeaders(
                    answers ? 200 : 503, answer.length == 0 ? -1 : answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        }
    }

    private Issued issue(String name, boolean mustStaple) {
        return authority.issueForServer(name, responder.getAddress().getPort(), mustStaple);
    }

    private Stapler stapler() {
        StapleLimits defaults = StapleLimits.defaults();
        StapleLimits limits =
                new StapleLimits(
                        10,
                        defaults.responseBytesMax(),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(10),
                        Duration.ofMillis(50),
                        Duration.ofMillis(10),
                        Duration.ofDays(10),
                        Duration.ofMillis(20),
                        defaults.keep(),
                        defaults.askingMax());
        return new Stapler(limits, responses, () -> Instant.now().plus(ahead), new Random(1));
    }

    /// What OpenSSL's client says of a handshake.
    private String client(Listener listener, String host, String version)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Program.of("openssl"),
                                "s_client",
                                "-status",
                                version,
                                "-servername",
                                host,
                                "-CAfile",
                                root.cert().toString(),
                                "-connect",
                                "127.0.0.1:" + ((InetSocketAddress) listener.address()).getPort())
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        assertTrue(said.contains("Verify return code: 0"), said);
        return said;
    }

    private static Listener listen(
            Transport transport, TlsConfig.Provider provider, Stapling stapling, Issued... shown)
            throws IOException {
        TlsConfig tls =
                TlsConfig.of(
                                List.of(shown).stream()
                                        .map(one ->
                                                new TlsConfig.Certificate(one.cert(), one.key()))
                                        .toList())
                        .withApplicationProtocols(List.of())
                        .with(provider)
                        .withStapling(stapling);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listen(ListenerConfig.of(any).withTls(tls), Ending::new);
    }

    /// Ends with its client.
    private record Ending(Connection connection) implements ConnectionHandler {
        @Override
        public void onReadable() {
            connection.close();
        }

        @Override
        public void onWritable() {}

        @Override
        public void onDeadline() {}

        @Override
        public void onClosed() {}
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"JSSE", "OPENSSL"})
    void response_isStapled_alsoAfterARestartWithoutTheResponder(TlsConfig.Provider provider)
            throws Exception {
        Issued shop = issue("shop.example", false);
        for (boolean there : new boolean[] {true, false}) {
            answers = there;
            try (Stapler stapler = stapler();
                    Transport transport = Transports.open("nio", TransportConfig.defaults())) {
                Listener listener =
                        listen(transport, provider, new Stapling(Which.ALL, stapler), shop);
                Eventually.holds("fetched", () -> stapler.of(shop.certificate()) != null);
                for (String version : List.of("-tls1_2", "-tls1_3")) {
                    String said = client(listener, "shop.example", version);
                    assertTrue(said.contains(STAPLED), said);
                    assertTrue(said.contains("Cert Status: good"), said);
                }
            }
        }
        assertEquals(1, asked.get());
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"JSSE", "OPENSSL"})
    void certificateThatDemandsIt_isStapled_othersAreNot(TlsConfig.Provider provider)
            throws Exception {
        Issued shop = issue("shop.example", false);
        Issued strict = issue("strict.example", true);
        try (Stapler stapler = stapler();
                Transport transport = Transports.open("nio", TransportConfig.defaults())) {
            Listener listener =
                    listen(
                            transport,
                            provider,
                            new Stapling(Which.REQUIRED, stapler),
                            shop,
                            strict);
            Eventually.holds("fetched", () -> stapler.of(strict.certificate()) != null);
            assertTrue(client(listener, "strict.example", "-tls1_3").contains(STAPLED));
            assertFalse(client(listener, "shop.example", "-tls1_3").contains(STAPLED));
            assertEquals(
                    List.of("strict.example"),
                    stapler.read().stream().map(StapleReading::certificate).toList());
        }
    }

    /// A certificate takes the place of another when there is a response for it, not before.
    @Test
    void certificateThatDemandsIt_waitsForItsResponse() throws Exception {
        Issued first = issue("first.example", false);
        Issued strict = issue("strict.example", true);
        Path cert = Files.copy(first.cert(), folder.resolve("shown.pem"));
        Path key = Files.copy(first.key(), folder.resolve("shown.key"));
        Issued shown = new Issued("shown", cert, key, first.chain());
        try (Stapler stapler = stapler();
                Transport transport = Transports.open("nio", TransportConfig.defaults())) {
            Listener listener =
                    listen(
                            transport,
                            TlsConfig.Provider.OPENSSL,
                            new Stapling(Which.REQUIRED, stapler),
                            shown);
            Files.write(key, Files.readAllBytes(strict.key()));
            Files.write(cert, Files.readAllBytes(strict.cert()));
            listener.reloadCertificates();
            assertTrue(client(listener, "strict.example", "-tls1_3").contains(STAPLED));
        }
    }

    private static void follow(Stapler stapler, Issued issued) {
        stapler.follow(stapler, List.of(issued.chain()), PATIENCE);
    }

    @Test
    void response_isReplacedAfterHalfOfItsLife_andNotStapledAfterItsEnd() throws Exception {
        Issued shop = issue("shop.example", false);
        X509Certificate own = shop.certificate();
        try (Stapler stapler = stapler()) {
            follow(stapler, shop);
            assertNotNull(stapler.of(own));
            assertEquals(1, asked.get());
            ahead = Duration.ofHours(49);
            // The responder says the same again, whose half is over: it is asked once more.
            Eventually.holds("asked", () -> asked.get() > 1);
            assertNotNull(stapler.of(own));
            answers = false;
            ahead = Duration.ofDays(5);
            assertNull(stapler.of(own));
        }
    }

    @Test
    void revokedCertificate_hasNothingStapled() throws Exception {
        Issued shop = issue("shop.example", false);
        try (Stapler stapler = stapler()) {
            follow(stapler, shop);
            assertNotNull(stapler.of(shop.certificate()));
            authority.revoke(shop);
            ahead = Duration.ofHours(49);
            Eventually.holds("taken away", () -> stapler.of(shop.certificate()) == null);
            assertEquals("the certificate has been revoked", stapler.read().getFirst().failure());
        }
    }

    @Test
    void responseOfAnotherAuthority_isRefused() throws Exception {
        TestAuthority other = root.intermediate("other");
        Issued foreign = other.issueForServer("x.example", responder.getAddress().getPort(), false);
        try (Stapler stapler = stapler()) {
            follow(stapler, foreign);
            assertNull(stapler.of(foreign.certificate()));
            assertTrue(stapler.read().getFirst().failures() > 0);
        }
        assertFalse(Files.exists(responses));
    }

    @Test
    void fileThatHasBeenSpoiled_isFetchedAnew() throws Exception {
        Issued shop = issue("shop.example", false);
        try (Stapler stapler = stapler()) {
            follow(stapler, shop);
        }
        try (var files = Files.list(responses)) {
            Path file = files.findFirst().orElseThrow();
            byte[] der = Files.readAllBytes(file);
            Files.write(file, Arrays.copyOf(der, der.length / 2));
        }
        try (Stapler stapler = stapler()) {
            follow(stapler, shop);
            assertNotNull(stapler.of(shop.certificate()));
        }
        assertEquals(2, asked.get());
    }
}
