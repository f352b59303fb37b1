package io.margay.transport;

import io.soabase.recordbuilder.core.RecordBuilder;
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
/// @param unverified what a certificate must be at least where it is not verified
@RecordBuilder
public record TlsClientConfig(
        String serverName,
        boolean verify,
        @Nullable Path trust,
        List<String> applicationProtocols,
        List<TlsConfig.Certificate> certificates,
        Unverified unverified)
        implements TlsClientConfigBuilder.With {
    /// What is asked of a certificate, whoever has signed it.
    public enum Unverified {
        /// Nothing.
        ANY,

        /// That it is not before or after its dates.
        DATED,

        /// That, and that it is for the server's name.
        NAMED
    }

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

    /// Where nothing is asked of a certificate that is not verified.
    public TlsClientConfig(
            String serverName,
            boolean verify,
            @Nullable Path trust,
            List<String> applicationProtocols,
            List<TlsConfig.Certificate> certificates) {
        this(serverName, verify, trust, applicationProtocols, certificates, Unverified.ANY);
    }

    /// Whether the certificate must be for the server's name.
    public boolean checksName() {
        return verify || unverified == Unverified.NAMED;
    }

    /// Verified by the JDK's authorities, for HTTP/1.1.
    public static TlsClientConfig of(String serverName) {
        return new TlsClientConfig(serverName, true, null, List.of("http/1.1"));
    }
}
