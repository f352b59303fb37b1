package io.margay.transport;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a TLS handshake agreed on. Immutable.
///
/// @param protocol such as `TLSv1.3`
/// @param cipherSuite IANA name
/// @param keyBits effective key length of the cipher, in bits; 0 when unknown
/// @param sessionId in hexadecimal, or empty
/// @param applicationProtocol what ALPN chose, or null
/// @param serverName what the client asked for by SNI, or null
/// @param peerCertificates the client's chain, its own certificate first; empty without one
/// @param hosts whether a host, or none (null), asks no more of a handshake than this one has met
@RecordBuilder
public record TlsSession(
        String protocol,
        String cipherSuite,
        int keyBits,
        String sessionId,
        @Nullable String applicationProtocol,
        @Nullable String serverName,
        List<X509Certificate> peerCertificates,
        Predicate<@Nullable String> hosts) {
    public TlsSession {
        peerCertificates = List.copyOf(peerCertificates);
    }

    /// Whether requests for a host may come by this session: it was set up by the rules of that
    /// host.
    ///
    /// @param host without port; null for a request that names none
    public boolean isFor(@Nullable String host) {
        return hosts.test(host);
    }
}
