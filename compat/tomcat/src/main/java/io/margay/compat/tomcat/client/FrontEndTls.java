package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.TlsInfo;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.settings.RequestRewriting;
import jakarta.servlet.ServletException;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a front end says in header fields of its TLS connection with the client, as Tomcat's
/// `SSLValve` reads it: applications find it in the attributes of the request, and a log-in by
/// `CLIENT-CERT` takes the certificate. Immutable.
///
/// The fields of listed peers alone are believed; when none is listed, of those on this machine.
/// From a believed peer the certificate is that of the field or none, never the peer's own.
///
/// @param escapedCertificate field with a certificate whose special characters are escaped, which
///   goes before the other
/// @param certificate field with a certificate in PEM with spaces for line breaks
public record FrontEndTls(
        ProxyMatcher internalProxies,
        ProxyMatcher trustedProxies,
        String escapedCertificate,
        String certificate,
        String cipher,
        String session,
        String keyBits)
        implements RequestRewriting {
    private static final System.Logger LOG = System.getLogger(FrontEndTls.class.getName());
    private static final String INTERNAL = "internalProxies";
    private static final String TRUSTED = "trustedProxies";
    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";

    /// What httpd writes for a variable that has no value.
    private static final String NO_VALUE = "(null)";

    private static final TlsInfo NOTHING = new TlsInfo("", "", 0, "", List.of());

    /// @throws ServletException when a parameter is wrong or unknown
    public static FrontEndTls of(InitParams params) throws ServletException {
        FrontEndTls read =
                new FrontEndTls(
                        ProxyMatcher.of(params, INTERNAL, ProxyMatcher.THIS_MACHINE),
                        ProxyMatcher.of(params, TRUSTED, new ProxyMatcher.Nobody()),
                        params.text("sslClientEscapedCertHeader", "ssl_client_escaped_cert"),
                        params.text("sslClientCertHeader", "ssl_client_cert"),
                        params.text("sslCipherHeader", "ssl_cipher"),
                        params.text("sslSessionIdHeader", "ssl_session_id"),
                        params.text("sslCipherUserKeySizeHeader", "ssl_cipher_usekeysize"));
        params.refuseUnknown();
        return read;
    }

    /// The parameters of a valve, with the proxies of a `RemoteIpValve` unless it lists its own.
    ///
    /// @param remoteIp parameters of the `RemoteIpValve` beside it; null = there is none
    public static Map<String, String> withProxies(
            Map<String, String> params, @Nullable Map<String, String> remoteIp) {
        if (remoteIp == null || isListed(params)) {
            return params;
        }
        Map<String, String> all = new TreeMap<>(params);
        for (String name : List.of(INTERNAL, TRUSTED)) {
            String value = remoteIp.get(name);
            if (value != null) {
                all.put(name, value);
            }
        }
        return all;
    }

    /// Whether parameters say whose fields are believed.
    public static boolean isListed(Map<String, String> params) {
        return !params.getOrDefault(INTERNAL, "").isBlank()
                || !params.getOrDefault(TRUSTED, "").isBlank();
    }

    @Override
    public @Nullable Handler rewrite(
            Exchange exchange, String contextPath, @Nullable WebResources files) {
        String peer = text(exchange.peer());
        if (internalProxies.matches(peer) || trustedProxies.matches(peer)) {
            exchange.notes().clientTls(told(exchange));
        }
        return null;
    }

    private static @Nullable String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : null;
    }

    private TlsInfo told(Exchange exchange) {
        Fields fields = exchange.request().fields();
        TlsInfo before = exchange.clientTls();
        TlsInfo known = before == null ? NOTHING : before;
        String suite = value(fields, cipher);
        String id = value(fields, session);
        String bits = value(fields, keyBits);
        return new TlsInfo(
                known.protocol(),
                suite == null ? known.cipherSuite() : suite,
                bits == null || !bits.matches("[0-9]{1,6}")
                        ? known.keyBits()
                        : Integer.parseInt(bits),
                id == null ? known.sessionId() : id,
                certificates(fields));
    }

    /// The value of a field; null when there is none, or several: one of them may be the client's.
    private static @Nullable String value(Fields fields, String name) {
        List<String> all = fields.all(name);
        String value = all.size() == 1 ? all.getFirst().strip() : "";
        return value.isEmpty() || value.equals(NO_VALUE) ? null : value;
    }

    private List<X509Certificate> certificates(Fields fields) {
        String escaped = value(fields, escapedCertificate);
        String given = escaped == null ? value(fields, certificate) : escaped;
        if (given == null) {
            return List.of();
        }
        try {
            String pem =
                    escaped == null
                            ? given
                            : URLDecoder.decode(given.replace("+", "%2B"), StandardCharsets.UTF_8);
            String text = pem.replace(BEGIN, "").replace(END, "").replaceAll("\\s", "");
            ByteArrayInputStream encoded =
                    new ByteArrayInputStream(Base64.getDecoder().decode(text));
            return CertificateFactory.getInstance("X.509").generateCertificate(encoded)
                            instanceof X509Certificate read
                    ? List.of(read)
                    : List.of();
        } catch (CertificateException | IllegalArgumentException e) {
            LOG.log(Level.DEBUG, "a front end has sent a certificate that cannot be read", e);
            return List.of();
        }
    }
}
