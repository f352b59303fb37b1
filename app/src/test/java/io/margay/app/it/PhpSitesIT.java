package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.CorpusFile;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.SiteRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sites in PHP, laid out and configured as the well-known applications are: served by Apache httpd
/// and by Margay from the same folder, run by the same php-fpm, and asked the same. The scripts
/// print what they are told. Requests that are answered otherwise are listed in `differs`, with the
/// reason.
final class PhpSitesIT {
    private static final Path SITES =
            Path.of(System.getProperty("margay.root", ".."), "app/src/test/resources/php-sites");

    /// What httpd says where its own look-up of a path meets the rules of a folder.
    private static final Pattern WHERE_REDIRECTED = Pattern.compile("PATH_TRANSLATED=redirect:");

    private static final Pattern TRANSLATED = Pattern.compile("PATH_TRANSLATED=.*\n");

    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authn_file",
                    "auth_basic",
                    "authz_core",
                    "authz_host",
                    "authz_user",
                    "access_compat",
                    "alias",
                    "dir",
                    "env",
                    "setenvif",
                    "mime",
                    "headers",
                    "expires",
                    "filter",
                    "rewrite",
                    "proxy",
                    "proxy_fcgi");

    /// What a script prints: all that it is told, but for what is another for each request, and
    /// what names the server.
    private static final String SCRIPT =
            """
            <?php
            header("Content-Type: text/plain");
            foreach (['REMOTE_PORT', 'REQUEST_TIME', 'REQUEST_TIME_FLOAT', 'SERVER_SOFTWARE',
                    'PATH', 'HTTP_X_REQUEST_ID', 'proxy-nokeepalive', 'USER', 'HOME'] as $name) {
                unset($_SERVER[$name]);
            }
            ksort($_SERVER);
            echo "script ", __FILE__, "\\n";
            foreach ($_SERVER as $name => $value) {
                echo $name, "=", is_array($value) ? json_encode($value) : $value, "\\n";
            }
            echo "input=", file_get_contents("php://input"), "\\n";
            """;

    /// Fields of responses in which the servers differ by nature.
    private static final Set<String> OWN_FIELDS =
            Set.of(
                    "date",
                    "server",
                    "connection",
                    "keep-alive",
                    "transfer-encoding",
                    "content-length",
                    "etag",
                    "accept-ranges",
                    "x-request-id",
                    "expires",
                    "vary");

    private static Path folder;
    private static PhpFpm php;

    @BeforeAll
    static void startPhp() throws IOException {
        folder = Files.createTempDirectory("margay-php");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        php = PhpFpm.start(folder);
    }

    @AfterAll
    static void stopPhp() throws IOException {
        php.close();
        Folders.delete(folder);
    }

    static List<CorpusFile> sites() {
        return CorpusFile.all(SITES);
    }

    @ParameterizedTest
    @MethodSource("sites")
    void site_inPhp_isServedAlike(CorpusFile site) throws Exception {
        int theirs = FreePort.next();
        int ours = FreePort.next();
        Path ofSite = Files.createDirectories(folder.resolve(site.name()));
        write(site, ofSite, theirs);
        GatewayPlan plan = plan(site, ofSite, ours);
        assertTrue(!plan.isWrong(), () -> plan.failures().toString());
        MargayConfig config =
                GatewayConfig.of(plan, List.of())
                        .withWork(folder.resolve("work"))
                        .withDrain(Duration.ZERO);
        List<String> requests = site.lines("requests", values(theirs, ofSite));
        assertTrue(requests.size() >= 25, () -> requests.size() + " requests");
        try (HttpdProcess _ = HttpdProcess.start(ofSite, MODULES, "Include httpd.conf\n", theirs);
                MargayServer _ = MargayServer.start(config, DeployProgress.NONE)) {
            List<String> expected = new ArrayList<>();
            List<String> found = new ArrayList<>();
            for (String request : requests) {
                String ofHttpd = request + "\n" + ask(theirs, request);
                String ofMargay = request + "\n" + ask(ours, request);
                boolean differs =
                        site.lines("differs", values(theirs, ofSite)).stream()
                                .anyMatch(line -> line.startsWith(request + " => "));
                if (WHERE_REDIRECTED.matcher(ofHttpd).find()) {
                    ofHttpd = TRANSLATED.matcher(ofHttpd).replaceAll("");
                    ofMargay = TRANSLATED.matcher(ofMargay).replaceAll("");
                }
                if (differs) {
                    assertNotEquals(ofHttpd, ofMargay, request);
                } else {
                    expected.add(ofHttpd);
                    found.add(ofMargay);
                }
            }
            assertEquals(String.join("\n", expected), String.join("\n", found));
        }
    }

    private static Map<String, String> values(int port, Path ofSite) {
        return Map.of(
                "PORT", String.valueOf(port),
                "DIR", ofSite.toString(),
                "SOCKET", php.socket().toString(),
                "PHP", SCRIPT);
    }

    private static void write(CorpusFile site, Path ofSite, int port) throws IOException {
        Files.createDirectories(ofSite.resolve("logs"));
        boolean _ = site.write(ofSite, values(port, ofSite)).isEmpty();
        try (Stream<Path> all = Files.walk(ofSite)) {
            for (Path path : all.toList()) {
                Files.setPosixFilePermissions(
                        path,
                        PosixFilePermissions.fromString(
                                Files.isDirectory(path) ? "rwxrwxrwx" : "rw-rw-rw-"));
            }
        }
    }

    private static GatewayPlan plan(CorpusFile site, Path ofSite, int port) throws IOException {
        Path conf = ofSite.resolve("margay.conf");
        String text = String.join("\n", site.lines("httpd.conf", values(port, ofSite)));
        Files.writeString(conf, "ServerRoot \"" + ofSite + "\"\n" + text + "\n");
        return GatewayFiles.read(List.of(conf), Map.of());
    }

    /// Status, fields, and the content but for the servers' own pages.
    private static String ask(int port, String line) throws IOException {
        return shown(SiteRequest.of(line).ask(port))
                .replace(":" + port, ":PORT")
                .replace("PORT=" + port, "PORT=PORT");
    }

    private static String shown(RawHttpClient.Response response) {
        String body = response.text();
        boolean ofScript = body.startsWith("script ") || response.status() == 200;
        TreeSet<String> fields = new TreeSet<>();
        for (String field : response.fields()) {
            String name = field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT);
            boolean ofPage = name.equals("content-type") && !ofScript;
            if (!OWN_FIELDS.contains(name) && !ofPage) {
                String value = field.substring(field.indexOf(':') + 1).strip();
                value = value.replaceFirst("^https?://www\\.example\\.com(?=/)", "");
                fields.add(name + ": " + (name.equals("last-modified") ? "" : value));
            }
        }
        return response.status() + " " + fields + "\n" + (ofScript ? body : "");
    }
}
