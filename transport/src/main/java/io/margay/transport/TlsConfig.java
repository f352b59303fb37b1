package io.margay.transport;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a listener speaks TLS. Immutable.
///
/// @param certificates at least one; the first serves clients that ask for no known name
/// @param protocols enabled versions, `TLSv1.2` and `TLSv1.3`
/// @param cipherSuites enabled suites by their names in the IANA registry, best first; empty = the
///   provider's, but for TLS 1.2 only those with forward secrecy and authenticated encryption
/// @param applicationProtocols what ALPN offers, best first, such as `http/1.1`; empty = no ALPN
/// @param clientAuth whether a client certificate is wanted
/// @param trust PEM file of the authorities that sign client certificates, or null
/// @param handshakeTimeout from accept to the handshake's end
/// @param provider whose TLS it is
public record TlsConfig(
        List<Certificate> certificates,
        List<String> protocols,
        List<String> cipherSuites,
        List<String> applicationProtocols,
        ClientAuth clientAuth,
        @Nullable Path trust,
        Duration handshakeTimeout,
        Provider provider) {
    /// One certificate chain and its key, both PEM; watched and swapped when the files change.
    ///
    /// @param ocsp file with the DER form of the authority's OCSP response, stapled to handshakes
    ///   (OpenSSL only), or null; watched like the others
    public record Certificate(Path cert, Path key, @Nullable Path ocsp) {
        public Certificate(Path cert, Path key) {
            this(cert, key, null);
        }
    }

    /// What is asked of the client.
    public enum ClientAuth {
        NONE,
        WANT,
        NEED
    }

    /// Whose code encrypts.
    public enum Provider {
        /// OpenSSL 3 on the nio and native transports where its library is there, otherwise the
        /// JDK.
        AUTO,

        /// OpenSSL 3; without its library the listener does not open.
        OPENSSL,

        /// The JDK.
        JSSE
    }

    public TlsConfig {
        certificates = List.copyOf(certificates);
        protocols = List.copyOf(protocols);
        cipherSuites = List.copyOf(cipherSuites);
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
                List.of(),
                List.of("http/1.1"),
                ClientAuth.NONE,
                null,
                Duration.ofSeconds(10),
                Provider.AUTO);
    }

    /// The same with another provider.
    public TlsConfig with(Provider other) {
        return new TlsConfig(
                certificates,
                protocols,
                cipherSuites,
                applicationProtocols,
                clientAuth,
                trust,
                handshakeTimeout,
                other);
    }

    /// The same with other application protocols.
    public TlsConfig withApplicationProtocols(List<String> others) {
        return new TlsConfig(
                certificates,
                protocols,
                cipherSuites,
                others,
                clientAuth,
                trust,
                handshakeTimeout,
                provider);
    }
}
