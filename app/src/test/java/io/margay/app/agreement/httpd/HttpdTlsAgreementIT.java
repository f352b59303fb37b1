package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import io.margay.testkit.program.Program;
import io.margay.transport.TlsConfig.Provider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Who is let in by Apache httpd and by Margay with the same virtual hosts: with each certificate,
/// each name in the handshake and in the request, each version, both kinds of TLS. Margay is never
/// more open; it is stricter where a request names another host than the handshake.
///
/// A part of the combinations, or all with `-Dmargay.tls.agreement.every=1`.
final class HttpdTlsAgreementIT {
    private static final int EVERY = Integer.getInteger("margay.tls.agreement.every", 59);
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final String PUBLIC = "public.example";
    private static final String ADMIN = "admin.example";
    private static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");
    private static final List<String> MODULES =
            List.of("mpm_event", "authz_core", "alias", "dir", "ssl", "mime");

    private static Path folder;
    private static Issued site;
    private static final List<Issued> CERTIFICATES = new ArrayList<>();

    /// What the virtual hosts ask: the main server, the first host, the second.
    enum Sites {
        SECOND_NEEDS(
                "",
                "",
                "SSLVerifyClient require\nSSLCACertificateFile @staff@\n"
                        + "SSLCARevocationFile @crl@\nSSLCARevocationCheck chain"),
        MAIN_NEEDS_SECOND_DOES_NOT(
                "SSLVerifyClient require\nSSLCACertificateFile @staff@\nSSLProtocol -all +TLSv1.3",
                "",
                "SSLVerifyClient none"),
        EACH_ITS_AUTHORITY(
                "SSLVerifyClient require",
                "SSLCACertificateFile @staff@",
                "SSLCACertificateFile @guests@"),
        SECOND_WANTS(
                "",
                "",
                "SSLVerifyClient optional\nSSLCACertificateFile @staff@\nSSLVerifyDepth 2\n"
                        + "SSLCARevocationFile @crl@\nSSLCARevocationCheck leaf"),
        EACH_ITS_VERSION("", "SSLProtocol TLSv1.2", "SSLProtocol -all +TLSv1.3"),
        FIRST_NEEDS("", "SSLVerifyClient require\nSSLCACertificateFile @staff@", ""),
        BOTH_NEED_THE_SAME("SSLVerifyClient require\nSSLCACertificateFile @staff@", "", ""),
        FOLDERS(
                "",
                "",
                "SSLVerifyClient require\nSSLCACertificatePath @store@\n"
                        + "SSLCARevocationPath @store@\nSSLCARevocationCheck chain"),
        EACH_ITS_DEPTH(
                "SSLVerifyClient require\nSSLCACertificateFile @staff@", "", "SSLVerifyDepth 2"),
        LIST_THAT_HAS_EXPIRED(
                "",
                "",
                "SSLVerifyClient require\nSSLCACertificateFile @staff@\n"
                        + "SSLCARevocationFile @expired@\nSSLCARevocationCheck leaf"),
        LIST_THAT_IS_NOT_ASKED(
                "",
                "",
                "SSLVerifyClient require\nSSLCACertificateFile @staff@\nSSLCARevocationFile @crl@");

        private final String main;
        private final String first;
        private final String second;

        Sites(String main, String first, String second) {
            this.main = main;
            this.first = first;
            this.second = second;
        }

        String text(int port) {
            return filled(
                    "Listen 127.0.0.1:"
                            + port
                            + "\n"
                            + main
                            + "\n"
                            + host(port, PUBLIC, first)
                            + host(port, ADMIN, second));
        }

        private static String host(int port, String name, String directives) {
            return "<VirtualHost *:"
                    + port
                    + ">\nServerName "
                    + name
                    + "\nServerAlias *."
                    + name
                    + "\nDocumentRoot @dir@/"
                    + name
                    + "\nSSLEngine on\nSSLCertificateFile @cert@\nSSLCertificateKeyFile @key@\n"
                    + directives
                    + "\n</VirtualHost>\n";
        }
    }

    private static final Map<String, String> VALUES = new HashMap<>();

    private static String filled(String text) {
        String result = text;
        for (Map.Entry<String, String> value : VALUES.entrySet()) {
            result = result.replace("@" + value.getKey() + "@", value.getValue());
        }
        return result;
    }

    @BeforeAll
    static void makeFiles() throws Exception {
        folder = Files.createTempDirectory("margay-tls-agreement");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        TestAuthority staff = TestAuthority.in(folder, "staff");
        TestAuthority guests = TestAuthority.in(folder, "guests");
        Issued gone = staff.issue("gone");
        site = staff.issue("site", PUBLIC, ADMIN);
        CERTIFICATES.addAll(
                List.of(
                        staff.issue("ada"),
                        guests.issue("guest"),
                        gone,
                        staff.expired("late"),
                        staff.intermediate("branch").issue("remote")));
        VALUES.put("expired", staff.expiredCrl().toString());
        staff.revoke(gone);
        VALUES.put("crl", staff.crl().toString());
        VALUES.put("staff", staff.cert().toString());
        VALUES.put("guests", guests.cert().toString());
        VALUES.put("cert", site.cert().toString());
        VALUES.put("key", site.key().toString());
        VALUES.put("dir", folder.toString());
        Path store = Files.createDirectories(folder.resolve("store"));
        Files.copy(staff.cert(), store.resolve("staff.pem"));
        Files.copy(staff.crl(), store.resolve("staff.crl"));
        assertEquals(
                0,
                new ProcessBuilder(Program.of("openssl"), "rehash", store.toString())
                        .start()
                        .waitFor());
        VALUES.put("store", store.toString());
        for (String name : List.of(PUBLIC, ADMIN)) {
            Files.createDirectories(folder.resolve(name));
            Files.writeString(folder.resolve(name).resolve("who.txt"), name);
        }
    }

