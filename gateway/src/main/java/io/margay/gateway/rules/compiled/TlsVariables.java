package io.margay.gateway.rules.compiled;

import io.margay.server.exchange.TlsInfo;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Date;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// mod_ssl's variables of a connection, `%{SSL:NAME}`: `HTTPS`, `SSL_PROTOCOL`, `SSL_CIPHER`,
/// `SSL_CIPHER_USEKEYSIZE`, `SSL_SESSION_ID`, `SSL_TLS_SNI`, and of the client's certificate
/// `SSL_CLIENT_VERIFY`, `_CERT`, `_M_SERIAL`, `_M_VERSION`, `_V_START`, `_V_END`, `_S_DN`, `_I_DN`,
/// and parts of these such as `SSL_CLIENT_S_DN_CN` and `SSL_CLIENT_S_DN_OU_1`. Stateless.
final class TlsVariables {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss yyyy 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private TlsVariables() {}

    /// The value; empty where there is none.
    static String value(String name, @Nullable TlsInfo tls) {
        if (tls == null) {
            return name.equals("HTTPS") ? "off" : "";
        }
        return switch (name) {
            case "HTTPS" -> "on";
            case "SSL_PROTOCOL" -> tls.protocol();
            case "SSL_CIPHER" -> tls.cipherSuite();
            case "SSL_CIPHER_USEKEYSIZE" -> tls.keyBits() == 0 ? "" : "" + tls.keyBits();
            case "SSL_SESSION_ID" -> tls.sessionId();
            case "SSL_TLS_SNI" -> tls.serverName();
            case "SSL_CLIENT_VERIFY" -> tls.peerCertificates().isEmpty() ? "NONE" : "SUCCESS";
            default ->
                    tls.peerCertificates().isEmpty()
                            ? ""
                            : ofCertificate(name, tls.peerCertificates().getFirst());
        };
    }

    private static String ofCertificate(String name, X509Certificate certificate) {
        return switch (name) {
            case "SSL_CLIENT_CERT" -> pem(certificate);
            case "SSL_CLIENT_M_SERIAL" ->
                    certificate.getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
            case "SSL_CLIENT_M_VERSION" -> Integer.toString(certificate.getVersion());
            case "SSL_CLIENT_V_START" -> time(certificate.getNotBefore());
            case "SSL_CLIENT_V_END" -> time(certificate.getNotAfter());
            case "SSL_CLIENT_S_DN" -> certificate.getSubjectX500Principal().getName();
            case "SSL_CLIENT_I_DN" -> certificate.getIssuerX500Principal().getName();
            default -> {
                if (name.startsWith("SSL_CLIENT_S_DN_")) {
                    yield DistinguishedName.of(certificate.getSubjectX500Principal())
                            .value(name.substring(16));
                }
                yield name.startsWith("SSL_CLIENT_I_DN_")
                        ? DistinguishedName.of(certificate.getIssuerX500Principal())
                                .value(name.substring(16))
                        : "";
            }
        };
    }

    private static String time(Date date) {
        return TIME.format(date.toInstant());
    }

    /// In one line: a field cannot hold more.
    private static String pem(X509Certificate certificate) {
        try {
            String text =
                    Base64.getMimeEncoder(64, " ".getBytes(StandardCharsets.US_ASCII))
                            .encodeToString(certificate.getEncoded());
            return "-----BEGIN CERTIFICATE----- " + text + " -----END CERTIFICATE-----";
        } catch (CertificateEncodingException e) {
            return "";
        }
    }
}
