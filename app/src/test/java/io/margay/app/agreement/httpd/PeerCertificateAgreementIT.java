package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.Http;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which members over TLS are believed by Apache httpd and by Margay with the same `SSLProxy…`
/// directives: one with a certificate for its name, one for another name, one whose certificate has
/// expired; passed on by the host's own rules, and by those of a `.htaccess`.
final class PeerCertificateAgreementIT {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "mime",
                    "dir",
                    "alias",
                    "authz_core",
                    "rewrite",
                    "socache_shmcb",
                    "ssl",
                    "proxy",
                    "proxy_http");

    private static final List<String> MEMBERS = List.of("right", "other", "late");

    private static Path folder;
    private static MargayServer members;

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("margay-peers");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        TestAuthority inner = TestAuthority.in(folder, "inner");
        Files.copy(inner.cert(), folder.resolve("ca.pem"));
        String listeners =
                listener(inner.issue("right", "localhost"))
                        + listener(inner.issue("other", "other.example"))
                        + listener(inner.expired("localhost"));
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a"), "member\n");
        Path file =
                Files.writeString(
                        folder.resolve("members.yaml"),
                        "listeners:\n"
                                + listeners
                                + "hosts: [{routes: {/*: {files: files}}}]\nwork: work-members\n");
        members = MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static String listener(Issued issued) {
        return "  - https: 127.0.0.1:0\n    certificates: [{cert: %s, key: %s}]\n"
                .formatted(issued.cert(), issued.key());
    }

    @AfterAll
    static void stop() throws Exception {
        if (members != null) {
            members.close();
        }
        Folders.delete(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSLProxyCheckPeerName off\nSSLProxyCheckPeerExpire off",
                "SSLProxyCheckPeerName off",
                "SSLProxyVerify require\nSSLProxyCACertificateFile @DIR@/ca.pem",
                "SSLProxyVerify optional\nSSLProxyCACertificateFile @DIR@/ca.pem"
            })
    void members_overTls_areBelievedAlike(String said) throws Exception {
        Path site = Files.createTempDirectory(folder, "site");
        Files.setPosixFilePermissions(site, PosixFilePermissions.fromString("rwxr-xr-x"));
        StringBuilder rules = new StringBuilder("RewriteEngine On\n");
        StringBuilder passes = new StringBuilder();
        for (int i = 0; i < MEMBERS.size(); i++) {
            String to = MEMBERS.get(i) + " https://localhost:" + members.ports().get(i);
            passes.append("ProxyPass /").append(to).append(" retry=0\n");
            rules.append("RewriteRule ^").append(to.replace(" ", "/(.*) ")).append("/$1 [P]\n");
        }
        Files.createDirectories(site.resolve("www/in"));
        Files.writeString(site.resolve("www/in/.htaccess"), rules);
        int theirs = FreePort.next();
        String text =
                """
                Listen 127.0.0.1:@PORT@
                ServerName localhost
                SSLProxyEngine On
                DocumentRoot @SITE@/www
                <Directory @SITE@/www>
                  AllowOverride All
                </Directory>
                """
                        + said
                        + "\n"
                        + passes;
        text = text.replace("@SITE@", site.toString()).replace("@DIR@", folder.toString());
        String expected;
        try (HttpdProcess _ =
                HttpdProcess.startSingle(
                        Files.createDirectories(site.resolve("httpd")),
                        MODULES,
                        text.replace("@PORT@", String.valueOf(theirs)),
                        theirs)) {
            expected = ask(theirs);
        }
        Path conf =
                Files.writeString(
                        site.resolve("httpd.conf"),
                        text.replace("@PORT@", String.valueOf(FreePort.next())));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        try (MargayServer margay = PlanServer.start(plan, site.resolve("work"))) {
            assertEquals(expected, ask(margay.ports().getFirst()));
        }
    }

    /// The statuses of all members.
    private static String ask(int port) throws Exception {
        StringBuilder answers = new StringBuilder();
        Http http = new Http(port);
        for (String place : List.of("/", "/in/")) {
            for (String member : MEMBERS) {
                answers.append(place + member + " " + http.status(place + member + "/a") + "\n");
            }
        }
        return answers.toString();
    }
}
