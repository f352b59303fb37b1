package io.margay.transport;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How an outbound connection speaks TLS. Immutable.
///
/// @param serverName the name that the certificate must be for, and that SNI asks for
/// @param verify whether the certificate is checked at all
/// @param trust PEM file of the authorities that are trusted, or null for the JDK's
/// @param applicationProtocols what ALPN offers, best first; empty = no ALPN
/// @param certificates shown to a server that asks for one: the first that an authority has signed
///   whom it names; watched and read again when the files change
public record TlsClientConfig(
        String serverName,
        boolean verify,
        @Nullable Path trust,
        List<String> applicationProtocols,
        List<TlsConfig.Certificate> certificates) {
    public TlsClientConfig {
        applicationProtocols = List.copyOf(applicationProtocols);
        certificates = List.copyOf(certificates);
    }

    /// Without a certificate of its own.
    public TlsClientConfig(
            String serverName,
            boolean verify,
            @Nullable Path trust,
            List<String> applicationProtocols) {
        this(serverName, verify, trust, applicationProtocols, List.of());
    }

    /// The same with certificates of its own.
    public TlsClientConfig withCertificates(List<TlsConfig.Certificate> own) {
        return new TlsClientConfig(serverName, verify, trust, applicationProtocols, own);
    }

    /// The same for another server.
    public TlsClientConfig withServerName(String other) {
        return new TlsClientConfig(other, verify, trust, applicationProtocols, certificates);
    }

    /// Verified by the JDK's authorities, for HTTP/1.1.
    public static TlsClientConfig of(String serverName) {
        return new TlsClientConfig(serverName, true, null, List.of("http/1.1"));
    }
}
