package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the log says of an expression that does not come to an end: where it is written, once a
/// minute.
final class UndecidedWarningTest {
    private static final String LONG = "a".repeat(200);

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("io.margay.gateway");
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord event) {
                    warnings.add(new SimpleFormatter().formatMessage(event));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @TempDir Path folder;

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
    }

    private static int ask(MargayServer server, String path) throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nUser-Agent: "
                            + LONG
                            + "\r\nX-A: "
                            + LONG
                            + "\r\n\r\n");
            return client.response().status();
        }
    }

    /// Asks twice, and gives the places that were named.
    private List<String> places(MargayServer server, String path) throws IOException {
        for (int i = 0; i < 2; i++) {
            assertEquals(500, ask(server, path));
        }
        return places();
    }

    private List<String> places() {
        return warnings.stream()
                .filter(line -> line.contains("did not end"))
                .map(line -> line.replaceFirst("^.*?([^/ ]+:[0-9]+): the search .*", "$1"))
                .toList();
    }

    @Test
    void warning_namesTheLineOfHttpdsFile() throws Exception {
        Path root = Files.createDirectories(folder.resolve("www/below"));
        Files.writeString(root.resolve("a.txt"), "a");
        Path conf = folder.resolve("httpd.conf");
        for (String line :
                List.of(
                        "RewriteRule ^/below/ - [E=x:1]\nRewriteCond %{HTTP:X-A} (a+)+\\1!$\n"
                                + "RewriteRule ^ - [F]",
                        "\nHeader set X-B 1 \"expr=%{HTTP:X-A} =~ /(a+)+\\1!$/\"",
                        "<Location />\nRequire expr \"%{HTTP:X-A} !~ /(a+)+\\1!$/\"\n</Location>",
                        "\nSetEnvIf X-A \"(a+)+\\1!$\" x\nHeader set X-B 1 env=x",
                        "<If \"true\">\n</If>\n<If \"%{HTTP:X-A} =~ /(a+)+\\1!$/\">\n"
                                + "Require all denied\n</If>")) {
            warnings.clear();
            Files.writeString(
                    conf,
                    "Listen 127.0.0.1:"
                            + FreePort.next()
                            + "\nDocumentRoot \""
                            + folder.resolve("www")
                            + "\"\nRewriteEngine on\n"
                            + line
                            + "\n");
            int at = 4 + (int) line.substring(0, line.indexOf("(a+)")).lines().count() - 1;
            try (MargayServer server = httpd(conf)) {
                assertEquals(List.of("httpd.conf:" + at), places(server, "/below/a.txt"), line);
            }
        }
    }

    @Test
    void warning_namesTheLineOfAFileInAFolder() throws Exception {
        Path root = Files.createDirectories(folder.resolve("www"));
        Files.writeString(root.resolve("a.txt"), "a");
        Files.writeString(
                root.resolve(".htaccess"),
                "RewriteEngine on\n\nRewriteCond %{HTTP:X-A} (a+)+\\1!$\nRewriteRule ^ - [F]\n");
        Path conf = folder.resolve("httpd.conf");
        Files.writeString(
                conf,
                "Listen 127.0.0.1:"
                        + FreePort.next()
                        + "\nDocumentRoot \""
                        + root
                        + "\"\n<Directory \""
                        + root
                        + "\">\nAllowOverride All\nRequire all granted\n</Directory>\n");
        try (MargayServer server = httpd(conf)) {
            assertEquals(List.of(".htaccess:3"), places(server, "/a.txt"));
        }
    }

    @Test
    void warning_namesTheLineOfMargayYaml() throws Exception {
        Files.createDirectories(folder.resolve("www"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - rules:
                      - refuse: 403
                        prefix: /
                        when: [{value: "%{HTTP:X-A}",
                                regex: '(a+)+\\1!$'}]
                    routes: {/: {files: www}}
                """);
        try (MargayServer server =
                MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE)) {
            assertEquals(List.of("margay.yaml:7"), places(server, "/"));
        }
    }

    @Test
    void warning_namesTheLineOfEachKeyOfMargayYaml() throws Exception {
        Path root = Files.createDirectories(folder.resolve("www"));
        Files.writeString(root.resolve("a.txt"), "a");
        Path file = folder.resolve("margay.yaml");
        String when = "when: [{value: '%{HTTP:X-A}',\n            regex: '(a+)+\\1!$'}]";
        for (String key :
                List.of(
                        "access-log: {file: a.log, " + when + "}",
                        "request-sizes: [{target-max: 100, " + when + "}]",
                        "rate-limits: [{rate: 1/h, " + when + "}]",
                        "variables: [{set: B, value: b, "
                                + when
                                + "}]\n"
                                + "    response-headers: [{set: X-B, value: '%{ENV:B}'}]",
                        "response-headers: [{set: X-B, value: '%{HTTP:X-A}'}, {edit: X-B,\n"
                                + "            find: '(a+)+\\1!$', value: b}]",
                        "compression: [{codings: [gzip], " + when + "}]",
                        "access: {require: [{" + when + "}]}",
                        "shield: {challenge: all, bots: [{name: b, domains: [b.example],\n"
                                + "            agent: '(a+)+\\1!$'}]}")) {
            warnings.clear();
            Files.writeString(
                    file,
                    "listeners: [{http: 127.0.0.1:0}]\nhosts:\n"
                            + "  - routes: {/: {files: www}}\n    "
                            + key
                            + "\n");
            try (MargayServer server =
                    MargayServer.start(
                            ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE)) {
                int status = ask(server, "/a.txt");
                Eventually.holds(
                        "one line for " + key + ", answered with " + status,
                        () -> places().equals(List.of("margay.yaml:5")));
            }
        }
    }

    private MargayServer httpd(Path conf) {
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertFalse(plan.isWrong(), () -> plan.failures().toString());
        return PlanServer.start(plan, folder.resolve("work"));
    }
}
