package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that may open only few files: it keeps what it has, does not spin, and recovers.
@Tag("slow")
@Timeout(120)
class DescriptorExhaustionTest {
    private static final int LIMIT = 64;
    private static final int CLIENTS = 120;

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void descriptors_exhausted_serverIdlesAndRecovers(String transport) throws Exception {
        Process server = start(transport);
        List<Socket> clients = new ArrayList<>();
        try {
            BufferedReader out = server.inputReader();
            int port = Integer.parseInt(out.readLine());
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (Socket warm = TestClient.plain(address)) {
                echo(warm);
            }
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(TestClient.plain(address));
            }
            echo(clients.getFirst());
            Until.holds("the limit is reached", () -> refused(out, server, CLIENTS));
            Duration before = cpu(server);
            long end = System.nanoTime() + 1_500_000_000L;
            Until.holds("time passes", () -> System.nanoTime() - end > 0);
            Duration used = cpu(server).minus(before);
            assertTrue(used.toMillis() < 700, "it spins: " + used);
            echo(clients.getFirst());
            for (Socket client : clients) {
                client.close();
            }
            Until.holds("it accepts again", () -> works(address));
        } finally {
            for (Socket client : clients) {
                client.close();
            }
            server.destroyForcibly();
            server.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static Process start(String transport) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command =
                "ulimit -n "
                        + LIMIT
                        + "; exec "
                        + java
                        + " --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -Xmx64m"
                        + " -XX:TieredStopAtLevel=1 io.margay.transport.EchoServer "
                        + transport;
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return builder.start();
    }

    /// Whether the server has not accepted all clients, and accepts no more.
    private static boolean refused(BufferedReader out, Process server, int clients) {
        try {
            long first = opened(out, server);
            long end = System.nanoTime() + 300_000_000L;
            Until.holds("time passes", () -> System.nanoTime() - end > 0);
            long second = opened(out, server);
            return first == second && second > 10 && second < clients;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long opened(BufferedReader out, Process server) throws IOException {
        server.outputWriter().write('\n');
        server.outputWriter().flush();
        return Long.parseLong(out.readLine());
    }

    private static Duration cpu(Process server) {
        return server.toHandle().info().totalCpuDuration().orElseThrow();
    }

    private static boolean works(InetSocketAddress address) {
        try (Socket socket = TestClient.plain(address)) {
            echo(socket);
            return true;
        } catch (IOException e) {
            return false; // not yet
        }
    }

    private static void echo(Socket socket) throws IOException {
        byte[] sent = "hello".getBytes();
        socket.getOutputStream().write(sent);
        assertArrayEquals(sent, socket.getInputStream().readNBytes(sent.length));
    }
}
