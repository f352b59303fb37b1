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
public record TlsInfo(
        String protocol,
        String cipherSuite,
        int keyBits,
        String sessionId,
        List<X509Certificate> peerCertificates) {
    public TlsInfo {
        peerCertificates = List.copyOf(peerCertificates);
    }
}
