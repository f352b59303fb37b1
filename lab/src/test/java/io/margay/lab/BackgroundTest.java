package io.margay.lab;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Load beside what is measured, by a generator of its own.
@Timeout(60)
final class BackgroundTest {
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
                    .getBytes(StandardCharsets.US_ASCII);

    @TempDir Path folder;

    private static LoadJob job(int port) {
        return LoadJob.closed(1, false, false).to(port, List.of("/"), "").lasting(3, 0, 10_000);
    }

    @Test
    void load_hasBeenSent_whenItIsClosed() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                GeneratorProcess generator =
                        new GeneratorProcess(List.of(), folder.resolve("log"))) {
            Thread.startVirtualThread(() -> serve(listener, asked));
            Background background = Background.of(generator, job(listener.getLocalPort()));
            background.close();
            assertTrue(asked.get() >= 3, "requests: " + asked);
        }
    }

    private static void serve(ServerSocket listener, AtomicInteger asked) {
        try {
            while (!listener.isClosed()) {
                try (Socket socket = listener.accept();
                        OutputStream out = socket.getOutputStream()) {
                    boolean _ = socket.getInputStream().read(new byte[4096]) > 0;
                    asked.incrementAndGet();
                    out.write(ANSWER);
                }
            }
        } catch (IOException e) {
            // The test has closed the listener.
            return;
        }
    }

    @Test
    void generatorThatHasEnded_isTold() throws IOException {
        GeneratorProcess generator = new GeneratorProcess(List.of(), folder.resolve("log"));
        generator.close();
        assertThrows(IOException.class, () -> Background.of(generator, job(1)).close());
    }
}
