package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.app.Pem;
import io.margay.app.Wars;
import io.margay.testkit.Archives;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command line as its user meets it: child processes, their output and exit codes.
final class CommandLineIT {
    @TempDir Path folder;

    /// Runs to the end; the whole output is in the result.
    private MargayProcess run(int code, String... words) throws Exception {
        return run(code, Map.of(), words);
    }

    private MargayProcess run(int code, Map<String, String> environment, String... words)
            throws Exception {
        try (MargayProcess process = MargayProcess.start(folder, environment, words)) {
            assertEquals(code, process.awaitExit(), process.toString());
            return process;
        }
    }

    private static void assertErr(MargayProcess process, String... lines) {
        assertEquals(List.of(lines), process.err());
    }

    @Test
    void version_namesMargayAndJava() throws Exception {
        List<String> out = run(0, "version").out();
        assertTrue(out.get(0).startsWith("margay "), out.toString());
        assertTrue(out.get(1).startsWith("java 2"), out.toString());
    }

    /// What else is said of wrong words is [io.margay.app.command.CommandWordsTest]'s.
    @Test
    void usage_thatIsWrong_exits2AndNamesTheNearest() throws Exception {
        assertErr(
                run(2, "run", "--htpp", "80"),
                "margay: \"run\" has no option --htpp; did you mean \"--http\"?",
                "\"margay run --help\" lists commands and options.");
    }

    @Test
    void convert_writesTheWar_orSaysWhyNot() throws Exception {
        Path old =
                Archives.in(folder)
                        .text("a.jsp", "<%= javax.servlet.http.Cookie.class %>")
                        .to(folder.resolve("old.war"));
        String target = folder.resolve("new.war").toString();
        String line = run(0, "convert", old.toString(), target).out().getFirst();
        assertTrue(
                line.startsWith(
                        target + ": converted from javax: 0 classes, 1 pages and descriptors, "),
                line);
        assertErr(
                run(1, "convert", old.toString(), target),
                "margay: " + target + " exists already; name another file or delete it");
        assertErr(
                run(1, "convert", target, target + "2"),
                "margay: " + target + " uses no javax package: nothing is written");
    }

    @Test
    void examples_areForThisMachineAlone() throws Exception {
        for (String address : List.of("*:0", "0.0.0.0:0")) {
            String text = run(2, "run", "--http", address).err().getFirst();
            assertEquals(
                    "margay: the example applications are served to this machine only, not at "
                            + address
                            + "; name a WAR, a folder or a margay.yaml",
                    text);
        }
    }

    @Test
    void file_givenWithoutCommand_isExplained() throws Exception {
        Files.writeString(folder.resolve("shop.war"), "");
        String text = run(2, "shop.war").err().getFirst();
        assertTrue(text.endsWith("did you mean \"margay run shop.war\"?"), text);
    }

    @Test
    void file_thatIsMissing_exits1() throws Exception {
        assertErr(run(1, "run", "none.war"), "margay: none.war does not exist");
        assertErr(
                run(1, "check", "none.war"), "margay: none.war: does not exist", "margay: 1 error");
    }

