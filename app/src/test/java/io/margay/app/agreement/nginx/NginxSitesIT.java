package io.margay.app.agreement.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.it.PhpFpm;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.CorpusFile;
import io.margay.testkit.Eventually;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.SiteRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sites configured as those of well-known applications are, served by nginx and by Margay from the
/// same file, in front of the same php-fpm and the same member, and asked the same. `account` has
/// what `check` says; requests that are answered otherwise are listed in `differs`, with the
/// reason.
final class NginxSitesIT {
    private static final Path SITES =
            Path.of(System.getProperty("margay.root", ".."), "app/src/test/resources/nginx-sites");

    private static final int TIMEOUT_MILLIS = 20_000;

    /// Fields of an answer that are compared.
    private static final Set<String> FIELDS =
            Set.of(
                    "allow",
                    "cache-control",
                    "content-encoding",
                    "content-type",
                    "location",
                    "set-cookie",
                    "vary",
                    "www-authenticate");

    /// What a script prints: all that it is told, but for what is of the connection.
    private static final String SCRIPT =
            """
            <?php
            header("Content-Type: text/plain");
            header("X-Own: " . basename(__FILE__));
            foreach (['REMOTE_PORT', 'REQUEST_TIME', 'REQUEST_TIME_FLOAT', 'SERVER_SOFTWARE',
                    'HTTP_X_REQUEST_ID', 'HTTP_VIA', 'HTTP_CONNECTION', 'HTTP_CONTENT_LENGTH',
                    'USER', 'HOME', 'argv', 'argc'] as $name) {
                unset($_SERVER[$name]);
            }
            if (isset($_GET['status'])) {
                http_response_code((int) $_GET['status']);
            }
            if (isset($_GET['to'])) {
                header('Location: ' . $_GET['to']);
            }
            ksort($_SERVER);
            echo "script ", __FILE__, "\\n";
            foreach ($_SERVER as $name => $value) {
                echo $name, "=", $value, "\\n";
            }
            echo "input=", file_get_contents("php://input"), "\\n";
            """;

    /// What distributions install beside nginx.
    private static final String PARAMETERS =
            """
            fastcgi_param QUERY_STRING $query_string;
            fastcgi_param REQUEST_METHOD $request_method;
            fastcgi_param CONTENT_TYPE $content_type;
            fastcgi_param CONTENT_LENGTH $content_length;
            fastcgi_param SCRIPT_NAME $fastcgi_script_name;
            fastcgi_param REQUEST_URI $request_uri;
            fastcgi_param DOCUMENT_URI $document_uri;
            fastcgi_param DOCUMENT_ROOT $document_root;
            fastcgi_param SERVER_PROTOCOL $server_protocol;
            fastcgi_param REQUEST_SCHEME $scheme;
            fastcgi_param HTTPS $https if_not_empty;
            fastcgi_param GATEWAY_INTERFACE CGI/1.1;
            fastcgi_param SERVER_SOFTWARE nginx/$nginx_version;
            fastcgi_param REMOTE_ADDR $remote_addr;
            fastcgi_param REMOTE_PORT $remote_port;
            fastcgi_param SERVER_ADDR $server_addr;
            fastcgi_param SERVER_PORT $server_port;
            fastcgi_param SERVER_NAME $server_name;
            fastcgi_param REDIRECT_STATUS 200;
            """;

    private static final String SNIPPET =
            """
            fastcgi_split_path_info ^(.+?\\.php)(/.*)$;
            try_files $fastcgi_script_name =404;
            set $path_info $fastcgi_path_info;
            fastcgi_param PATH_INFO $path_info;
            fastcgi_index index.php;
            include fastcgi.conf;
            """;

    private static final String AROUND =
            """
              types {
                text/html html htm; text/plain txt; text/css css; image/png png;
                image/svg+xml svg; application/javascript js; application/json json;
                application/pdf pdf; font/woff2 woff2;
              }
              default_type application/octet-stream;
            @SITE@
            """;

    private static Path folder;
    private static PhpFpm php;
    private static EchoMember member;

    @BeforeAll
    static void start() throws IOException {
        folder = Files.createTempDirectory("margay-nginx-sites");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        php = PhpFpm.start(folder);
        member = new EchoMember();
    }

    @AfterAll
    static void stop() throws IOException {
        member.close();
        php.close();
        Folders.delete(folder);
    }

    static List<CorpusFile> sites() {
        return CorpusFile.all(SITES);
    }

    @Test
    void sites_ofTheCorpus_areMany() {
        assertTrue(sites().size() >= 60, () -> sites().toString());
    }

