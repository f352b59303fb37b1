package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.yaml.Problem;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.server.acme.AcmeReading;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.ScriptedAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that gets its certificates by itself, from an authority that looks at its listeners.
@Tag("slow")
@Timeout(120)
final class AcmeTest {
    private static final Duration ISSUE = Duration.ofSeconds(60);
    private static final String IDENTIFIER = "1.3.6.1.5.5.7.1.31";

    /// The key of an account elsewhere.
    private static final String EXTERNAL = "YSBrZXkgdGhhdCBoYXMgdGhpcnR5LXR3byBieXRlcy4";

    @TempDir Path folder;
    private ScriptedAuthority authority;
    private int http;
    private int https;

    @BeforeEach
    void open() throws IOException {
        http = FreePort.next();
        https = FreePort.next();
        authority = ScriptedAuthority.open(Files.createDirectory(folder.resolve("authority")));
        authority.proofs(this::look);
        Files.createDirectory(folder.resolve("site"));
    }

    @AfterEach
    void close() {
        authority.close();
    }

    private boolean look(String kind, String name, String token, String authorization)
            throws IOException {
        try {
            return kind.equals("http-01")
                    ? new Http(http)
                            .get("/.well-known/acme-challenge/" + token)
                            .equals(authorization)
                    : shows(name, authorization);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private boolean shows(String name, String authorization)
            throws IOException, GeneralSecurityException {
        byte[] extension = certificate(name, "acme-tls/1").getExtensionValue(IDENTIFIER);
        byte[] digest =
                MessageDigest.getInstance("SHA-256")
                        .digest(authorization.getBytes(StandardCharsets.US_ASCII));
        byte[] end = new byte[digest.length];
        System.arraycopy(extension, extension.length - end.length, end, 0, end.length);
        return MessageDigest.isEqual(digest, end);
    }

    /// What is shown to a client that trusts everybody.
    private X509Certificate certificate(String name, String protocol)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, null);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), https)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            parameters.setApplicationProtocols(new String[] {protocol});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private ConfigFile.Result read(String listeners, String host) throws IOException {
        String yaml =
                """
                listeners:
                %s
                hosts:
                  - name: shop.example
                    routes: {/*: {files: site}}
                %s
                acme: {ca: "%s", ca-file: authority/authority.pem, email: admin@shop.example}
                work: work
                admin: 127.0.0.1:0
                admin-token: a-token-for-this-test
                """
                        .formatted(
                                listeners.indent(2).stripTrailing(),
                                host.indent(4).stripTrailing(),
                                authority.directory());
        return ConfigFile.read(Files.writeString(folder.resolve("margay.yaml"), yaml), Map.of());
    }

    private String plain() {
        return "- http: 127.0.0.1:" + http;
    }

    private String secure(String tls) {
        return "- https: 127.0.0.1:" + https + "\n  tls: " + tls;
    }

    private void awaitIssued(String name) {
        Eventually.holds("issued", ISSUE, () -> isIssued(name));
    }

    private boolean isIssued(String name) {
        try {
            X509Certificate shown = certificate(name, "http/1.1");
            return shown.getIssuerX500Principal().getName().equals("CN=authority")
                    && shown.getSubjectAlternativeNames().contains(List.of(2, name));
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void certificateOfAHost_isProvedByAFile_beforeItsRedirect() throws Exception {
        String listeners = plain() + "\n" + secure("jsse");
        String host =
                """
                aliases: [www.shop.example, 127.0.0.1]
                acme: {domains: [shop.example, www.shop.example], challenges: http-01}
                https-redirect: true
                """;
        try (MargayServer server =
                MargayServer.start(read(listeners, host).get(), DeployProgress.NONE)) {
            awaitIssued("www.shop.example");
            assertEquals(308, new Http(http).status("/.well-known/acme-challenge/unknown"));
            String metrics = new Http(server.adminPort()).get("/metrics");
            for (String name : List.of("failures", "next_timestamp_seconds")) {
                String line = "\nmargay_acme_" + name + "{certificate=\"shop.example\"} ";
                assertTrue(metrics.contains(line), metrics);
            }
            assertTrue(metrics.contains("shop.example/certificate.pem"), metrics);
        }
        assertTrue(Files.exists(folder.resolve("work/acme/certificates/shop.example")));
    }

    @Test
    void certificateOfAListener_isProvedByAHandshake() throws Exception {
        for (String tls : List.of("jsse", "openssl")) {
            String listener = secure(tls) + "\n  acme: {domains: [" + tls + ".example]}";
            try (MargayServer server =
                    MargayServer.start(read(listener, "").get(), DeployProgress.NONE)) {
                awaitIssued(tls + ".example");
                List<AcmeReading> all = server.listeners().ownCertificates();
                assertEquals(
                        List.of(tls + ".example"), all.stream().map(AcmeReading::name).toList());
                String status = String.join("\n", server.answer("acme status").lines());
                assertTrue(status.matches("(?s)" + tls + ".example: from .* until .*"), status);
                assertFalse(server.answer("acme renew other.example").done());
                int before = authority.ordersBegun();
                assertTrue(server.answer("acme renew " + tls + ".example").done());
                Eventually.holds("ordered anew", () -> authority.ordersBegun() > before);
            }
        }
    }

    @Test
    void reload_asksForWhatIsNew_andKeepsConnections() throws Exception {
        String first = secure("auto") + "\n  acme: {domains: shop.example}";
        try (MargayServer server = MargayServer.start(read(first, "").get(), DeployProgress.NONE)) {
            awaitIssued("shop.example");
            String second = first.replace("shop.example", "[shop.example, new.example]");
            server.reload(read(second, "").get());
            awaitIssued("new.example");
            assertEquals(2, authority.ordersBegun());
        }
    }

    /// With an account that is tied to one elsewhere.
    @ParameterizedTest
    @ValueSource(strings = {"kid-1 " + EXTERNAL, "eab.json"})
    void managedDomainOfHttpd_isOrderedAndShown_andMigrates(String external) throws Exception {
        authority.bind("kid-1", EXTERNAL);
        Files.writeString(
                folder.resolve("eab.json"), "{\"kid\": \"kid-1\", \"hmac\": \"" + EXTERNAL + "\"}");
        Path file =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        Listen 127.0.0.1:%1$d
                        Listen 127.0.0.1:%2$d
                        MDCertificateAgreement accepted
                        MDCertificateAuthority %3$s
                        MDCACertificateFile authority/authority.pem
                        MDStoreDir md
                        MDPrivateKeys secp256r1
                        MDExternalAccountBinding %4$s
                        MDomain shop.example
                        <VirtualHost *:%1$d>
                          ServerName shop.example
                          Redirect permanent / https://shop.example/
                        </VirtualHost>
                        <VirtualHost *:%2$d>
                          ServerName shop.example
                          SSLEngine on
                          DocumentRoot site
                        </VirtualHost>
                        """
                                .formatted(http, https, authority.directory(), external));
        GatewayPlan plan = GatewayFiles.read(List.of(file), Map.of());
        assertFalse(plan.isWrong(), plan.failures()::toString);
        MargayConfig config =
                GatewayConfig.of(plan, List.of()).withWork(folder.resolve("httpd-work"));
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            awaitIssued("shop.example");
            assertEquals(1, server.listeners().ownCertificates().size());
        }
        String written = ConfigWriter.write(config);
        MargayConfig migrated =
                ConfigFile.read(Files.writeString(folder.resolve("margay.yaml"), written), Map.of())
                        .get();
        assertEquals(config.acme(), migrated.acme());
        assertEquals(external.endsWith(EXTERNAL), written.contains(EXTERNAL));
        assertFalse(config.toString().contains(EXTERNAL));
        assertEquals(
                config.listeners().getLast().tls().certificates(),
                migrated.listeners().getLast().tls().certificates());
    }

    @Test
    void check_saysWhatCannotBe() throws Exception {
        assertEquals(
                List.of(
                        "a wildcard is proved by dns-01 only: say \"dns\", the commands that set"
                                + " and remove records"),
                problems(secure("auto") + "\n  acme: {domains: '*.shop.example'}", ""));
        assertEquals(
                List.of("http-01 needs an http listener that clients reach at port 80"),
                problems(secure("auto"), "acme: {challenges: [http-01]}"));
        assertEquals(List.of("\"acme\" needs an https listener"), problems(plain(), "acme: {}"));
        assertEquals(
                List.of("\"acme\" needs \"domains\": 127.0.0.1 cannot be one"),
                problems(secure("auto"), "aliases: [127.0.0.1]\nacme: {}"));
        assertEquals(
                List.of(
                        "another certificate begins with shop.example, too, and has other"
                                + " settings"),
                problems(
                        secure("auto") + "\n  acme: {domains: [shop.example, x.example]}",
                        "acme: {}"));
    }

    private List<String> problems(String listeners, String host) throws IOException {
        return read(listeners, host).problems().stream().map(Problem::message).toList();
    }
}
