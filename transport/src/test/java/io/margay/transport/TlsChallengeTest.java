package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.SelfSigned;
import io.margay.transport.factory.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What certificate authorities are shown that look for their challenge (RFC 8737).
@Tag("slow")
@Timeout(60)
final class TlsChallengeTest {
    @TempDir static Path folder;
    private static SelfSigned own;
    private static SelfSigned shown;

    private final Map<String, KeySource.Keys> pending = new ConcurrentHashMap<>();
    private final AtomicInteger accepted = new AtomicInteger();

    @BeforeAll
    static void makeCertificates() {
        own = SelfSigned.make(folder, "own", "EC", List.of("DNS:shop.example"));
        shown = SelfSigned.make(folder, "shown", "EC", List.of("DNS:shop.example"));
    }

    private TlsConfig config(TlsMode mode) {
        return TestTls.config(own)
                .with(mode.provider())
                .withChallenges(
                        new TlsConfig.Challenges() {
                            @Override
                            public boolean isPending() {
                                return !pending.isEmpty();
                            }

                            @Override
                            public KeySource.@Nullable Keys of(String host) {
                                return pending.get(host);
                            }
                        });
    }

    private static Certificate handshake(Listener at, String host, String version, String... alpn)
            throws Exception {
        try (SSLSocket socket = TestClient.tls(TestClient.tlsContext(), at.address())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            parameters.setApplicationProtocols(alpn);
            parameters.setProtocols(new String[] {version});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            if (TlsConfig.Challenges.PROTOCOL.equals(socket.getApplicationProtocol())) {
                assertEquals(-1, socket.getInputStream().read());
            }
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void challenge_isShownToWhoAsksForIt_whileItIsPending(TlsMode mode) throws Exception {
        try (Transport transport = Transports.open(mode.transport(), TransportConfig.defaults())) {
            Listener listener =
                    transport.listen(
                            ListenerConfig.of(
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), 0))
                                    .withTls(config(mode)),
                            c -> {
                                accepted.incrementAndGet();
                                return new Echo(c, new Echo.Record());
                            });
            String challenge = TlsConfig.Challenges.PROTOCOL;
            assertThrows(
                    SSLHandshakeException.class,
                    () -> handshake(listener, "shop.example", "TLSv1.3", challenge));
            pending.put(
                    "shop.example",
                    new KeySource.Keys(List.of(shown.certificate()), shown.privateKey()));
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                assertEquals(
                        shown.certificate(),
                        handshake(listener, "SHOP.example", version, challenge));
                assertEquals(0, accepted.get());
            }
            assertEquals(
                    own.certificate(), handshake(listener, "shop.example", "TLSv1.3", "http/1.1"));
            assertEquals(
                    own.certificate(),
                    handshake(listener, "shop.example", "TLSv1.3", "http/1.1", challenge));
            assertThrows(
                    SSLHandshakeException.class,
                    () -> handshake(listener, "www.example", "TLSv1.3", challenge));
            pending.clear();
            assertThrows(
                    SSLHandshakeException.class,
                    () -> handshake(listener, "shop.example", "TLSv1.3", challenge));
            assertTrue(accepted.get() > 0);
        }
    }
}
