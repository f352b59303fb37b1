package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many WebSocket sessions that do nothing, in servers with small heaps.
@Tag("slow")
final class IdleWebSocketsIT {
    private static final int BYTES_MAX = 4_096;

    /// What a server makes once, it has made by then.
    private static final int WARM = 2_000;

    private static final String HANDSHAKE =
            """
            GET /idle HTTP/1.1
            Host: idle
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """
                    .replace("\n", "\r\n");

    @TempDir Path folder;

    private final List<RawHttpClient> open = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawHttpClient one : open) {
            one.close();
        }
    }

    private ServerProcess start(String heap) throws IOException {
        Path target =
                Files.createDirectories(folder.resolve("app/WEB-INF/classes/io/margay/app/it"));
        String file = "IdleEndpoint.class";
        try (var in = IdleEndpoint.class.getResourceAsStream(file)) {
            Files.write(target.resolve(file), in.readAllBytes());
        }
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/: {app: app}}}]
                work: work
                """);
        return ServerProcess.margay(folder, Map.of("MARGAY_JAVA_OPTS", heap), "run", "margay.yaml");
    }

    /// The status of the answer to a handshake; one that is agreed to stays open.
    private int handshake(InetSocketAddress at) throws IOException {
        RawHttpClient client = RawHttpClient.connect(at);
        client.send(HANDSHAKE);
        int status = Integer.parseInt(client.line().split(" ")[1]);
        while (status == 101 && !client.line().isEmpty()) {
            // The fields of the answer.
        }
        if (status == 101) {
            open.add(client);
        } else {
            client.close();
        }
        return status;
    }

    private static long liveBytes(ServerProcess server) throws IOException, InterruptedException {
        Process histogram =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                String.valueOf(server.pid()),
                                "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String text = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(histogram.waitFor(1, TimeUnit.MINUTES));
        String total = text.lines().filter(line -> line.startsWith("Total")).findAny().orElse(text);
        return Long.parseLong(total.strip().split(" +")[2]);
    }

    @Test
    void tenThousandSessions_takeFourKilobytesEach_of256Megabytes() throws Exception {
        try (ServerProcess server = start("-Xmx256m")) {
            InetSocketAddress at =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), server.awaitMargay());
            for (int i = 0; i < WARM; i++) {
                assertEquals(101, handshake(at));
            }
            long before = liveBytes(server);
            int count = 10_000;
            for (int i = WARM; i < count; i++) {
                assertEquals(101, handshake(at));
            }
            long each = (liveBytes(server) - before) / (count - WARM);
            assertTrue(each <= BYTES_MAX, () -> each + " bytes of the heap for each session");
        }
    }

    @Test
    void sessionsBeyondAQuarterOf128Megabytes_areRefused_andTheServerGoesOn() throws Exception {
        try (ServerProcess server = start("-Xmx128m")) {
            InetSocketAddress at =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), server.awaitMargay());
            int status = 101;
            while (status == 101 && open.size() < 10_000) {
                status = handshake(at);
            }
            assertEquals(503, status, () -> open.size() + " are open");
            assertTrue(open.size() > 5_000, () -> open.size() + " are open");
            for (int i = 0; i < 1_000; i++) {
                assertEquals(503, handshake(at));
            }
            open.removeLast().close();
            RawHttpClient last = open.getLast();
            last.send(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'o', 'k'});
            byte[] answer = new byte[4];
            for (int i = 0; i < answer.length; i++) {
                answer[i] = (byte) last.read();
            }
            assertArrayEquals(new byte[] {(byte) 0x81, 2, 'o', 'k'}, answer);
        }
    }
}
