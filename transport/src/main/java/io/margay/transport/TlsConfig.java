package io.margay.transport;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a listener speaks TLS. Immutable.
///
/// @param certificates at least one; the first serves clients that ask for no known name
/// @param protocols enabled versions, `TLSv1.2` and `TLSv1.3`
/// @param applicationProtocols what ALPN offers, best first, such as `http/1.1`; empty = no ALPN
/// @param clientAuth whether a client certificate is wanted
/// @param trust PEM file of the authorities that sign client certificates, or null
/// @param handshakeTimeout from accept to the handshake's end
public record TlsConfig(
        List<Certificate> certificates,
        List<String> protocols,
        List<String> applicationProtocols,
        ClientAuth clientAuth,
        @Nullable Path trust,
        Duration handshakeTimeout) {
    /// One certificate chain and its key, both PEM; watched and swapped when the files change.
    public record Certificate(Path cert, Path key) {}

    /// What is asked of the client.
    public enum ClientAuth {
        NONE,
        WANT,
        NEED
    }

    public TlsConfig {
        certificates = List.copyOf(certificates);
        protocols = List.copyOf(protocols);
        applicationProtocols = List.copyOf(applicationProtocols);
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("a TLS listener needs a certificate");
        }
    }

    /// TLS 1.2 and 1.3, ALPN `http/1.1`, no client certificate, 10 s for the handshake.
    public static TlsConfig of(Path cert, Path key) {
        return new TlsConfig(
                List.of(new Certificate(cert, key)),
                List.of("TLSv1.3", "TLSv1.2"),
                List.of("http/1.1"),
                ClientAuth.NONE,
                null,
                Duration.ofSeconds(10));
    }

    /// The same with other protocols offered by ALPN, best first.
    public TlsConfig withApplicationProtocols(List<String> names) {
        return new TlsConfig(certificates, protocols, names, clientAuth, trust, handshakeTimeout);
    }
}
