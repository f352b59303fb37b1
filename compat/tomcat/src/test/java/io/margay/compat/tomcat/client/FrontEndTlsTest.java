package io.margay.compat.tomcat.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.compat.tomcat.filter.InitParams;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.TlsInfo;
import io.margay.testkit.TestCertificate;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Whose word on TLS is taken, and how it is read.
@Tag("slow")
final class FrontEndTlsTest {
    private static final TestCertificate CERTIFICATE = TestCertificate.temporary();
    private static final String CERT = "SSL_CLIENT_CERT";

    private static String pem() throws IOException {
        return Files.readString(CERTIFICATE.cert()).strip().replace('\n', ' ');
    }

    private static FrontEndTls valve(String... params) throws ServletException {
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i < params.length; i += 2) {
            all.put(params[i], params[i + 1]);
        }
        return FrontEndTls.of(new InitParams("SSLValve", all));
    }

    /// What the application sees of TLS.
    ///
    /// @param own of the connection itself, or null
    private static TlsInfo seen(FrontEndTls valve, String peer, TlsInfo own, String... fields) {
        Fields.Builder lines = new Fields.Builder();
        for (int i = 0; i < fields.length; i += 2) {
            lines.add(fields[i], fields[i + 1]);
        }
        RequestHead head =
                new RequestHead(
                        "GET",
                        new RequestTarget(
                                RequestTarget.Form.ORIGIN, "/", "/", null, "http", "x.example"),
                        HttpVersion.HTTP_1_1,
                        lines.build(),
                        RequestHead.NO_BODY,
                        false,
                        true);
        ExchangeNotes notes = new ExchangeNotes();
        InvocationHandler handler =
                (proxy, method, args) ->
                        switch (method.getName()) {
                            case "request" -> head;
                            case "notes" -> notes;
                            case "clientTls", "tls" -> own;
                            case "peer" -> new InetSocketAddress(peer, 4711);
                            default -> throw new AssertionError(method.getName());
                        };
        Exchange exchange =
                (Exchange)
                        Proxy.newProxyInstance(
                                Exchange.class.getClassLoader(),
                                new Class<?>[] {Exchange.class},
                                handler);
        assertNull(valve.rewrite(exchange, "", null));
        return notes.clientTls();
    }

    @Test
    void fields_ofTheFrontEnd_areWhatTheApplicationSees() throws Exception {
        TlsInfo tls =
                seen(
                        valve(),
                        "127.0.0.1",
                        null,
                        CERT,
                        pem(),
                        "SSL_CIPHER",
                        "ECDHE-RSA-AES128-GCM-SHA256",
                        "SSL_CIPHER_USEKEYSIZE",
                        "128",
                        "SSL_SESSION_ID",
                        "0A0B");
        assertEquals("ECDHE-RSA-AES128-GCM-SHA256", tls.cipherSuite());
        assertEquals(128, tls.keyBits());
        assertEquals("0A0B", tls.sessionId());
        assertEquals(1, tls.peerCertificates().size());
        String escaped =
                URLEncoder.encode(Files.readString(CERTIFICATE.cert()), StandardCharsets.UTF_8);
        assertEquals(
                tls.peerCertificates(),
                seen(
                                valve(),
                                "127.0.0.1",
                                null,
                                "ssl_client_escaped_cert",
                                escaped.replace("+", "%20"),
                                CERT,
                                "(null)")
                        .peerCertificates());
        assertEquals(
                tls.peerCertificates(),
                seen(valve("sslClientCertHeader", "X-Cert"), "127.0.0.1", null, "x-cert", pem())
                        .peerCertificates());
    }

    @Test
    void stranger_isNotBelieved() throws Exception {
        assertNull(seen(valve(), "192.0.2.1", null, CERT, pem()));
        FrontEndTls listed = valve("internalProxies", "10.0.0.0/8");
        assertNull(seen(listed, "127.0.0.1", null, CERT, pem()));
        assertEquals(1, seen(listed, "10.1.2.3", null, CERT, pem()).peerCertificates().size());
        FrontEndTls trusted = valve("trustedProxies", "10\\.1\\..*", "internalProxies", "10.9.9.9");
        assertNull(seen(trusted, "10.2.2.3", null, CERT, pem()));
        assertEquals(1, seen(trusted, "10.1.2.3", null, CERT, pem()).peerCertificates().size());
    }

    @Test
    void field_thatComesTwice_orCannotBeRead_logsNobodyIn() throws Exception {
        for (String[] fields :
                new String[][] {
                    {CERT, pem(), CERT, pem()},
                    {CERT, "(null)"},
                    {CERT, ""},
                    {CERT, "-----BEGIN CERTIFICATE----- AAAA -----END CERTIFICATE-----"},
                    {CERT, "?".repeat(200)},
                    {"ssl_client_escaped_cert", "%zz"},
                    {"SSL_CIPHER_USEKEYSIZE", "99999999999"},
                }) {
            TlsInfo tls = seen(valve(), "127.0.0.1", null, fields);
            assertEquals(List.of(), tls.peerCertificates(), fields[0]);
            assertEquals(0, tls.keyBits());
        }
    }

    @Test
    void certificate_ofTheFrontEndItself_isNobodysBehindIt() throws Exception {
        TlsInfo user = seen(valve(), "127.0.0.1", null, CERT, pem());
        TlsInfo own =
                new TlsInfo("TLSv1.3", "TLS_AES_256_GCM_SHA384", 256, "", user.peerCertificates());
        TlsInfo tls = seen(valve(), "127.0.0.1", own, "SSL_CIPHER", "AES128-SHA");
        assertEquals(new TlsInfo("TLSv1.3", "AES128-SHA", 256, "", List.of()), tls);
    }

    @Test
    void parameter_thatIsUnknown_isRefused() {
        assertThrows(ServletException.class, () -> valve("sslClientCertHeadr", "X-Cert"));
        assertThrows(ServletException.class, () -> valve("internalProxies", "10.0.0.0/33"));
    }

    @Test
    void proxies_areTheValvesOwn_orThoseOfRemoteIpValve() {
        Map<String, String> remoteIp = Map.of("internalProxies", "10.0.0.1", "portHeader", "x");
        assertEquals(
                Map.of("internalProxies", "10.0.0.1", "sslCipherHeader", "c"),
                FrontEndTls.withProxies(Map.of("sslCipherHeader", "c"), remoteIp));
        Map<String, String> own = Map.of("trustedProxies", "10.0.0.2");
        assertEquals(own, FrontEndTls.withProxies(own, remoteIp));
    }
}
