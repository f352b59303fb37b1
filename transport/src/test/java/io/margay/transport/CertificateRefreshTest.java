package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.LoggedLines;
import io.margay.testkit.SelfSigned;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A listener of several certificates, of which one is replaced.
@Timeout(60)
final class CertificateRefreshTest {
    @TempDir Path folder = Path.of("");
    private SelfSigned first;
    private SelfSigned second;
    private SelfSigned next;

    @BeforeEach
    void makeFiles() {
        first = SelfSigned.make(folder, "first", "EC", List.of("DNS:first.example"));
        second = SelfSigned.make(folder, "second", "EC", List.of("DNS:second.example"));
        next = SelfSigned.make(folder, "next", "EC", List.of("DNS:second.example"));
    }

    private Listener listen(Transport transport, TlsConfig.Provider provider) throws IOException {
        TlsConfig tls =
                TlsConfig.of(
                                List.of(
                                        new TlsConfig.Certificate(first.cert(), first.key()),
                                        new TlsConfig.Certificate(second.cert(), second.key())))
                        .withApplicationProtocols(List.of())
                        .with(provider);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listen(
                ListenerConfig.of(any).withTls(tls), c -> new Echo(c, new Echo.Record()));
    }

    private static Certificate shown(Listener listener, String host) throws Exception {
        try (SSLSocket socket = TestClient.tls(TestClient.tlsContext(), listener.address())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
            ContractRig.echo(socket, "hello");
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    private void renewSecond() throws IOException {
        Files.move(next.key(), second.key(), StandardCopyOption.REPLACE_EXISTING);
        Files.move(next.cert(), second.cert(), StandardCopyOption.REPLACE_EXISTING);
    }

    private void assertSecondIsRenewed(TlsConfig.Provider provider, Spoiling spoiling)
            throws Exception {
        try (Transport transport = Transports.open("nio", TransportConfig.defaults())) {
            Listener listener = listen(transport, provider);
            assertEquals(second.certificate(), shown(listener, "second.example"));
            spoiling.run();
            renewSecond();
            listener.reloadCertificates();
            assertEquals(next.certificate(), shown(listener, "second.example"));
            assertEquals(first.certificate(), shown(listener, "first.example"));
        }
    }

    /// What is done to the file of the first certificate.
    @FunctionalInterface
    private interface Spoiling {
        void run() throws IOException;
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"JSSE", "OPENSSL"})
    void certificate_thatCannotBeUsed_leavesOthersAlone(TlsConfig.Provider provider)
            throws Exception {
        assertSecondIsRenewed(provider, () -> Files.writeString(first.cert(), "rubbish"));
    }

    /// The first one's file is spoiled in a way that only reading it shows.
    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"JSSE", "OPENSSL"})
    void certificate_whoseFileHasChanged_isReadAlone(TlsConfig.Provider provider) throws Exception {
        try (LoggedLines lines = LoggedLines.of("io.margay.transport")) {
            assertSecondIsRenewed(provider, this::spoil);
            String line = "read again: [" + second.cert() + "]";
            assertEquals(1, lines.count(line), lines.toString());
        }
    }

    private void spoil() throws IOException {
        FileTime time = Files.getLastModifiedTime(first.cert());
        Files.writeString(first.cert(), Files.readString(first.cert()).replace('A', '!'));
        Files.setLastModifiedTime(first.cert(), time);
    }
}
