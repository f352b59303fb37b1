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
public record TlsClientConfig(
        String serverName,
        boolean verify,
        @Nullable Path trust,
        List<String> applicationProtocols) {
    public TlsClientConfig {
        applicationProtocols = List.copyOf(applicationProtocols);
    }

    /// Verified by the JDK's authorities, for HTTP/1.1.
    public static TlsClientConfig of(String serverName) {
        return new TlsClientConfig(serverName, true, null, List.of("http/1.1"));
    }
}
