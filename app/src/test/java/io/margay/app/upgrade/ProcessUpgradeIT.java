package io.margay.app.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.app.Wars;
import io.margay.app.process.ControlSocket;
import io.margay.app.process.NotifySocket;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.SlowServlet;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that take over from each other, while clients open a connection for each request.
public final class ProcessUpgradeIT {
    private static final Pattern SUCCESSOR = Pattern.compile("process ([0-9]+) serves");

    @TempDir Path folder;

    /// What serves last.
    private long last;

    @AfterEach
    public void end() {
        ProcessHandle.of(last)
                .ifPresent(process -> {
                    process.destroyForcibly();
                    process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
                });
    }

    private Path war(String name) throws IOException {
        return Wars.with("index.html", "x")
                .servlet(CountServlet.class, "/count")
                .servlet(SlowServlet.class, "/slow")
                .war(folder.resolve(name));
    }

    private Path work() {
        return folder.resolve("work/0");
    }

    /// Has another process take over, and waits until it serves.
    private void upgrade() {
        ControlSocket.Answer answer = ControlSocket.ask(work(), "upgrade");
        assertTrue(answer.done(), answer.toString());
        if (!answer.lines().isEmpty()) {
            last = successor(answer.lines().getFirst());
        }
    }

    /// The process that a line names.
    public static long successor(String line) {
        Matcher matcher = SUCCESSOR.matcher(line);
        assertTrue(matcher.find(), line);
        return Long.parseLong(matcher.group(1));
    }

    @Test
    public void upgrade_underNewConnections_losesNone_andTellsTheServiceManager() throws Exception {
        String name = folder.resolve("notify").toString();
        Map<String, String> environment = Map.of("_JAVA_SR_SIGNUM", "60", "NOTIFY_SOCKET", name);
        String war = war("shop.war").toString();
        try (NotifySocket manager = NotifySocket.at(name);
                MargayProcess process =
                        MargayProcess.start(folder, environment, "run", war, "--http", "0");
                UpgradeLoad load = new UpgradeLoad(process.awaitReady(), 4)) {
            assertEquals("READY=1", manager.next());
            load.await(200);
            process.signal("USR2");
            last = successor(process.awaitLine(line -> SUCCESSOR.matcher(line).find()));
            assertEquals("MAINPID=" + last, manager.next());
            assertEquals("READY=1", manager.next(), "of the new main process");
            load.await(200);
            assertEquals(0, process.awaitEnd(), process.toString());
            upgrade();
            assertEquals("MAINPID=" + last, manager.next(), "not that the service stops");
            load.await(200);
            assertEquals(List.of(), load.end(), process.toString());
        }
    }

    @Test
    public void sessions_areThereInEitherProcess() throws Exception {
        try (MargayProcess process =
                MargayProcess.start(folder, "run", war("shop.war").toString(), "--http", "0")) {
            int port = process.awaitReady();
            String asked = cookie(port);
            String unasked = cookie(port);
            Path until = folder.resolve("go");
            CompletableFuture<HttpResponse<String>> slow =
                    new Http(port).later("/slow?until=" + until, cookie(port));
            while (!Files.exists(folder.resolve("go.begun"))) {
                MargayProcess.pause();
            }
            upgrade();
            assertNotEquals(0, last);
            assertTrue(process.isAlive(), "the old process finishes the request");
            assertEquals("count 2", new Http(port).withCookie("/count", asked).body());
            Files.writeString(until, "");
            assertEquals(200, slow.get(30, TimeUnit.SECONDS).statusCode());
            assertEquals(0, process.awaitEnd(), process.toString());
            assertEquals("count 2", new Http(port).withCookie("/count", unasked).body());
            assertEquals("count 3", new Http(port).withCookie("/count", asked).body());
        }
    }

    @Test
    public void requestsOfTheOldProcess_countInTheNewOne_asLongAsTheyLast() throws Exception {
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 0}]
                work: work/0
                hosts:
                  - rate-limits: [{path: /slow, concurrent: 1, by: all}]
                    routes: {/: {app: %s}}
                """
                        .formatted(war("shop.war")));
        try (MargayProcess process = MargayProcess.start(folder, "run", "margay.yaml")) {
            int port = process.awaitReady();
            Path until = folder.resolve("go");
            CompletableFuture<HttpResponse<String>> slow =
                    new Http(port).later("/slow?until=" + until, cookie(port));
            while (!Files.exists(folder.resolve("go.begun"))) {
                MargayProcess.pause();
            }
            upgrade();
            assertEquals(503, new Http(port).response("/slow").statusCode());
            Files.writeString(until, "");
            assertEquals(200, slow.get(30, TimeUnit.SECONDS).statusCode());
            while (new Http(port).response("/slow").statusCode() != 200) {
                MargayProcess.pause();
            }
        }
    }

    private static String cookie(int port) throws Exception {
        HttpResponse<String> first = new Http(port).response("/count");
        assertEquals("count 1", first.body());
        return first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    @Test
    public void upgrade_toAConfigurationThatIsWrong_leavesTheOldProcessServing() throws Exception {
        Path file = folder.resolve("margay.yaml");
        String right =
                """
                listeners: [{http: 0}]
                work: work/0
                admin: 127.0.0.1:0
                hosts: [{routes: {/: {app: %s}}}]
                """
                        .formatted(war("shop.war"));
        Files.writeString(file, right);
        try (MargayProcess process = MargayProcess.start(folder, "run", file.toString())) {
            int port = process.awaitReady();
            int admin = process.ports().get(1);
            Files.writeString(file, "listeners: [{htp: 0}]\n");
            ControlSocket.Answer answer = ControlSocket.ask(work(), "upgrade");
            assertFalse(answer.done(), answer.toString());
            assertTrue(answer.lines().toString().contains("\"htp\""), answer.toString());
            assertEquals(200, new Http(port).status("/count"));
            Files.writeString(file, right.replace("{app: ", "{app: no"));
            answer = ControlSocket.ask(work(), "upgrade");
            assertFalse(answer.done(), answer.toString());
            assertTrue(answer.lines().toString().contains("shop.war"), answer.toString());
            assertTrue(process.isAlive());
            assertEquals(200, new Http(port).status("/count"));
            Files.writeString(file, right);
            upgrade();
            assertEquals(200, new Http(port).status("/count"));
            assertEquals(200, new Http(admin).status("/health"));
            assertEquals(0, process.awaitEnd(), process.toString());
            assertEquals(200, new Http(admin).status("/health"));
            assertTrue(ControlSocket.ask(work(), "status").done());
        }
    }
}
