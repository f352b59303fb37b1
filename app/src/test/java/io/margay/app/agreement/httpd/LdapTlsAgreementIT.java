package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.TestAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Directories that speak TLS and whose authority is nobody whom Java knows, beside a real httpd
/// that asks the same directory (mod_ldap), and of `margay.yaml`.
final class LdapTlsAgreementIT {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authz_core",
                    "authz_user",
                    "auth_basic",
                    "ldap",
                    "authnz_ldap",
                    "dir",
                    "mime");

    private static final List<String> PATHS = List.of("/ldaps/", "/ssl/", "/start/", "/mode/");

    private static final String SECTION =
            """
            <Location %s>
              AuthType Basic
              AuthName "Staff"
              AuthBasicProvider ldap
              AuthLDAPURL %s
              Require valid-user
            </Location>
            """;

    private Path folder;
    private TestAuthority authority;
    private InMemoryDirectoryServer directory;

    /// Whether the directory wants a certificate of the authority, where it speaks `ldaps`.
    private boolean asks;

    /// Further lines of each section.
    private String more = "";

    @BeforeEach
    void start() throws Exception {
        folder = Files.createTempDirectory("margay-ldaps");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String path : PATHS) {
            Path www = Files.createDirectories(folder.resolve("www" + path));
            Files.writeString(www.resolve("index.html"), "page");
        }
        authority = TestAuthority.in(folder, "inner");
        Files.copy(authority.cert(), folder.resolve("ca.pem"));
        Files.copy(TestAuthority.in(folder, "foreign").cert(), folder.resolve("foreign.pem"));
        directory("localhost");
    }

    private void directory(String certified) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
        known.load(null, null);
        try (InputStream in = Files.newInputStream(authority.cert())) {
            known.setCertificateEntry(
                    "inner", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(known);
        tls.init(
                new KeyManager[] {authority.issue(certified, certified).always()},
                trust.getTrustManagers(),
                null);
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=example");
        config.setSchema(null);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig(
                        "plain", loopback, 0, tls.getSocketFactory()),
                InMemoryListenerConfig.createLDAPSConfig(
                        "tls",
                        loopback,
                        0,
                        tls.getServerSocketFactory(),
                        tls.getSocketFactory(),
                        asks,
                        asks));
        directory = new InMemoryDirectoryServer(config);
        directory.add("dn: dc=example", "objectClass: domain", "dc: example");
        directory.add(
                "dn: uid=ada,dc=example",
                "objectClass: person",
                "uid: ada",
                "userPassword: secret");
        directory.startListening();
    }

    @AfterEach
    void stop() {
        directory.shutDown(true);
        Folders.delete(folder);
    }

    private String configuration(int port, String global) {
        String plain = "ldap://localhost:" + directory.getListenPort("plain") + "/dc=example";
        String tls = "://localhost:" + directory.getListenPort("tls") + "/dc=example";
        String sections =
                SECTION.formatted("/ldaps", "ldaps" + tls)
                        + SECTION.formatted("/ssl", "ldap" + tls + " SSL")
                        + SECTION.formatted("/start", plain + "?uid,cn STARTTLS")
                        + SECTION.formatted("/mode", plain + "?uid,sn");
        return global.replace("@DIR@", folder.toString())
                + "\nListen 127.0.0.1:"
                + port
                + "\nDocumentRoot \""
                + folder.resolve("www")
                + "\"\n"
                + "<Directory />\nRequire all granted\n</Directory>\n"
                + sections.replace("Require valid-user", more + "Require valid-user");
    }

    private MargayServer margay(String global) throws IOException {
        Path own = Files.createDirectories(folder.resolve("margay"));
        Path conf =
                Files.writeString(
                        own.resolve("httpd.conf"), configuration(FreePort.next(), global));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        MargayConfig config = GatewayConfig.of(plan, List.of());
        return MargayServer.start(
                config.withWork(own.resolve("work")).withDrain(Duration.ZERO), DeployProgress.NONE);
    }

    private static int status(int port, String path, String credentials) throws IOException {
        byte[] octets = credentials.getBytes(StandardCharsets.UTF_8);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Authorization: Basic "
                            + Base64.getEncoder().encodeToString(octets)
                            + "\r\n\r\n");
            return client.response().status();
        }
    }

    /// Statuses of `/ldaps/`, `/ssl/`, `/start/`, `/mode/`.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost | LDAPTrustedGlobalCert CA_BASE64 @DIR@/ca.pem | 200 200 200 200",
                "localhost | LDAPTrustedGlobalCert CA_BASE64 @DIR@/foreign.pem | 500 500 500 200",
                "localhost | LDAPTrustedMode NONE | 500 500 500 200",
                "localhost | LDAPTrustedMode STARTTLS | 500 500 500 500",
                "localhost | LDAPVerifyServerCert Off | 200 200 200 200",
                "elsewhere | LDAPVerifyServerCert Off | 200 200 200 200",
                "elsewhere | LDAPTrustedGlobalCert CA_BASE64 @DIR@/ca.pem | 500 500 500 200",
            })
    void directory_thatSpeaksTls_isTrustedAsByHttpd(
            String certified, String global, String statuses) throws Exception {
        directory.shutDown(true);
        directory(certified);
        int port = FreePort.next();
        try (HttpdProcess _ =
                        HttpdProcess.startSingle(
                                folder.resolve("httpd"),
                                MODULES,
                                configuration(port, global),
                                port);
                MargayServer margay = margay(global)) {
            int own = margay.ports().getFirst();
            String wrong = statuses.replace("200", "401");
            assertEquals(statuses, all(own, "ada:secret"), "Margay");
            assertEquals(wrong, all(own, "ada:wrong"), "Margay");
            // Libraries of OpenLDAP differ in whether they take an authority from mod_ldap.
            boolean sure = !statuses.startsWith("200") || global.endsWith("Off");
            assertEquals(sure ? statuses : "", sure ? all(port, "ada:secret") : "", "httpd");
            assertEquals(sure ? wrong : "", sure ? all(port, "ada:wrong") : "", "httpd");
        }
    }

    private static String all(int port, String credentials) throws IOException {
        StringBuilder found = new StringBuilder();
        for (String path : PATHS) {
            found.append(found.isEmpty() ? "" : " ").append(status(port, path, credentials));
        }
        return found.toString();
    }

    /// Statuses of `/ldaps/` and `/ssl/`, where the directory asks for a certificate. httpd takes
    /// the lines; whether it shows the certificate is up to its library of OpenLDAP.
    @Test
    void directory_thatAsksForACertificate_getsTheOneOfItsSection() throws Exception {
        asks = true;
        directory.shutDown(true);
        directory("localhost");
        for (TestAuthority by : List.of(authority, TestAuthority.in(folder, "others"))) {
            TestAuthority.Issued own = by.issue("margay");
            more =
                    "LDAPTrustedClientCert CERT_BASE64 %s\nLDAPTrustedClientCert KEY_BASE64 %s\n"
                            .formatted(own.cert(), own.key());
            String global = "LDAPTrustedGlobalCert CA_BASE64 @DIR@/ca.pem";
            int expected = by.equals(authority) ? 200 : 500;
            int port = FreePort.next();
            String conf = configuration(port, global);
            try (HttpdProcess _ =
                            HttpdProcess.startSingle(folder.resolve("httpd"), MODULES, conf, port);
                    MargayServer margay = margay(global)) {
                int there = margay.ports().getFirst();
                assertEquals(expected, status(there, "/ldaps/", "ada:secret"));
                assertEquals(expected, status(there, "/ssl/", "ada:secret"));
            }
            assertEquals(expected, migrated(global, "/ldaps/"));
        }
        more = "";
        try (MargayServer margay = margay("LDAPTrustedGlobalCert CA_BASE64 @DIR@/ca.pem")) {
            assertEquals(500, status(margay.ports().getFirst(), "/ldaps/", "ada:secret"));
        }
    }

    private int migrated(String global, String path) throws IOException {
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"), configuration(FreePort.next(), global));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        String yaml = ConfigWriter.write(GatewayConfig.of(plan, List.of()));
        Path file = Files.writeString(folder.resolve("margay.yaml"), yaml);
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        try (MargayServer margay =
                MargayServer.start(
                        config.withWork(folder.resolve("work")).withDrain(Duration.ZERO),
                        DeployProgress.NONE)) {
            return status(margay.ports().getFirst(), path, "ada:secret");
        }
    }

    @Test
    void whatMigrateWrites_trustsTheSame() throws Exception {
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        configuration(
                                FreePort.next(),
                                "LDAPTrustedGlobalCert CA_BASE64 @DIR@/ca.pem\n"
                                        + "LDAPTrustedMode STARTTLS"));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        String yaml = ConfigWriter.write(GatewayConfig.of(plan, List.of()));
        Path file = Files.writeString(folder.resolve("margay.yaml"), yaml);
        try (MargayServer margay =
                MargayServer.start(
                        ConfigFile.read(file, Map.of())
                                .get()
                                .withWork(folder.resolve("work"))
                                .withDrain(Duration.ZERO),
                        DeployProgress.NONE)) {
            assertEquals("200 200 200 200", all(margay.ports().getFirst(), "ada:secret"), yaml);
        }
    }

    /// The realms of applications have the same keys.
    @Test
    void realms_trustTheSame() throws Exception {
        for (String trust : List.of("ca.pem", "foreign.pem")) {
            int port = FreePort.next();
            Path file =
                    Files.writeString(
                            folder.resolve("margay.yaml"),
                            """
                            listeners: [{http: %d}]
                            hosts:
                              - routes: {/: {files: www/ldaps}}
                                access:
                                  login: {server-users: true}
                                  require: [{any-user: true}]
                            deploy:
                              realms:
                                - ldap: ldaps://localhost:%d
                                  user-pattern: "uid={0},dc=example"
                                  trust: %s
                            """
                                    .formatted(port, directory.getListenPort("tls"), trust));
            try (MargayServer margay =
                    MargayServer.start(
                            ConfigFile.read(file, Map.of())
                                    .get()
                                    .withWork(folder.resolve("work"))
                                    .withDrain(Duration.ZERO),
                            DeployProgress.NONE)) {
                int own = margay.ports().getFirst();
                boolean believed = trust.equals("ca.pem");
                assertEquals(believed ? 200 : 500, status(own, "/", "ada:secret"), trust);
                assertEquals(believed ? 401 : 500, status(own, "/", "ada:wrong"), trust);
            }
        }
    }

    /// The file is read again when it has changed, without a restart.
    @Test
    void changedAuthority_isBelievedWithTheNextLogin() throws Exception {
        Path trust = folder.resolve("trust.pem");
        Files.copy(folder.resolve("foreign.pem"), trust);
        String global = "LDAPTrustedGlobalCert CA_BASE64 " + trust;
        try (MargayServer margay = margay(global)) {
            int port = margay.ports().getFirst();
            assertEquals(500, status(port, "/ldaps/", "ada:secret"));
            Files.writeString(
                    trust, Files.readString(trust) + Files.readString(folder.resolve("ca.pem")));
            assertEquals(200, status(port, "/ldaps/", "ada:secret"));
        }
    }
}
