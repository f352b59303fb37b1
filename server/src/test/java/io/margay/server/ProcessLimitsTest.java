package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What needs a process of its own: many connections, few descriptors.
@Tag("slow")
@Timeout(120)
class ProcessLimitsTest {
    private static final long MIB = 1L << 20;

    static List<String> transports() {
        return Wire.transports();
    }

    private static final class Child implements AutoCloseable {
        final Process process;
        final BufferedReader out;

        Child(String shellLimit, String mainClass, String... args) throws IOException {
            List<String> command = new ArrayList<>();
            command.add("sh");
            command.add("-c");
            command.add(shellLimit + " && exec \"$@\"");
            command.add("sh");
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-Xmx256m");
            command.add("-Xmn16m");
            command.add("-XX:+UseSerialGC");
            command.add("-XX:TieredStopAtLevel=1");
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add(mainClass);
            command.addAll(List.of(args));
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            out =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.US_ASCII));
        }

        long heapUsed() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            return Long.parseLong(out.readLine());
        }

        long resident() throws IOException {
            for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
            throw new IOException("no VmRSS");
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private static InetSocketAddress address(Child server) throws IOException {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(server.out.readLine()));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void idleConnections_10000_areSmall(String transport) throws Exception {
        String limit = "ulimit -n 12000";
        try (Child server = new Child(limit, ServerProcess.class.getName(), transport)) {
            InetSocketAddress address = address(server);
            try (RawHttpClient client = RawHttpClient.connect(address)) {
                for (int i = 0; i < 2000; i++) {
                    assertEquals(200, client.get("/dispatched").status());
                }
            }
            long heapBefore = server.heapUsed();
            long residentBefore = server.resident();
            try (Child clients =
                    new Child(
                            limit,
                            io.margay.testkit.IdleClients.class.getName(),
                            Integer.toString(address.getPort()),
                            "10000")) {
                assertEquals("ready", clients.out.readLine());
                long heap = server.heapUsed() - heapBefore;
                long resident = server.resident() - residentBefore;
                System.out.printf(
                        "10 000 idle connections on %s: heap %.1f MiB, resident %.1f MiB%n",
                        transport, heap / (double) MIB, resident / (double) MIB);
                assertTrue(heap < 100 * MIB, "heap grew by " + heap);
                assertTrue(resident < 100 * MIB, "resident memory grew by " + resident);
                try (RawHttpClient client = RawHttpClient.connect(address)) {
                    assertEquals("GET /more", client.get("/more").text());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void descriptorsExhausted_serverRecovers(String transport) throws Exception {
        try (Child server = new Child("ulimit -n 120", ServerProcess.class.getName(), transport)) {
            InetSocketAddress address = address(server);
            try (RawHttpClient client = RawHttpClient.connect(address)) {
                // What the requests need is loaded now: classes are files too.
                assertEquals(200, client.get("/").status());
                assertEquals(200, client.get("/dispatched").status());
            }
            List<RawHttpClient> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 200; i++) {
                    clients.add(RawHttpClient.connect(address));
                }
                assertEquals(200, clients.getFirst().get("/").status());
            } finally {
                for (RawHttpClient client : clients) {
                    client.close();
                }
            }
            Eventually.holds(
                    "new connections are served again",
                    () -> {
                        try (RawHttpClient client = RawHttpClient.connect(address)) {
                            return client.timeout(1000).get("/").status() == 200;
                        } catch (IOException e) {
                            return false;
                        }
                    });
        }
    }
}
