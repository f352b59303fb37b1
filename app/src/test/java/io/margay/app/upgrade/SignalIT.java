package io.margay.app.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.app.Wars;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.LeavingServlet;
import io.margay.app.sample.LeftDriver;
import io.margay.app.sample.SlowServlet;
import io.margay.app.sample.WaitingStart;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What signals do to a running server.
final class SignalIT {
    @TempDir Path folder;

    private static void await(Path file) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!Files.exists(file)) {
            assertTrue(System.nanoTime() < end, file + " did not come");
            MargayProcess.pause();
        }
    }

    private MargayProcess slow() throws IOException {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(SlowServlet.class, "/slow")
                        .war(folder.resolve("slow.war"));
        return MargayProcess.start(folder, "run", war.toString(), "--http", "0");
    }

    @Test
    void term_withRequestInFlight_finishesItAndExits0() throws Exception {
        try (MargayProcess process = slow()) {
            Http http = new Http(process.awaitReady());
            Path until = folder.resolve("go");
            CompletableFuture<HttpResponse<String>> request = http.later("/slow?until=" + until);
            await(folder.resolve("go.begun"));
            process.signal("TERM");
            process.awaitLine(line -> line.contains("stopping"));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            boolean refused = false;
            while (!refused && System.nanoTime() < end) {
                try {
                    new Http(process.ports().getFirst()).get("/");
                    MargayProcess.pause();
                } catch (ConnectException e) {
                    refused = true;
                }
            }
            assertTrue(refused, "new connections are refused");
            assertTrue(process.isAlive(), "waits for the request");
            Files.writeString(until, "");
            assertEquals("slow but sure", request.get(30, TimeUnit.SECONDS).body());
            assertEquals(0, process.awaitExit(), process.toString());
        }
    }

    /// What ends with the JVM is nobody's business.
    @Test
    void term_ofAnApplicationThatLeavesThings_isNotToldOfThem() throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(LeavingServlet.class, "/leave")
                        .type(LeftDriver.class)
                        .war(folder.resolve("left.war"));
        try (MargayProcess process =
                MargayProcess.start(folder, "run", war.toString(), "--http", "0")) {
            Http http = new Http(process.awaitReady());
            assertEquals("left", http.get("/leave"));
            assertEquals("ended", http.get("/leave?end")); // But for its thread-local.
            process.signal("TERM");
            assertEquals(0, process.awaitExit(), process.toString());
            assertFalse(process.toString().contains("leaves behind"), process.toString());
        }
    }

    @Test
    void secondTerm_exitsAtOnce() throws Exception {
        try (MargayProcess process = slow()) {
            Http http = new Http(process.awaitReady());
            CompletableFuture<HttpResponse<String>> request =
                    http.later("/slow?until=" + folder.resolve("never"));
            await(folder.resolve("never.begun"));
            process.signal("TERM");
            process.awaitLine(line -> line.contains("stopping"));
            process.signal("TERM");
            assertEquals(1, process.awaitExit(), process.toString());
            assertThrows(ExecutionException.class, () -> request.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void sessions_overARestart_areKept() throws Exception {
        Path war =
                Wars.with("index.html", "x")
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("count.war"));
        String cookie;
        try (MargayProcess process =
                MargayProcess.start(folder, "run", war.toString(), "--http", "0")) {
            HttpResponse<String> first = new Http(process.awaitReady()).response("/count");
            assertEquals("count 1", first.body());
            cookie = first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            process.signal("TERM");
            assertEquals(0, process.awaitExit(), process.toString());
        }
        try (MargayProcess process =
                MargayProcess.start(folder, "run", war.toString(), "--http", "0")) {
            Http http = new Http(process.awaitReady());
            assertEquals("count 2", http.withCookie("/count", cookie).body());
        }
    }

    private void write(String yaml) throws IOException {
        Path next = folder.resolve("next");
        Files.writeString(next, yaml);
        Files.move(next, folder.resolve("margay.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    /// Requests without a pause before, while and after `action` runs; none may fail.
    private static void underLoad(Http http, String path, Action action) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger count = new AtomicInteger();
        CompletableFuture<Void> load =
                CompletableFuture.runAsync(() -> {
                    while (!stop.get()) {
                        try {
                            assertEquals(200, http.status(path));
                            count.incrementAndGet();
                        } catch (IOException | InterruptedException e) {
                            throw new AssertionError("request " + count, e);
                        }
                    }
                });
        try {
            await(count, 20, load);
            action.run();
            await(count, count.get() + 20, load);
        } finally {
            stop.set(true);
        }
        load.get(30, TimeUnit.SECONDS);
    }

    private static void await(AtomicInteger count, int wanted, CompletableFuture<Void> load)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (count.get() < wanted && System.nanoTime() < end && !load.isDone()) {
            MargayProcess.pause();
        }
        if (load.isDone()) {
            load.get();
        }
        assertTrue(count.get() >= wanted, "requests: " + count);
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    private static String config(int port, String app) {
        return """
        listeners: [{http: %d}]
        hosts: [{routes: {/: {app: %s}, /files: {files: files}}}]
        """
                .formatted(port, app);
    }

    @Test
    void hup_withGoodFile_changesTheApplicationAndLosesNoRequest() throws Exception {
        Wars.with("index.html", "one").folder(folder.resolve("one"));
        Wars.with("index.html", "two").war(folder.resolve("two.war"));
        Wars.with("a.txt", "file").folder(folder.resolve("files"));
        write(config(0, "one"));
        try (MargayProcess process = MargayProcess.start(folder, "run", "margay.yaml")) {
            int port = process.awaitReady();
            Http http = new Http(port);
            assertEquals("one", http.get("/"));
            underLoad(
                    http,
                    "/",
                    () -> {
                        write(config(0, "two.war"));
                        process.signal("HUP");
                        process.awaitLine(line -> line.contains("is active"));
                    });
            assertEquals("two", http.get("/"));
            assertEquals("file", http.get("/files/a.txt"));
        }
    }

    /// As nginx does, and as systemd expects, which asks for a reload at any time.
    @Test
    void hup_whileTheServerStarts_reloadsOnceItIsThere() throws Exception {
        Path starts = folder.resolve("starts");
        Wars.with("index.html", "one")
                .type(WaitingStart.class)
                .and(
                        "WEB-INF/web.xml",
                        """
                        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                          <context-param>
                            <param-name>starts</param-name>
                            <param-value>%s</param-value>
                          </context-param>
                          <listener><listener-class>%s</listener-class></listener>
                        </web-app>
                        """
                                .formatted(starts, WaitingStart.class.getName()))
                .folder(folder.resolve("one"));
        Wars.with("a.txt", "file").folder(folder.resolve("files"));
        write(config(0, "one"));
        try (MargayProcess process = MargayProcess.start(folder, "run", "margay.yaml")) {
            await(starts);
            Eventually.holds("it listens for signals", () -> !hasThread(process, "margay-signals"));
            write(config(0, "one").replace("/files:", "/other:"));
            process.signal("HUP");
            Files.writeString(folder.resolve("starts.go"), "");
            int port = process.awaitReady();
            process.awaitLine(line -> line.contains("active, by SIGHUP"));
            assertEquals("file", new Http(port).get("/other/a.txt"));
        }
    }

    private static boolean hasThread(MargayProcess process, String name) {
        Path tasks = Path.of("/proc/" + process.pid() + "/task");
        try (Stream<Path> all = Files.list(tasks)) {
            return all.anyMatch(task -> lines(task.resolve("comm")).contains(name));
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void hup_withBadFile_changesNothing() throws Exception {
        Wars.with("index.html", "one").folder(folder.resolve("one"));
        Wars.with("WEB-INF/web.xml", "<web-app><").folder(folder.resolve("bad"));
        Wars.with("a.txt", "file").folder(folder.resolve("files"));
        write(config(0, "one"));
        try (MargayProcess process = MargayProcess.start(folder, "run", "margay.yaml")) {
            Http http = new Http(process.awaitReady());
            underLoad(
                    http,
                    "/",
                    () -> {
                        write("hots: []\n");
                        process.signal("HUP");
                        process.awaitLine(line -> line.contains("did you mean \"hosts\"?"));
                        process.awaitLine(line -> line.contains("nothing was changed"));
                        write(config(0, "bad"));
                        process.signal("HUP");
                        process.awaitLine(line -> line.contains("bad") && line.contains("web.xml"));
                    });
            assertEquals("one", http.get("/"));
        }
    }

    @Test
    void hup_withOtherListeners_opensAndClosesThem() throws Exception {
        Wars.with("index.html", "one").folder(folder.resolve("one"));
        Wars.with("a.txt", "file").folder(folder.resolve("files"));
        write(config(0, "one"));
        try (MargayProcess process = MargayProcess.start(folder, "run", "margay.yaml")) {
            int port = process.awaitReady();
            int other = FreePort.next();
            write(config(other, "one"));
            process.signal("HUP");
            process.awaitLine(line -> line.contains("is active"));
            assertEquals("one", new Http(other).get("/"));
            assertThrows(ConnectException.class, () -> new Http(port).get("/"));
        }
    }

    private MargayProcess command(String... words) throws IOException {
        return MargayProcess.start(folder, words);
    }

    @Test
    void usr1_opensTheAccessLogAnew() throws Exception {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("a.txt"), "a");
        write(
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{access-log: {file: access.log, format: "%U"}, routes: {/: {files: files}}}]
                """);
        try (MargayProcess process = command("run", "margay.yaml")) {
            Http http = new Http(process.awaitReady());
            http.get("/a.txt");
            Path log = folder.resolve("access.log");
            Eventually.holds("the first request is logged", () -> lines(log).contains("/a.txt"));
            Files.move(log, folder.resolve("access.log.1"));
            process.signal("USR1");
            process.awaitLine(line -> line.contains("the access logs are reopened"));
            http.get("/a.txt?2");
            Eventually.holds("the second one, too", () -> lines(log).contains("/a.txt"));
            assertTrue(process.isAlive());
        }
    }

    @Test
    void usr1_toAGateway_readsItsFilesAgain_asGracefulDoes() throws Exception {
        Path file = folder.resolve("httpd.conf");
        Files.writeString(file, "RedirectMatch 410 ^/gone\n");
        try (MargayProcess process = command("gateway", "httpd.conf", "--http", "0")) {
            Http http = new Http(process.awaitReady());
            assertEquals(410, http.status("/gone"));
            Files.writeString(file, "RedirectMatch 410 ^/left\n");
            process.signal("USR1");
            process.awaitLine(line -> line.contains("is active, by SIGUSR1"));
            assertEquals(410, http.status("/left"));
            assertEquals(404, http.status("/gone"));
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void term_withADrainDelay_servesOnWhileNotReady() throws Exception {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("a.txt"), "a");
        try (MargayProcess process =
                command(
                        "run",
                        "--static",
                        "/=files",
                        "--http",
                        "0",
                        "--admin",
                        "0",
                        "--drain-delay",
                        "60s",
                        "--log-format",
                        "json")) {
            Http http = new Http(process.awaitReady());
            Http admin = new Http(process.ports().get(1));
            assertEquals(200, admin.status("/health/ready"));
            process.signal("TERM");
            process.awaitLine(line -> line.contains("not ready from now on"));
            assertEquals(503, admin.status("/health/ready"));
            assertEquals(200, admin.status("/health/live"));
            assertEquals("a", http.get("/a.txt"));
            process.signal("TERM");
            assertEquals(1, process.awaitExit());
            for (String line : process.err()) {
                Map<String, Object> record = JSON.std.mapFrom(line);
                assertTrue(record.keySet().containsAll(List.of("time", "level", "message")), line);
            }
        }
    }

    @Test
    void commands_reachTheServerByItsWorkFolder() throws Exception {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("a.txt"), "a");
        String yaml = "listeners: [{http: 127.0.0.1:0}]\nhosts: [{routes: {/: {files: %s}}}]\n";
        write(yaml.formatted("files"));
        try (MargayProcess server = command("run", "margay.yaml")) {
            server.awaitReady();
            try (MargayProcess status = command("status")) {
                assertEquals(0, status.awaitExit(), status::toString);
                assertTrue(status.out().getFirst().endsWith(", serving"), status::toString);
            }
            write(yaml.formatted("nowhere"));
            try (MargayProcess reload = command("reload", "--work", "work/0")) {
                assertEquals(1, reload.awaitExit(), reload::toString);
                assertTrue(reload.toString().contains("nowhere"), reload::toString);
            }
            write(yaml.formatted("files"));
            try (MargayProcess reload = command("reload")) {
                assertEquals(0, reload.awaitExit(), reload::toString);
            }
            server.awaitLine(line -> line.contains("active, by margay reload"));
            try (MargayProcess stop = command("stop")) {
                assertEquals(0, stop.awaitExit(), stop::toString);
            }
            assertEquals(0, server.awaitExit());
            try (MargayProcess status = command("status")) {
                assertEquals(1, status.awaitExit(), status::toString);
            }
        }
    }

    @Test
    void hup_withABrokenApplicationInAFolder_takesTheRest() throws Exception {
        Path webapps = Files.createDirectories(folder.resolve("webapps"));
        Wars.with("a.txt", "one").war(webapps.resolve("shop.war"));
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(files.resolve("a.txt"), "a");
        String yaml =
                "listeners: [{http: 127.0.0.1:0}]\ndeploy: {auto-deploy: 0s}\n"
                        + "hosts: [{webapps: webapps, routes: {%s: {files: files}}}]\n";
        write(yaml.formatted("/one"));
        try (MargayProcess process = command("run", "margay.yaml")) {
            Http http = new Http(process.awaitReady());
            Files.writeString(webapps.resolve("broken.war"), "no archive");
            write(yaml.formatted("/two"));
            process.signal("HUP");
            process.awaitLine(line -> line.contains("the rest of the configuration applies"));
            process.awaitLine(line -> line.contains("active, by SIGHUP"));
            assertEquals("a", http.get("/two/a.txt"));
            assertEquals("one", http.get("/shop/a.txt"));
        }
    }
}
