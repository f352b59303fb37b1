package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./margay lab cluster`: what it says can be done, and leaves nothing.
final class LabClusterIT {
    private static final Pattern GATEWAY = Pattern.compile("gateway g\\d .*?:([0-9]+)/");
    private static final Pattern CONSOLE = Pattern.compile("console .*:([0-9]+)/");
    private static final Pattern FOLDER = Pattern.compile("logs: (.*)");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 100_000_000L;
    private static final int UNAVAILABLE = 503;

    @TempDir Path folder;

    @Test
    void cluster_losesAContainer_goesOnWithItsSessions_andEndsWholly() throws Exception {
        try (ServerProcess lab =
                ServerProcess.margay(
                        folder, "lab", "cluster", "--port", "0", "--containers", "2")) {
            lab.awaitLine("Configurations and logs: ");
            List<Integer> gateways = lab.ports(GATEWAY);
            assertEquals(2, gateways.size(), lab.toString());
            RawHttpClient.Response first = get(gateways.getFirst(), "");
            assertTrue(first.text().contains("Visit 1 of session"), first.text());
            String cookie = first.field("Set-Cookie").split(";")[0];
            String container = cookie.substring(cookie.length() - 2);
            assertTrue(first.text().contains("by container " + container), first.text());
            kill(pid(lab, container));
            String second = onceItHasAStore(gateways.getLast(), cookie).text();
            assertTrue(second.contains("Visit 2 of session"), second);
            assertTrue(!second.contains("by container " + container), second);
            lab.awaitLine(container + " has ended");
            String api = get(lab.ports(CONSOLE).getFirst(), "/api/upstreams", "").text();
            assertTrue(api.contains("\"" + container + "\""), api);
            String files = found(lab, FOLDER);
            lab.terminate();
            assertTrue(nothingIsLeft(files));
        }
    }

    /// Without an engine the sessions are in a file of H2, which another container opens once the
    /// one that had it is gone: until then requests with a session are answered 503.
    private static RawHttpClient.Response onceItHasAStore(int port, String cookie)
            throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        RawHttpClient.Response response = get(port, cookie);
        while (response.status() == UNAVAILABLE && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(POLL_NANOS);
            response = get(port, cookie);
        }
        return response;
    }

    private static String found(ServerProcess lab, Pattern pattern) {
        return lab.output().stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(it -> it.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lab.toString()));
    }

    private static ProcessHandle pid(ServerProcess lab, String container) {
        Pattern pattern = Pattern.compile("container " + container + " .* process ([0-9]+)");
        return ProcessHandle.of(Long.parseLong(found(lab, pattern))).orElseThrow();
    }

    private static void kill(ProcessHandle process) {
        assertTrue(process.destroyForcibly());
        process.onExit().join();
    }

    private static RawHttpClient.Response get(int port, String cookie) throws IOException {
        return get(port, "/", cookie);
    }

    private static RawHttpClient.Response get(int port, String path, String cookie)
            throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: localhost\r\n"
                            + (cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n")
                            + "\r\n");
            return client.response();
        }
    }

    private static boolean nothingIsLeft(String files) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.noneMatch(it -> it.info().commandLine().orElse("").contains(files));
        }
    }
}
