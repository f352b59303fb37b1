package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/// `SSLRequire` of httpd's files, beside a real httpd.
final class SslRequireAgreementIT {
    private static final List<String> MODULES =
            List.of("mpm_event", "authz_core", "alias", "dir", "ssl", "mime");

    private static final List<String> EXPRESSIONS =
            List.of(
                    "true",
                    "false",
                    "%{SSL_CLIENT_VERIFY} eq \"SUCCESS\"",
                    "%{SSL_CLIENT_S_DN_CN} eq \"ada\" and %{SSL_CLIENT_VERIFY} == \"SUCCESS\"",
                    "%{SSL_CLIENT_S_DN_CN} in {\"bob\", \"ada\"}",
                    "not %{SSL_CLIENT_S_DN_CN} in {\"bob\", \"eve\"}",
                    "%{SSL_CLIENT_S_DN_CN} ne \"ada\"",
                    "( %{SSL_CLIENT_S_DN_CN} =~ m/^(ada|eve)$/ )"
                            + " or %{SSL_CLIENT_VERIFY} eq \"NONE\"",
                    "%{SSL_PROTOCOL} !~ m/^TLSv1\\.[01]$/ && !( %{SSL_CLIENT_S_DN_CN} eq \"bob\" )",
                    "%{SSL_CIPHER_USEKEYSIZE} >= 128",
                    "%{SSL_CIPHER_USEKEYSIZE} < 99",
                    "%{SSL_CIPHER_USEKEYSIZE} gt 1024",
                    "%{SSL_CLIENT_S_DN_CN} < \"ad\"",
                    "%{SSL_CLIENT_S_DN_CN} > \"acz\"",
                    "%{SSL_CLIENT_S_DN_CN} le \"ada\"",
                    "%{REQUEST_METHOD} eq \"GET\"",
                    "%{HTTP:X-Who} eq \"me\" or %{HTTPS} eq \"off\"");

    private Path folder;

    private String text(int tls, int plain, Issued site, Path ca) {
        StringBuilder sections = new StringBuilder();
        for (int i = 0; i < EXPRESSIONS.size(); i++) {
            sections.append("<Location /%d>\nSSLRequire %s\n".formatted(i, EXPRESSIONS.get(i)));
            sections.append("</Location>\n<Location /%d/both>\n".formatted(i));
            sections.append("SSLRequire %{SSL_CLIENT_VERIFY} eq \"SUCCESS\"\n</Location>\n");
        }
        return """
        Listen 127.0.0.1:%d
        Listen 127.0.0.1:%d
        DocumentRoot %s/www
        <Directory />
          Require all granted
        </Directory>
        %s
        <VirtualHost *:%d>
          DocumentRoot %s/www
          SSLEngine on
          SSLCertificateFile %s
          SSLCertificateKeyFile %s
          SSLVerifyClient optional
          SSLCACertificateFile %s
        </VirtualHost>
        """
                .formatted(tls, plain, folder, sections, tls, folder, site.cert(), site.key(), ca);
    }

    private static int status(Socket socket, String path) throws IOException {
        try (socket) {
            socket.setSoTimeout(20_000);
            String request =
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readAllBytes();
            return Integer.parseInt(new String(answer, 9, 3, StandardCharsets.US_ASCII));
        }
    }

    /// What clients get: by TLS with each certificate and with none, and without TLS.
    private static List<String> answers(int tls, int plain, Path ca, List<Issued> clients)
            throws Exception {
        List<String> answers = new ArrayList<>();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        List<SSLContext> contexts = new ArrayList<>(List.of(TestAuthority.client(ca, null)));
        for (Issued client : clients) {
            contexts.add(TestAuthority.client(ca, client));
        }
        for (int i = 0; i < EXPRESSIONS.size(); i++) {
            for (String path : List.of("/" + i + "/a", "/" + i + "/both/a")) {
                StringBuilder all = new StringBuilder(EXPRESSIONS.get(i) + " " + path + ":");
                for (SSLContext context : contexts) {
                    Socket socket = context.getSocketFactory().createSocket(loopback, tls);
                    all.append(' ').append(status(socket, path));
                }
                all.append(' ').append(status(new Socket(loopback, plain), path));
                answers.add(all.toString());
            }
        }
        return answers;
    }

    @Test
    void expressions_letInWhomHttpdLetsIn() throws Exception {
        folder = Files.createTempDirectory("margay-ssl-require");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (int i = 0; i < EXPRESSIONS.size(); i++) {
            Files.createDirectories(folder.resolve("www/" + i + "/both"));
            Files.writeString(folder.resolve("www/" + i + "/a"), "a");
            Files.writeString(folder.resolve("www/" + i + "/both/a"), "a");
        }
        TestAuthority authority = TestAuthority.in(folder, "inner");
        Issued site = authority.issue("localhost", "localhost");
        List<Issued> clients = List.of(authority.issue("ada"), authority.issue("bob"));
        int tls = FreePort.next();
        int plain = FreePort.next();
        String text = text(tls, plain, site, authority.cert());
        List<String> theirs;
        try (HttpdProcess _ =
                HttpdProcess.startSingle(folder.resolve("httpd"), MODULES, text, tls, plain)) {
            theirs = answers(tls, plain, authority.cert(), clients);
        }
        Set<Character> kinds = new HashSet<>();
        theirs.forEach(one -> kinds.add(one.charAt(one.lastIndexOf(':') + 2)));
        assertTrue(kinds.containsAll(Set.of('2', '4')), theirs::toString);
        Path conf = Files.writeString(folder.resolve("httpd.conf"), text);
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        String yaml = ConfigWriter.write(GatewayConfig.of(plan, List.of()));
        Path file = Files.writeString(folder.resolve("margay.yaml"), yaml);
        try (MargayServer _ =
                MargayServer.start(
                        ConfigFile.read(file, Map.of())
                                .get()
                                .withWork(folder.resolve("work"))
                                .withDrain(Duration.ZERO),
                        DeployProgress.NONE)) {
            List<String> ours = answers(tls, plain, authority.cert(), clients);
            assertEquals(String.join("\n", theirs), String.join("\n", ours));
        } finally {
            Folders.delete(folder);
        }
    }
}
