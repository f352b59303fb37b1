package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Responses that a worker ends with a file, over every transport: the only worker there is has
/// time for others while the loop sends.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class EndFileTest {
    /// More than a kernel takes for a client that does not read, at most 4 MiB where it sends and
    /// little where nobody reads; over TLS no more than twice that, for the cipher takes its time.
    private static final byte[] CONTENT = new byte[12_000_000];

    static {
        new Random(7).nextBytes(CONTENT);
    }

    private static final long LARGE = 20L * CONTENT.length;

    private static final Duration LONG = Duration.ofSeconds(30);

    private final Wire wire;
    private final byte[] content;
    private final List<FileChannel> opened = new CopyOnWriteArrayList<>();
    private TestServer server;
    @TempDir Path folder;

    EndFileTest(Wire wire) {
        this.wire = wire;
        content = wire.tls() ? Arrays.copyOf(CONTENT, 8_000_000) : CONTENT;
    }

    static Stream<Wire> wires() {
        return Wire.withInlines();
    }

    @BeforeEach
    void start() throws IOException {
        Files.write(folder.resolve("file"), content);
        start(HttpLimits.defaults());
    }

    private void start(HttpLimits limits) throws IOException {
        stop();
        WorkerLimits one = new WorkerLimits(1, 1, 100, LONG);
        server = new TestServer(wire, this::handle, limits, new WorkerPool(one));
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private void handle(Exchange exchange) {
        exchange.dispatch(
                TestHandlers.unchecked(() -> {
                    switch (exchange.request().target().rawPath()) {
                        case "/file" -> endFile(exchange, 0, content.length, content.length);
                        case "/large" -> endFile(exchange, 0, LARGE, LARGE);
                        case "/part" -> endFile(exchange, 1000, 2_000_000, 2_000_000);
                        case "/chunked" -> endFile(exchange, 1000, 2_000_000, -1);
                        case "/short" -> endFile(exchange, 0, 1_000_000, 2_000_000);
                        case "/truncated" -> {
                            long more = content.length + 1L;
                            endFile(exchange, 0, more, more);
                        }
                        default -> TestHandlers.where(exchange);
                    }
                }));
    }

    private void endFile(Exchange exchange, long from, long count, long told) throws IOException {
        FileChannel file = FileChannel.open(folder.resolve("file"), StandardOpenOption.READ);
        opened.add(file);
        if (told >= 0) {
            exchange.fields().set("Content-Length", Long.toString(told));
        }
        exchange.endFile(file, from, count);
    }

    private void allClosed() {
        Eventually.holds(
                "every file is closed", () -> opened.stream().noneMatch(FileChannel::isOpen));
    }

    @Test
    void clientsThatWait_keepNoWorker() throws IOException {
        try (RawHttpClient first = server.client();
                RawHttpClient second = server.client();
                RawHttpClient other = server.client()) {
            first.send(
                    "GET /file HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
            second.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            if (!wire.transport().equals("blocking")) {
                Eventually.holds("both are on their way", () -> opened.size() == 2);
                assertEquals("GET /other", other.get("/other").text());
                assertTrue(opened.stream().allMatch(FileChannel::isOpen));
            }
            assertArrayEquals(content, second.response().body());
            assertArrayEquals(content, first.response().body());
            assertEquals("GET /next", first.response().text());
            assertEquals("GET /next", second.get("/next").text());
            allClosed();
        }
    }

    @Test
    void part_arrives_inEachFraming() throws IOException {
        byte[] part = Arrays.copyOfRange(content, 1000, 2_001_000);
        try (RawHttpClient client = server.client()) {
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(part, client.get("/part").body());
                assertArrayEquals(part, client.get("/chunked").body());
            }
            client.send("HEAD /part HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("2000000", client.response(true).field("Content-Length"));
            client.send("GET /part HTTP/1.0\r\n\r\n");
            assertArrayEquals(part, client.response().body());
            allClosed();
        }
    }

    @Test
    void lessThanWasPromised_isAFailure() throws IOException {
        for (String path : List.of("/short", "/truncated")) {
            try (RawHttpClient client = server.client()) {
                client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThrows(IOException.class, client::response);
            }
        }
        Eventually.holds("both have failed", () -> server.ends.size() == 2);
        assertEquals(List.of("200 failed", "200 failed"), server.ends);
        allClosed();
    }

    private void enlarge() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("file").toFile(), "rw")) {
            file.setLength(LARGE);
        }
    }

    @Test
    void clientThatLeaves_endsIt() throws IOException {
        enlarge();
        try (RawHttpClient client = server.client()) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            assertTrue(client.line().startsWith("HTTP/1.1 200"));
            client.reset();
        }
        allClosed();
        Eventually.holds("it has ended", () -> server.ends.contains("200 failed"));
        try (RawHttpClient client = server.client()) {
            assertEquals("GET /next", client.get("/next").text());
        }
    }

    @Test
    void clientThatStalls_isResetInTime() throws IOException {
        enlarge();
        start(HttpLimits.defaults().withTimeouts(LONG, LONG, LONG, Duration.ofMillis(300)));
        try (RawHttpClient client = server.client()) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            Eventually.holds("it has failed", () -> server.ends.contains("200 failed"));
            assertFalse(server.ends.contains("200"));
            allClosed();
        }
    }
}