    @ParameterizedTest
    @MethodSource("sites")
    void site_fromItsFile_isServedAsByNginx(CorpusFile site) throws Exception {
        int theirs = FreePort.next();
        int ours = FreePort.next();
        Path ofSite = Files.createDirectories(folder.resolve(site.name()));
        Path conf = write(site, ofSite, "nginx.conf", theirs);
        GatewayPlan plan =
                FrontEndFiles.read(List.of(write(site, ofSite, "margay.conf", ours)), Map.of());
        assertEquals(
                String.join("\n", site.lines("account", Map.of())),
                String.join("\n", plan.failures().stream().map(NginxSitesIT::said).toList()));
        List<String> differs = site.lines("differs", values(theirs, ofSite));
        List<String> requests = site.lines("requests", values(theirs, ofSite));
        assertTrue(requests.size() >= 6, () -> requests.size() + " requests");
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (NginxProcess _ = NginxProcess.start(conf, theirs, TIMEOUT_MILLIS);
                MargayServer _ = PlanServer.start(plan, folder.resolve("work"))) {
            for (String request : requests) {
                String ofNginx = request + "\n" + ask(theirs, request);
                String ofMargay = request + "\n" + ask(ours, request);
                if (differs.stream().anyMatch(line -> line.startsWith(request + " => "))) {
                    assertNotEquals(ofNginx, ofMargay, request);
                } else {
                    expected.add(ofNginx);
                    found.add(ofMargay);
                }
            }
            // Lines are written once answers have been sent.
            boolean _ =
                    Eventually.comes(
                            Duration.ofSeconds(10),
                            () ->
                                    logged(ofSite, "nginx.conf", theirs)
                                            .equals(logged(ofSite, "margay.conf", ours)));
        }
        assertEquals(String.join("\n", expected), String.join("\n", found));
        assertEquals(logged(ofSite, "nginx.conf", theirs), logged(ofSite, "margay.conf", ours));
    }

    /// The lines of the access log, without what is another each time.
    private static List<String> logged(Path ofSite, String name, int port) {
        Path log = ofSite.resolve(name + ".log");
        return Files.exists(log)
                ? lines(log).stream()
                        .map(line -> line.replaceAll("\\[[^]]+\\]", "[TIME]"))
                        .map(line -> line.replaceAll(" [0-9]+\\.[0-9]{3}\\b", " SECONDS"))
                        .map(line -> line.replaceAll(" ([345][0-9]{2}) [0-9]+ ", " $1 BYTES "))
                        .map(line -> line.replace(":" + port, ":PORT"))
                        .sorted()
                        .toList()
                : List.of();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String said(AccountLine line) {
        return line.directive() + ": " + line.text();
    }

    private static Map<String, String> values(int port, Path ofSite) {
        return Map.of(
                "PORT", String.valueOf(port),
                "DIR", ofSite.toString(),
                "SOCKET", php.socket().toString(),
                "MEMBER", "127.0.0.1:" + member.port(),
                "PHP", SCRIPT);
    }

    private static Path write(CorpusFile site, Path ofSite, String name, int port)
            throws IOException {
        Map<String, String> values = values(port, ofSite);
        boolean _ = site.write(ofSite, values).isEmpty();
        Files.writeString(ofSite.resolve("fastcgi_params"), PARAMETERS);
        Files.writeString(
                ofSite.resolve("fastcgi.conf"),
                "fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;\n" + PARAMETERS);
        Path snippets = Files.createDirectories(ofSite.resolve("snippets"));
        Files.writeString(snippets.resolve("fastcgi-php.conf"), SNIPPET);
        String text =
                NginxProcess.configuration(
                        ofSite, AROUND.replace("@SITE@", site.text("site.conf")));
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("@" + value.getKey() + "@", value.getValue());
        }
        text = text.replace("@LOG@", ofSite + "/" + name + ".log");
        return Files.writeString(ofSite.resolve(name), text);
    }

    /// Status, fields, and the content but for the servers' own pages.
    private static String ask(int port, String line) throws IOException {
        return shown(SiteRequest.of(line).ask(port))
                .replace(":" + port, ":PORT")
                .replace("PORT=" + port, "PORT=PORT")
                .replace("-port: " + port, "-port: PORT");
    }

    private static String shown(RawHttpClient.Response response) throws IOException {
        byte[] bytes = response.body();
        if ("gzip".equals(response.field("content-encoding")) && bytes.length > 0) {
            bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
        }
        String body = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean own = response.status() >= 300 && !body.matches("(?s)(?:script|member|file) .*");
        TreeSet<String> fields = new TreeSet<>();
        for (String field : response.fields()) {
            String name = field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT);
            boolean compared = FIELDS.contains(name) || name.startsWith("x-");
            boolean ofPage = own && (name.equals("content-type") || name.equals("vary"));
            if (compared && !ofPage && !name.equals("x-request-id")) {
                fields.add(name + ":" + field.substring(field.indexOf(':') + 1));
            }
        }
        return response.status() + " " + fields + "\n" + (own ? "" : body);
    }
}
