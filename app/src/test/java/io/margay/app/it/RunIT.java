package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `./margay run`, as somebody types it first.
final class RunIT {
    @TempDir Path folder;
    @TempDir static Path unpacked;

    private static void showsTheExamples(ServerProcess server) throws Exception {
        Browser browser = new Browser(server.awaitMargay());
        assertTrue(browser.get("/").body().contains("Margay is running"), server.toString());
        for (String page :
                List.of(
                        "/heartbeat/heartbeat.jsp",
                        "/heartbeat/servlet",
                        "/pages/gallery.html",
                        "/pages/images/image-66.png",
                        "/upload/",
                        "/async/timer?millis=10",
                        "/jsp/",
                        "/jsp/jstl.jsp")) {
            assertEquals(200, browser.get(page).statusCode(), page);
        }
        assertEquals(0, server.terminate(), server.toString());
        String last = server.output().getLast();
        assertFalse(last.contains("Exception"), server.toString());
    }

    @Test
    void run_withoutArguments_inTheCheckout_servesTheExamples() throws Exception {
        try (ServerProcess server = ServerProcess.margay(folder, "run", "--http", "0")) {
            showsTheExamples(server);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void run_withATransport_saysSo(String transport) throws Exception {
        try (ServerProcess server =
                ServerProcess.margay(folder, "run", "--http", "0", "--transport", transport)) {
            int port = server.awaitMargay();
            assertTrue(
                    server.output().stream()
                            .anyMatch(line ->
                                    line.contains("127.0.0.1:" + port + "/")
                                            && line.contains(transport)),
                    server.toString());
            assertEquals(200, new Browser(port).get("/heartbeat/heartbeat.jsp").statusCode());
            assertEquals(0, server.terminate(), server.toString());
        }
    }

    private static String freePort() throws IOException {
        return String.valueOf(FreePort.next());
    }

    @Test
    void run_ofTwoServersInOneFolder_servesBoth() throws Exception {
        try (ServerProcess one = ServerProcess.margay(folder, "run", "--http", freePort());
                ServerProcess other = ServerProcess.margay(folder, "run", "--http", freePort())) {
            assertEquals(
                    200, new Browser(one.awaitMargay()).get("/heartbeat/servlet").statusCode());
            assertEquals(
                    200, new Browser(other.awaitMargay()).get("/heartbeat/servlet").statusCode());
        }
    }

    @Test
    void run_inTheUnpackedDistribution_servesTheExamples() throws Exception {
        Path home = unpack();
        try (ServerProcess server =
                ServerProcess.script(
                        home.resolve("margay"), folder, Map.of(), "run", "--http", "0")) {
            showsTheExamples(server);
        }
    }

    @Test
    void distribution_holdsWhatItsReaderNeeds_andDeploysNothingUnasked() throws Exception {
        Path home = unpack();
        for (String name :
                List.of(
                        "LICENSE",
                        "README.md",
                        "docs",
                        "site/guide/tls.html",
                        "lib",
                        "bin/catalina.sh",
                        "margay")) {
            assertTrue(Files.exists(home.resolve(name)), name + " is missing");
        }
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("a.txt"), "a file");
        try (ServerProcess server =
                ServerProcess.script(
                        home.resolve("margay"),
                        folder,
                        Map.of(),
                        "run",
                        "--static",
                        "/=" + site,
                        "--http",
                        "0")) {
            Browser browser = new Browser(server.awaitMargay());
            assertEquals("a file", browser.get("/a.txt").body());
            assertEquals(404, browser.get("/heartbeat/servlet").statusCode());
        }
    }

    /// The distribution, packed as `make dist` does and unpacked as its reader does, once.
    private static Path unpack() throws IOException, InterruptedException {
        Path checkout = ServerProcess.checkout();
        if (home().isEmpty()) {
            String archive = output(checkout.resolve("bin/dist").toString()).strip();
            output("tar", "-xzf", checkout.resolve(archive).toString(), "-C", unpacked.toString());
        }
        return home().orElseThrow();
    }

    private static Optional<Path> home() throws IOException {
        try (Stream<Path> entries = Files.list(unpacked)) {
            return entries.findFirst();
        }
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(unpacked.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (InputStream out = process.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(180, TimeUnit.SECONDS), "still running: " + command[0]);
            assertEquals(0, process.exitValue(), command[0]);
            return text;
        }
    }
}
