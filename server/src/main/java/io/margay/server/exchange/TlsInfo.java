package io.margay.server.exchange;

import java.security.cert.X509Certificate;
import java.util.List;

/// What an engine may know of the TLS session that carried a request. Immutable.
///
/// @param protocol such as `TLSv1.3`; empty when unknown
/// @param cipherSuite IANA name, or what a front end calls it; empty when unknown
/// @param keyBits effective key length of the cipher, in bits; 0 when unknown
/// @param sessionId in hexadecimal, or empty
/// @param peerCertificates the client's chain, its own certificate first; empty without one
/// @param serverName what the client asked for by SNI; empty when it did not, or that is unknown
public record TlsInfo(
        String protocol,
        String cipherSuite,
        int keyBits,
        String sessionId,
        List<X509Certificate> peerCertificates,
        String serverName) {
    /// Of a client of which it is not known what it asked for by SNI.
    public TlsInfo(
            String protocol,
            String cipherSuite,
            int keyBits,
            String sessionId,
            List<X509Certificate> peerCertificates) {
        this(protocol, cipherSuite, keyBits, sessionId, peerCertificates, "");
    }

    public TlsInfo {
        peerCertificates = List.copyOf(peerCertificates);
    }
}
