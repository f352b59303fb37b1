package io.margay.app.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The source of a program is never sent, whatever section of httpd's files makes a program of it
/// and whatever leads a request to it. The programs do not run here: nobody listens where they are.
final class ProgramSourceTest {
    private static final String SECRET = "S3CRET";

    /// Requests that the shapes below lead to a program, each in its own way.
    private static final List<String> TARGETS =
            List.of(
                    "/secret.php",
                    "/secret.php?a=b",
                    "//secret.php",
                    "/./secret.php",
                    "/%73ecret.php",
                    "/secret.p%68p",
                    "/plain/x",
                    "/root/x",
                    "/absolute/x",
                    "/query/x",
                    "/end/x",
                    "/passed/x",
                    "/aliased/secret.php",
                    "/single",
                    "/toalias/x",
                    "/tosingle/x",
                    "/index/",
                    "/fallback/nothing",
                    "/fallback/",
                    "/inner/x",
                    "/linked/secret.php",
                    "/secret.php/info",
                    "/secret.php/",
                    "/x/../secret.php/a/b",
                    "/single/info",
                    "/aliased/secret.php/info?a=b",
                    "/missing");

    @TempDir Path folder;

    private Path www() {
        return folder.resolve("www");
    }

    private void write(String file, String text) throws IOException {
        Path path = www().resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void files() throws IOException {
        String source = "<?php $pw = \"" + SECRET + "\";";
        for (String file : List.of("secret.php", "index/index.php", "aliases/secret.php")) {
            write(file, source);
        }
        write("fallback/a.txt", "a");
        write("inner/a.txt", "a");
        Files.createSymbolicLink(www().resolve("linked"), Path.of("aliases"));
    }

    /// What leads requests to programs, in all shapes.
    private String shapes() {
        return """
        Alias /aliased "@WWW@/aliases"
        Alias /single "@WWW@/aliases/secret.php"
        DirectoryIndex index.php
        ErrorDocument 404 /secret.php
        <Directory "@WWW@">
          Options FollowSymLinks
          AllowOverride All
          AcceptPathInfo On
        </Directory>
        <Directory "@WWW@/fallback">
          FallbackResource /secret.php
        </Directory>
        RewriteEngine On
        RewriteRule ^/plain/ /secret.php [L]
        RewriteRule ^/root/ %{DOCUMENT_ROOT}/secret.php [L]
        RewriteRule ^/absolute/ @WWW@/secret.php [L]
        RewriteRule ^/query/ /secret.php [L,QSA]
        RewriteRule ^/end/ /secret.php [END]
        RewriteRule ^/passed/ /secret.php [PT,L]
        RewriteRule ^/toalias/ /aliased/secret.php [L]
        RewriteRule ^/tosingle/ /single [PT]
        <Directory "@WWW@/inner">
          RewriteEngine On
          RewriteRule ^ /secret.php [L]
        </Directory>
        """
                .replace("@WWW@", www().toString());
    }

    private GatewayPlan plan(String handlers) throws IOException {
        Path conf = folder.resolve("httpd.conf");
        Files.writeString(
                conf,
                "Listen 127.0.0.1:1\nDocumentRoot \"%s\"\n".formatted(www())
                        + handlers.replace("@WWW@", www().toString())
                        + "\n"
                        + shapes());
        return GatewayFiles.read(List.of(conf), Map.of());
    }

    /// The targets that get what the source has.
    private TreeSet<String> sent(String handlers) throws IOException {
        GatewayPlan plan = plan(handlers);
        assertFalse(plan.isWrong(), () -> plan.failures().toString());
        MargayConfig config =
                GatewayConfig.of(plan, List.of())
                        .withListeners(List.of(ListenerSettings.http(new Endpoint("127.0.0.1", 0))))
                        .withWork(folder.resolve("work"));
        TreeSet<String> sent = new TreeSet<>();
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE);
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            for (String target : TARGETS) {
                if (client.get(target).text().contains(SECRET)) {
                    sent.add(target);
                }
            }
        }
        return sent;
    }

    @Test
    void file_thatNoSectionMakesAProgram_isSentByEveryShape() throws IOException {
        files();
        assertEquals(new TreeSet<>(TARGETS), sent(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<FilesMatch \\.php$>\nSetHandler \"proxy:fcgi://127.0.0.1:1\"\n</FilesMatch>",
                "<FilesMatch \".+\\.ph(?:ar|p|tml)$\">\n"
                        + "SetHandler \"proxy:unix:/nothing|fcgi://localhost\"\n</FilesMatch>",
                "<Files \"*.php\">\nSetHandler \"proxy:fcgi://127.0.0.1:1\"\n</Files>",
                "<Directory \"@WWW@\">\n<FilesMatch \\.php$>\n"
                        + "SetHandler \"proxy:fcgi://127.0.0.1:1\"\n</FilesMatch>\n</Directory>",
                "<Directory />\n<FilesMatch \\.php$>\nSetHandler application/x-httpd-php\n"
                        + "</FilesMatch>\n</Directory>",
                "<Directory \"@WWW@\">\nSetHandler cgi-script\n</Directory>",
                "<Directory /nowhere>\n<FilesMatch \\.php$>\nSetHandler cgi-script\n"
                        + "</FilesMatch>\n</Directory>",
                "<Directory /nowhere>\nAddHandler cgi-script .php\n</Directory>",
                "<VirtualHost 127.0.0.2:1>\nAddHandler fcgid-script php\n</VirtualHost>",
                "AddHandler \"proxy:fcgi://127.0.0.1:1\" .php",
                "AddHandler application/x-httpd-php5 .PHP",
                "AddHandler send-as-is .php",
                "AddType application/x-httpd-php .php .phtml",
                "AddType \"proxy:fcgi://127.0.0.1:1\" .php",
                "AddType \"proxy:http://127.0.0.1:1\" .php",
                "<FilesMatch \\.php$>\nForceType \"proxy:unix:/x|fcgi://localhost\"\n"
                        + "</FilesMatch>",
                "AddOutputFilter INCLUDES .php",
                "SetOutputFilter INCLUDES",
                "<FilesMatch \\.php$>\nForceType application/x-httpd-php\n</FilesMatch>",
                "<If \"%{REQUEST_METHOD} == 'GET'\">\nSetHandler \"proxy:fcgi://127.0.0.1:1\"\n"
                        + "</If>",
                "<Location />\nSetHandler \"proxy:fcgi://127.0.0.1:1\"\n</Location>",
                "<LocationMatch ^/>\nSetHandler cgi-script\n</LocationMatch>",
                "ScriptAlias /cgi-bin/ \"@WWW@/\"\nScriptAlias /more \"@WWW@/index\"\n"
                        + "ScriptAlias /others \"@WWW@/aliases\"\n"
            })
    void program_ofAnySection_isNotSentByAnyShape(String handlers) throws IOException {
        files();
        assertEquals(new TreeSet<>(), sent(handlers));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<FilesMatch \\.php$>\nSetHandler \"proxy:fcgi://127.0.0.1:1\"\n</FilesMatch>",
                "SetHandler \"proxy:fcgi://127.0.0.1:1\"",
                "AddHandler cgi-script .php",
                "AddHandler \"proxy:unix:/nothing|fcgi://localhost\" .php",
                "AddType \"proxy:fcgi://127.0.0.1:1\" .php",
                "AddType \"proxy:ajp://127.0.0.1:1\" .php",
                "ForceType \"proxy:fcgi://127.0.0.1:1\"",
                "SetHandler \"proxy:http://127.0.0.1:1\"",
                "SetHandler \"proxy:balancer://nobody\"",
                "SetHandler \"proxy:fcgi\"",
                "AddType application/x-httpd-php .php",
                "AddOutputFilter INCLUDES .php",
                "<If \"-x %{REQUEST_FILENAME}\">\nSetHandler cgi-script\n</If>"
            })
    void program_ofAFileInAFolder_isNotSentByAnyShape(String said) throws IOException {
        files();
        write(".htaccess", said);
        assertEquals(new TreeSet<>(), sent(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RewriteRule . index.php [PT,E=PATH_INFO:$1]",
                "RewriteRule . index.php [L,E=A:b]",
                "RewriteRule . index.php [END]",
                "RewriteRule . index.php [L,CO=a:b:c]",
                "RewriteRule ^(.*)$ ${map:$1} [L]",
                "RewriteRule ^ index.php [L,UnknownFlag]",
            })
    void frontController_ofAFileInAFolder_isFollowedOrItsFolderClosed(String rule)
            throws IOException {
        files();
        write("front/data/secret", SECRET);
        write("front/index.php", "<?php");
        write("front/.htaccess", "RewriteEngine On\n" + rule + "\n");
        List<String> found = new ArrayList<>();
        GatewayPlan plan =
                plan(
                        "<FilesMatch \\.php$>\nSetHandler \"proxy:fcgi://127.0.0.1:1\"\n"
                                + "</FilesMatch>");
        MargayConfig config =
                GatewayConfig.of(plan, List.of())
                        .withListeners(List.of(ListenerSettings.http(new Endpoint("127.0.0.1", 0))))
                        .withWork(folder.resolve("work"));
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE);
                RawHttpClient client =
                        RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            RawHttpClient.Response answer = client.get("/front/data/secret");
            found.add(answer.status() + " " + answer.text());
        }
        assertTrue(found.getFirst().matches("(?s)50[03] .*"), found::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<FilesMatch \\.php$>\n<If \"-x %{REQUEST_FILENAME}\">\n"
                        + "SetHandler cgi-script\n</If>\n</FilesMatch>",
                "Action image/gif /cgi-bin/images.cgi",
                "XBitHack On",
                "AddOutputFilterByType INCLUDES text/html",
            })
    void line_thatSaysWhatFilesAreAndIsNotFollowed_isWrong(String line) throws IOException {
        files();
        assertTrue(plan(line).isWrong(), line);
    }
}
