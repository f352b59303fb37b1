package io.margay.gateway.proxy;

import io.margay.server.exchange.TlsInfo;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/// What a peer can be told, in a field, of the TLS session between client and gateway.
public enum TlsAttribute {
    /// Nothing: the field is only dropped.
    NONE("none"),
    /// The client's certificate, as `Client-Cert` (RFC 9440 §2.2).
    CLIENT_CERT("client-cert"),
    /// The rest of its chain, as `Client-Cert-Chain` (RFC 9440 §2.3).
    CLIENT_CERT_CHAIN("client-cert-chain"),
    /// The certificate as PEM with spaces for line breaks, as mod_headers sends it.
    PEM("pem"),
    /// The certificate as PEM, percent-encoded, as nginx sends it.
    ESCAPED_PEM("escaped-pem"),
    /// The certificate's bytes in base64, as HAProxy sends them.
    DER("der"),
    /// Whom the certificate names (RFC 2253).
    SUBJECT("subject"),
    /// Who has issued it.
    ISSUER("issuer"),
    /// Its serial number in hexadecimal.
    SERIAL("serial"),
    /// `SUCCESS` when there is a certificate, which the handshake has checked, else `NONE`.
    VERIFY("verify"),
    /// The cipher suite.
    CIPHER("cipher"),
    /// The effective length of its key in bits.
    KEY_BITS("key-bits"),
    /// Such as `TLSv1.3`.
    PROTOCOL("protocol"),
    /// The id of the session in hexadecimal.
    SESSION("session");

    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";
    private static final int PEM_LINE = 64;

    private final String word;

    TlsAttribute(String word) {
        this.word = word;
    }

    /// As a configuration calls it.
    public String word() {
        return word;
    }

    /// The value of a field, or null when there is nothing to tell.
    @Nullable String of(TlsInfo tls) {
        return switch (this) {
            case NONE -> null;
            case VERIFY -> tls.peerCertificates().isEmpty() ? "NONE" : "SUCCESS";
            case CIPHER -> tls.cipherSuite();
            case KEY_BITS -> tls.keyBits() > 0 ? Integer.toString(tls.keyBits()) : null;
            case PROTOCOL -> tls.protocol();
            case SESSION -> tls.sessionId().isEmpty() ? null : tls.sessionId();
            case CLIENT_CERT_CHAIN -> chain(tls.peerCertificates());
            case CLIENT_CERT, PEM, ESCAPED_PEM, DER, SUBJECT, ISSUER, SERIAL ->
                    tls.peerCertificates().isEmpty() ? null : of(tls.peerCertificates().getFirst());
        };
    }

    private String of(X509Certificate certificate) {
        return switch (this) {
            case PEM -> pem(certificate, " ");
            case ESCAPED_PEM ->
                    URLEncoder.encode(pem(certificate, "\n") + "\n", StandardCharsets.US_ASCII)
                            .replace("+", "%20");
            case DER -> base64(certificate);
            case SUBJECT -> name(certificate.getSubjectX500Principal());
            case ISSUER -> name(certificate.getIssuerX500Principal());
            case SERIAL -> certificate.getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
            default -> byteSequence(certificate);
        };
    }

    private static @Nullable String chain(List<X509Certificate> certificates) {
        return certificates.size() < 2
                ? null
                : certificates.stream()
                        .skip(1)
                        .map(TlsAttribute::byteSequence)
                        .collect(Collectors.joining(", "));
    }

    /// RFC 9651 §3.3.5.
    private static String byteSequence(X509Certificate certificate) {
        return ":" + base64(certificate) + ":";
    }

    private static String pem(X509Certificate certificate, String lineBreak) {
        Base64.Encoder lines =
                Base64.getMimeEncoder(PEM_LINE, lineBreak.getBytes(StandardCharsets.US_ASCII));
        return BEGIN + lineBreak + lines.encodeToString(der(certificate)) + lineBreak + END;
    }

    private static String base64(X509Certificate certificate) {
        return Base64.getEncoder().encodeToString(der(certificate));
    }

    private static byte[] der(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the client's certificate is malformed", e);
        }
    }

    /// What no field may contain is written as RFC 2253 §2.4 allows, by its bytes.
    private static String name(X500Principal principal) {
        StringBuilder text = new StringBuilder();
        for (byte each : principal.getName().getBytes(StandardCharsets.UTF_8)) {
            if (each >= ' ' && each < 0x7f) {
                text.append((char) each);
            } else {
                text.append(String.format(Locale.ROOT, "\\%02X", each & 0xff));
            }
        }
        return text.toString();
    }
}
