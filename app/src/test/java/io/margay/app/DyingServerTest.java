package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server whose loop has died must not look alive.
@Tag("slow")
@Timeout(120)
class DyingServerTest {
    @ParameterizedTest
    @ValueSource(strings = {"NIO", "NATIVE", "BLOCKING"})
    void loopThatDies_endsTheProcess_withItsOwnCode(String transport) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DyingServer.class.getName(),
                                transport)
                        .start();
        try (BufferedReader out = process.inputReader();
                BufferedReader err = process.errorReader()) {
            ask(Integer.parseInt(out.readLine()));
            String said = err.lines().collect(Collectors.joining("\n"));
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
            assertEquals(ProcessEnd.CODE, process.exitValue(), said);
            assertTrue(said.contains("margay: a thread that the server depends on has died"), said);
            assertTrue(said.contains("as if it were so"), said);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(60_000);
            assertEquals(-1, socket.getInputStream().read());
        } catch (java.net.SocketException e) {
            // Reset: the process has ended.
            assertTrue(e.getMessage().contains("reset"), e.toString());
        }
    }
}