    @Test
    void check_ofConfiguration_printsEveryError() throws Exception {
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                hots: []
                hosts: [{routes: {/: {app: none.war}}}]
                work: ${MARGAY_WORK_NOT_SET}
                """);
        assertErr(
                run(1, "check", "margay.yaml"),
                "margay: margay.yaml:1:1: unknown key \"hots\" in the file; did you mean"
                        + " \"hosts\"?",
                "margay: margay.yaml:2:23: \"app\": "
                        + folder.toRealPath().resolve("none.war")
                        + " does not exist",
                "margay: margay.yaml:3:7: the environment variable MARGAY_WORK_NOT_SET is not set;"
                        + " set it, or give a default: ${MARGAY_WORK_NOT_SET:-value}",
                "margay: 3 errors");
    }

    /// What would keep a listener from opening is told before it is started.
    @Test
    void check_ofListenersWithTls_triesThem() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Pem one = Pem.make(folder, "one");
        Pem other = Pem.make(folder, "other");
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners:
                  - https: 8443
                    certificates: [{cert: %s, key: %s}]
                  - https: 8444
                    certificates: [{cert: %s, key: %s}]
                    ciphers: [FOO]
                hosts: [{routes: {/: {files: files}}}]
                """
                        .formatted(one.cert(), other.key(), one.cert(), one.key()));
        MargayProcess process = run(1, "check", "margay.yaml");
        assertEquals(3, process.err().size(), process.toString());
        assertTrue(process.err().get(0).contains("this key does not"), process.toString());
        assertTrue(process.err().get(1).contains("FOO"), process.toString());
    }

    @Test
    void whatCannotBeUsed_isNamedWithReasonAndRemedy() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        String[] words = {"run", "--static", "/=files", "--http", "0", "--access-log", "/proc/x"};
        String log = run(1, words).err().getFirst();
        assertTrue(log.contains("/proc/x: there is no such file, and none can be made"), log);
        words[5] = "--work";
        String work = run(1, words).err().getFirst();
        assertTrue(work.matches(".*/proc/x cannot be used: /proc/x: .+; choose another.*"), work);
        words[5] = "--drain";
        words[6] = "5";
        String drain = run(2, words).err().getFirst();
        assertTrue(drain.contains("as in 500ms, 30s or 5m"), drain);
    }

    @Test
    void check_ofRightConfiguration_exits0() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(
                folder.resolve("margay.yaml"), "hosts: [{routes: {/: {files: \"${FILES}\"}}}]\n");
        MargayProcess process = run(0, Map.of("FILES", "files"), "check", "margay.yaml");
        assertEquals(List.of("margay.yaml: no errors"), process.out());
    }

    @Test
    void check_ofApplications_printsWhatIsWrong() throws Exception {
        Wars.with("index.html", "x").war(folder.resolve("good.war"));
        Wars.with("WEB-INF/web.xml", "<web-app><servlet></web-app>").war(folder.resolve("bad.war"));
        assertEquals(List.of("good.war: no errors"), run(0, "check", "good.war").out());
        MargayProcess process = run(1, "check", "good.war", "bad.war");
        assertTrue(process.err().getFirst().contains("web.xml:1"), process.toString());
    }

    @Test
    void port_inUse_isOneClearError() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            MargayProcess process = run(1, "run", "--static", "/=files", "--http", port);
            assertEquals(1, process.err().size(), process.toString());
            String text = process.err().getFirst();
            assertTrue(text.startsWith("margay: port " + port + " is in use"), text);
            assertTrue(text.contains("ss -ltnp") && text.contains("--http [ADDR:]PORT"), text);
        }
    }

    @Test
    void certificate_thatCannotBeUsed_isOneClearError() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("site.pem"), "no certificate");
        Files.writeString(folder.resolve("site.key"), "no key");
        String[] words = {
            "run", "--static", "/=files", "--https", "0", "--cert", "site.pem", "--key", "none.key"
        };
        assertErr(run(1, words), "margay: --key none.key does not exist");
        words[8] = "site.key";
        MargayProcess process = run(1, words);
        assertEquals(1, process.err().size(), process.toString());
        assertTrue(process.err().getFirst().contains("site.pem"), process.toString());
    }

    @Test
    void war_thatIsBroken_exits1() throws Exception {
        Files.writeString(folder.resolve("broken.war"), "this is not an archive");
        MargayProcess process = run(1, "run", "broken.war", "--http", "0");
        assertTrue(
                process.err().stream().anyMatch(line -> line.contains("broken.war")),
                process.toString());
        assertTrue(process.err().stream().noneMatch(l -> l.contains("\tat ")), process.toString());
    }

    @Test
    void webXml_thatIsBroken_exits1AndNamesTheLine() throws Exception {
        Wars.with("WEB-INF/web.xml", "<web-app>\n<servlet>\n</web-app>")
                .folder(folder.resolve("app"));
        MargayProcess process = run(1, "run", "app", "--http", "0");
        assertTrue(
                process.err().stream().anyMatch(line -> line.contains("web.xml:3")),
                process.toString());
    }

    @Test
    void applications_besideBrokenOnes_areServed() throws Exception {
        Path apps = folder.resolve("apps");
        Wars.with("index.html", "good page").war(apps.resolve("good.war"));
        Wars.with("index.html", "root page").folder(apps.resolve("ROOT"));
        Wars.with("../../evil.txt", "evil").war(apps.resolve("slip.war"));
        Wars.with("WEB-INF/web.xml", "<web-app><").war(apps.resolve("badxml.war"));
        Files.writeString(apps.resolve("broken.war"), "this is not an archive");
        try (MargayProcess process = MargayProcess.start(folder, "run", "apps", "--http", "0")) {
            Http http = new Http(process.awaitReady());
            assertEquals("good page", http.get("/good/index.html"));
            assertEquals("root page", http.get("/"));
            assertEquals(404, http.status("/slip/"));
            for (String name : List.of("slip", "badxml", "broken")) {
                assertTrue(
                        process.err().stream().anyMatch(line -> line.contains(name)),
                        process.toString());
            }
            assertTrue(!Files.exists(folder.resolve("evil.txt")), "zip-slip");
            assertTrue(!Files.exists(folder.resolve("work/evil.txt")), "zip-slip");
        }
    }

    private MargayProcess files(String name, String page) throws IOException {
        Path here = Files.createDirectories(folder.resolve(name));
        Path file = Files.writeString(here.resolve("index.html"), page);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        return MargayProcess.start(here, "files", "0", ".");
    }

    @Test
    void shadow_saysWhatDiffers_atItsEnd() throws Exception {
        Path here = Files.createDirectories(folder.resolve("front"));
        try (MargayProcess old = files("old", "<p>1 EUR</p>");
                MargayProcess fresh = files("new", "<p>2 EUR</p>");
                MargayProcess front =
                        MargayProcess.start(
                                here,
                                "shadow",
                                "0",
                                "http://127.0.0.1:" + old.awaitReady(),
                                "http://127.0.0.1:" + fresh.awaitReady(),
                                "--report",
                                "report.html")) {
            Http http = new Http(front.awaitReady());
            for (int i = 0; i < 200; i++) {
                assertEquals("<p>1 EUR</p>", http.get("/"));
            }
            front.signal("TERM");
            assertEquals(1, front.awaitExit(), front.toString());
            String text = String.join("\n", front.out());
            assertTrue(text.contains(" with differences, for 1 reason\n"), text);
            assertTrue(text.contains(" × GET /  content: html > body > p > (text)"), text);
            assertTrue(Files.readString(here.resolve("report.html")).contains("2 EUR"));
        }
    }

    @Test
    void start_printsUrlAndTransport() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a.txt"), "a file");
        for (String transport : List.of("blocking", "nio")) {
            try (MargayProcess process =
                    MargayProcess.start(
                            folder,
                            "run",
                            "--static",
                            "/f=files",
                            "--http",
                            "0",
                            "--http",
                            "127.0.0.1:0",
                            "--transport",
                            transport)) {
                int port = process.awaitReady();
                assertEquals(2, process.ports().size(), process.toString());
                assertTrue(
                        process.err()
                                .contains(
                                        "margay: http://127.0.0.1:"
                                                + port
                                                + "/ ("
                                                + transport
                                                + ")"),
                        process.toString());
                assertEquals("a file", new Http(port).get("/f/a.txt"));
            }
        }
    }

    @Test
    void compress_compressesWhatIsServed() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a.txt"), "a file\n".repeat(1000));
        try (MargayProcess process =
                        MargayProcess.start(
                                folder, "run", "--static", "/=files", "--http", "0", "--compress");
                RawHttpClient client =
                        RawHttpClient.connect(
                                new InetSocketAddress("127.0.0.1", process.awaitReady()))) {
            client.send("GET /a.txt HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
            RawHttpClient.Response response = client.response();
            assertEquals("gzip", response.field("Content-Encoding"));
            assertTrue(response.body().length < 1000);
        }
    }

    /// Applications made for Tomcat look for logs and settings by these.
    @Test
    void catalinaBase_isTheFolderOfTheConfiguration() throws Exception {
        Path site = Files.createDirectories(folder.resolve("site"));
        Path app = Files.createDirectories(site.resolve("app"));
        Files.writeString(
                app.resolve("base.jsp"),
                "<%= System.getProperty(\"catalina.base\") + '|'"
                        + " + System.getProperty(\"catalina.home\") %>");
        Path file =
                Files.writeString(
                        site.resolve("margay.yaml"),
                        "listeners: [{http: 127.0.0.1:0}]\nhosts: [{routes: {/: {app: app}}}]\n");
        assertEquals(site + "|" + site, base("site/" + file.getFileName()));
        assertEquals(folder + "|" + folder, base("site/app", "--http", "0"));
    }

    private String base(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(words));
        try (MargayProcess process = MargayProcess.start(folder, all.toArray(String[]::new))) {
            return new Http(process.awaitReady()).get("/base.jsp").strip();
        }
    }

    /// A collector of logs meets nothing else, also where nothing is served.
    @Test
    void startThatFails_withLogFormatJson_isAnErrorOfTheLog() throws Exception {
        List<String> err = run(1, "run", "nowhere.war", "--log-format", "json").err();
        assertEquals(1, err.size(), err::toString);
        assertTrue(err.getFirst().startsWith("{\"time\":\""), err::toString);
        assertTrue(err.getFirst().contains("\"level\":\"ERROR\""), err::toString);
        assertTrue(err.getFirst().endsWith("nowhere.war does not exist\"}"), err::toString);
    }

    @Test
    void commandsForFilesOfOthers_sayWhichTheyTake() throws Exception {
        String migrate = run(2, "migrate").err().getFirst();
        assertTrue(migrate.startsWith("margay: \"migrate\" needs a FILE: "), migrate);
        assertTrue(migrate.endsWith("a CATALINA_BASE of Tomcat's or its server.xml"), migrate);
        Files.createDirectories(folder.resolve("files"));
        String folderOfNone = run(2, "migrate", "files").err().getFirst();
        assertTrue(folderOfNone.startsWith("margay: files is not an httpd.conf"), folderOfNone);
        assertTrue(folderOfNone.contains("a CATALINA_BASE"), folderOfNone);
        String gateway = run(2, "gateway", "files").err().getFirst();
        assertFalse(gateway.contains("server.xml"), gateway);
    }

    @Test
    void migrate_ofNginxFilesThatMargayYamlCannotSay_writesNothing() throws Exception {
        Files.writeString(
                folder.resolve("nginx.conf"),
                """
                events {}
                http {
                  limit_req_zone $uri zone=z:1m rate=1r/s;
                  geo $far { default 1; 10.0.0.0/8 0; }
                  server {
                    listen 127.0.0.1:8080;
                    limit_req zone=z;
                    if ($far) { return 403; }
                    error_page 404 =200 /e;
                    location = /ask { internal; proxy_pass http://127.0.0.1:9; }
                    location /asked { auth_request /ask; proxy_pass http://127.0.0.1:9; }
                    location / { proxy_pass http://127.0.0.1:9; }
                  }
                  server { listen 127.0.0.1:8080; server_name a.*; return 204; }
                }
                """);
        MargayProcess lines = run(1, "migrate", "nginx.conf");
        assertEquals(List.of(), lines.out());
        assertEquals(
                "margay: nothing is written: margay.yaml has no keys for auth_request, error_page"
                        + " with another page's status, geo and split_clients, limit_req and"
                        + " limit_conn, server_name with an expression or .* at its end;"
                        + " \"margay gateway\" serves the files as they are",
                lines.err().getLast());
    }
}
