package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.SelfSigned;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// OCSP responses that OpenSSL staples. A client that checks no revocation takes any bytes for one.
@Tag("slow")
@Timeout(60)
final class OcspStaplingTest {
    private static final byte[] FIRST = {0x30, 3, 10, 1, 1};
    private static final byte[] SECOND = {0x30, 3, 10, 1, 2};

    @TempDir Path folder = Path.of("");
    private SelfSigned plain;
    private SelfSigned shop;
    private Path response;

    @BeforeEach
    void makeFiles() throws Exception {
        plain = SelfSigned.make(folder, "plain", "EC", List.of("DNS:localhost"));
        shop = SelfSigned.make(folder, "shop", "EC", List.of("DNS:shop.example"));
        response = Files.write(folder.resolve("shop.ocsp"), FIRST);
    }

    private TlsConfig config() {
        return TlsConfig.of(
                        List.of(
                                new TlsConfig.Certificate(plain.cert(), plain.key()),
                                new TlsConfig.Certificate(shop.cert(), shop.key(), response)))
                .withApplicationProtocols(List.of())
                .with(TlsConfig.Provider.OPENSSL);
    }

    private static Listener listen(Transport transport, TlsConfig config) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listen(
                ListenerConfig.of(any).withTls(config), c -> new Echo(c, new Echo.Record()));
    }

    private static List<byte[]> stapled(Listener listener, String host, String version)
            throws Exception {
        try (SSLSocket socket = TestClient.tls(TestClient.tlsContext(), listener.address())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            parameters.setProtocols(new String[] {version});
            socket.setSSLParameters(parameters);
            ContractRig.echo(socket, "hello");
            return ((ExtendedSSLSession) socket.getSession()).getStatusResponses();
        }
    }

    @Test
    void response_ofTheCertificateShown_isStapledAndRenewed() throws Exception {
        try (Transport transport = Transports.open("nio", TransportConfig.defaults())) {
            Listener listener = listen(transport, config());
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                List<byte[]> found = stapled(listener, "shop.example", version);
                assertEquals(1, found.size(), version);
                assertArrayEquals(FIRST, found.getFirst());
                assertEquals(List.of(), stapled(listener, "localhost", version));
            }
            Files.write(response, SECOND);
            listener.reloadCertificates();
            List<byte[]> renewed = stapled(listener, "shop.example", "TLSv1.3");
            assertArrayEquals(SECOND, renewed.getFirst());
        }
    }

    @Test
    void response_notInDerForm_isRefusedByName() throws Exception {
        Files.writeString(response, "rubbish");
        try (Transport transport = Transports.open("nio", TransportConfig.defaults())) {
            TlsSetupException failure =
                    assertThrows(TlsSetupException.class, () -> listen(transport, config()));
            assertTrue(failure.getMessage().contains("shop.ocsp"), failure.getMessage());
        }
    }
}
