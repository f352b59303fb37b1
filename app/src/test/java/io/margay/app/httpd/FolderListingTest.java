package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What pages that list folders have in them, and what they have not: nothing that a request would
/// not get. How they look is compared with httpd's by `ListingAgreementIT`.
final class FolderListingTest {
    @TempDir Path folder;

    private Path root;

    @BeforeEach
    void files() throws IOException {
        root = Files.createDirectories(folder.resolve("www"));
        for (String name :
                List.of(
                        "seen.txt",
                        ".env",
                        ".htpasswd",
                        "run.cgi",
                        "page.php",
                        "key.pem",
                        "closed/x",
                        "shut/x",
                        "users/x",
                        "open/x",
                        "WEB-INF/web.xml",
                        "location/x")) {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "<p>content of " + name);
        }
        Files.writeString(folder.resolve("outside.txt"), "outside");
        Files.createDirectories(folder.resolve("elsewhere"));
        Files.createSymbolicLink(root.resolve("out.txt"), folder.resolve("outside.txt"));
        Files.createSymbolicLink(root.resolve("out"), folder.resolve("elsewhere"));
        Files.createSymbolicLink(root.resolve("in.txt"), root.resolve("seen.txt"));
        Files.writeString(root.resolve("shut/.htaccess"), "Require all denied\n");
    }

    private MargayServer httpd(String lines) throws IOException {
        Path conf = folder.resolve("httpd.conf");
        Files.writeString(
                conf,
                """
                Listen 127.0.0.1:%d
                DocumentRoot "ROOT"
                <Directory "ROOT">
                Options Indexes FollowSymLinks
                AllowOverride All
                Require all granted
                AddHandler cgi-script .cgi
                AddHandler application/x-httpd-php .php
                </Directory>
                <Directory "ROOT/closed">
                Require ip 192.0.2.1
                </Directory>
                <Directory "ROOT/users">
                AuthType Basic
                AuthName x
                AuthUserFile "USERS"
                Require valid-user
                </Directory>
                <Location /location>
                Require all denied
                </Location>
                <FilesMatch "^\\.ht">
                Require all denied
                </FilesMatch>
                <Files "*.pem">
                Require all denied
                </Files>
                %s
                """
                        .formatted(FreePort.next(), lines)
                        .replace("ROOT", root.toString())
                        .replace("USERS", folder.resolve("users").toString()));
        Files.writeString(folder.resolve("users"), "ada:$apr1$x$y\n");
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertFalse(plan.isWrong(), () -> plan.failures().toString());
        return PlanServer.start(plan, folder.resolve("work"));
    }

    private static RawHttpClient.Response get(MargayServer server, String target)
            throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
            return client.response();
        }
    }

    private static List<String> names(String page) {
        return page.lines()
                .filter(line -> line.contains("<a href=\""))
                .map(line -> line.replaceFirst(".*<a href=\"([^\"]*)\">.*", "$1"))
                .sorted()
                .toList();
    }

    @Test
    void list_hasNothingThatARequestWouldNotGet() throws IOException {
        try (MargayServer server = httpd("")) {
            assertEquals(
                    List.of(".env", "in.txt", "open/", "seen.txt"), names(get(server, "/").text()));
            assertEquals(403, get(server, "/closed/").status());
            assertEquals(403, get(server, "/shut/").status());
            assertEquals(401, get(server, "/users/").status());
            assertEquals(403, get(server, "/location/").status());
            for (String name : List.of("/.env", "/in.txt", "/open/", "/seen.txt")) {
                assertEquals(200, get(server, name).status(), name);
            }
            for (String hidden : List.of("/out/", "/WEB-INF/")) {
                assertEquals(404, get(server, hidden).status(), hidden);
            }
        }
    }

    @Test
    void insets_areWhatAClientMayHave() throws IOException {
        for (String name :
                List.of("key.pem", "run.cgi", "page.php", "/shut/x", "../outside.txt", "out.txt")) {
            try (MargayServer server = httpd("HeaderName " + name + "\nForceType text/html")) {
                String page = get(server, "/open/").text();
                String page2 = get(server, "/").text();
                assertTrue(page.contains("<h1>"), page);
                assertFalse((page + page2).contains("content of"), page + page2);
                assertFalse((page + page2).contains("outside"), page + page2);
            }
        }
    }

    @Test
    void folder_withoutTheOption_isNotListed() throws IOException {
        try (MargayServer server =
                httpd("<Directory \"ROOT/open\">\nOptions -Indexes\n</Directory>")) {
            assertEquals(404, get(server, "/open/").status());
            assertEquals(200, get(server, "/").status());
        }
    }

    @Test
    void name_doesNotBecomeMarkup_cve2026_29170() throws IOException {
        String name = "\"><script>alert(1)<'&.txt";
        Files.writeString(root.resolve("open").resolve(name), "x");
        for (String options : List.of("None", "FancyIndexing", "FancyIndexing HTMLTable")) {
            try (MargayServer server = httpd("IndexOptions " + options)) {
                String page = get(server, "/open/").text();
                assertTrue(page.contains("%3cscript%3e"), page);
                assertFalse(page.contains("<script"), page);
            }
        }
    }

    @Test
    void query_doesNotBecomeMarkup() throws IOException {
        try (MargayServer server = httpd("IndexOptions FancyIndexing")) {
            String page = get(server, "/?P=%22%3E%3Cscript%3E*").text();
            assertFalse(page.contains("<script"), page);
            assertTrue(page.contains(";P=%22%3e%3cscript%3e*"), page);
        }
    }

    @Test
    void page_ofTheFolder_comesBeforeTheList() throws IOException {
        Files.writeString(root.resolve("open/index.html"), "the page");
        try (MargayServer server = httpd("DirectoryIndex index.html")) {
            assertEquals("the page", get(server, "/open/").text());
            assertTrue(get(server, "/").text().contains("Index of /"));
        }
    }

    @Test
    void yaml_listsToo() throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - access:
                      sections:
                        - folder: %s
                          listing: true
                          listing-lines:
                            - IndexOptions FancyIndexing
                            - IndexIgnore "*.php" *.cgi
                    routes:
                      /: {files: www}
                """
                        .formatted(root));
        try (MargayServer server =
                MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE)) {
            String page = get(server, "/").text();
            assertTrue(page.contains("<a href=\"?C=N;O=D\">Name</a>"), page);
            assertTrue(page.contains("seen.txt") && !page.contains("page.php"), page);
        }
    }
}
