package io.margay.transport;

import java.security.cert.X509Certificate;
import java.util.List;
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
public record TlsSession(
        String protocol,
        String cipherSuite,
        int keyBits,
        String sessionId,
        @Nullable String applicationProtocol,
        @Nullable String serverName,
        List<X509Certificate> peerCertificates) {
    public TlsSession {
        peerCertificates = List.copyOf(peerCertificates);
    }
}