    @AfterAll
    static void deleteFiles() {
        Folders.delete(folder);
    }

    /// One way to ask.
    ///
    /// @param sni what the handshake names, or null
    private record Ask(
            @Nullable Issued certificate, @Nullable String sni, String host, String version) {
        @Override
        public String toString() {
            return (certificate == null ? "nobody" : certificate.name())
                    + ", handshake "
                    + sni
                    + ", request "
                    + host
                    + ", "
                    + version;
        }
    }

    private static List<Ask> asks(int offset) {
        List<Issued> certificates = new ArrayList<>(CERTIFICATES);
        certificates.add(null);
        List<Ask> all = new ArrayList<>();
        for (Issued certificate : certificates) {
            for (String sni : Arrays.asList(PUBLIC, ADMIN, "a." + ADMIN, "other.example", null)) {
                for (String host : List.of(PUBLIC, ADMIN, "a." + ADMIN, "other.example")) {
                    VERSIONS.forEach(version -> all.add(new Ask(certificate, sni, host, version)));
                }
            }
        }
        List<Ask> some = new ArrayList<>();
        for (int i = offset % EVERY; i < all.size(); i += EVERY) {
            some.add(all.get(i));
        }
        // Each certificate at the name for which it may be needed.
        for (Issued certificate : certificates) {
            VERSIONS.forEach(version -> some.add(new Ask(certificate, ADMIN, ADMIN, version)));
        }
        return some;
    }

    @ParameterizedTest
    @EnumSource
    void clients_atHttpdAndAtMargay_areLetInAlike(Sites sites) throws Exception {
        int port = FreePort.next();
        Path own = Files.createDirectories(folder.resolve(sites.name()));
        List<Ask> asks = asks(sites.ordinal());
        List<String> answers = new ArrayList<>();
        try (HttpdProcess _ =
                HttpdProcess.startSingle(own.resolve("httpd"), MODULES, sites.text(port), port)) {
            for (Ask ask : asks) {
                answers.add(answer(port, ask));
            }
        }
        assertTrue(answers.stream().anyMatch(one -> one.startsWith("200")), "nobody is let in");
        for (Provider provider : List.of(Provider.JSSE, Provider.OPENSSL)) {
            List<String> laxer = new ArrayList<>();
            try (MargayServer margay = margay(own, sites, provider)) {
                for (int i = 0; i < asks.size(); i++) {
                    String given = answer(margay.ports().getFirst(), asks.get(i));
                    if (!agree(asks.get(i), answers.get(i), given)) {
                        laxer.add(asks.get(i) + ": httpd " + answers.get(i) + ", here " + given);
                    }
                }
            }
            assertEquals("", String.join("\n", laxer), provider.name());
        }
    }

    private static boolean agree(Ask ask, String httpd, String margay) {
        if (!httpd.startsWith("200")) {
            return !margay.startsWith("200");
        }
        boolean otherName = ask.sni != null && !ask.sni.equals(ask.host);
        return margay.equals(httpd) || (otherName && margay.startsWith("421"));
    }

    private static MargayServer margay(Path own, Sites sites, Provider provider)
            throws IOException {
        Path file = Files.writeString(own.resolve("httpd.conf"), sites.text(FreePort.next()));
        GatewayPlan plan = GatewayFiles.read(List.of(file), Map.of());
        assertEquals(List.of(), plan.failures());
        MargayConfig config = GatewayConfig.of(plan, List.of());
        List<ListenerSettings> listeners =
                config.listeners().stream()
                        .map(one -> one.withTls(Objects.requireNonNull(one.tls()).with(provider)))
                        .toList();
        return MargayServer.start(
                config.withListeners(listeners)
                        .withWork(own.resolve("work-" + provider))
                        .withDrain(Duration.ZERO),
                DeployProgress.NONE);
    }

    /// Status and content, or that the handshake was refused.
    private static String answer(int port, Ask ask) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManager[] keys =
                ask.certificate == null ? null : new KeyManager[] {ask.certificate.always()};
        context.init(keys, new TrustManager[] {new Credulous()}, new SecureRandom());
        try (Socket plain = new Socket()) {
            plain.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            plain.setSoTimeout(TIMEOUT_MILLIS);
            SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(plain, "none", port, true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {ask.version});
            parameters.setServerNames(
                    ask.sni == null ? List.of() : List.of(new SNIHostName(ask.sni)));
            socket.setSSLParameters(parameters);
            String request =
                    "GET /who.txt HTTP/1.1\r\nHost: " + ask.host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.isEmpty()
                    ? "refused"
                    : answer.substring(9, 12)
                            + (answer.startsWith("200", 9)
                                    ? answer.substring(answer.indexOf("\r\n\r\n") + 3)
                                    : "");
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no answer to " + ask, e);
        } catch (IOException e) {
            return "refused";
        }
    }

    /// Trusts everybody: this is about whom servers trust.
    private record Credulous() implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
