package io.margay.transport;

import io.margay.testkit.SelfSigned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Settings of TLS with certificates that a test has made.
final class TestTls {
    private TestTls() {}

    /// The files of a certificate.
    static TlsConfig.Certificate files(SelfSigned made) {
        return new TlsConfig.Certificate(made.cert(), made.key());
    }

    /// Both versions, HTTP/1.1, and time enough.
    static TlsConfig config(SelfSigned... made) {
        return with(
                List.of("TLSv1.3", "TLSv1.2"), List.of("http/1.1"), Duration.ofSeconds(10), made);
    }

    /// Chosen versions and protocols.
    static TlsConfig with(
            List<String> protocols, List<String> alpn, Duration timeout, SelfSigned... made) {
        List<TlsConfig.Certificate> files = new ArrayList<>();
        for (SelfSigned m : made) {
            files.add(files(m));
        }
        return TlsConfig.of(files)
                .withProtocols(protocols)
                .withApplicationProtocols(alpn)
                .withHandshakeTimeout(timeout);
    }
}
