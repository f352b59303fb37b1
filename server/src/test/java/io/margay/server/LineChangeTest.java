package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.CompressionLimits;
import io.margay.server.compression.Compressor;
import io.margay.server.compression.LineChange;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.UndecidedException;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Responses whose lines are changed on their way, over every transport.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class LineChangeTest {
    private static final int LINE_MAX = 20_000;
    private static final String LINES = "a line of text\n".repeat(10_000) + "the end";

    private final Wire wire;
    private final MemoryBudget memory = new MemoryBudget(1_000_000);
    private TestServer server;
    @TempDir Path folder;

    LineChangeTest(Wire wire) {
        this.wire = wire;
    }

    static Stream<Wire> wires() {
        return Wire.withInlines();
    }

    /// Makes `line` LINE, and `!` so much that it is too long.
    private static final class Shouting implements LineChange {
        @Override
        public int lineBytesMax() {
            return LINE_MAX;
        }

        @Override
        public byte[] change(byte[] bytes, int offset, int length) {
            String line = new String(bytes, offset, length, StandardCharsets.US_ASCII);
            if (line.contains("?")) {
                throw new UndecidedException("a question");
            }
            return line.contains("line") || line.contains("!")
                    ? line.replace("line", "LINE")
                            .replace("!", "!".repeat(10_000))
                            .getBytes(StandardCharsets.US_ASCII)
                    : null;
        }
    }

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("file"), LINES);
        Compressor compressor =
                new Compressor(MemoryBudget.UNBOUNDED, CompressionLimits.defaults());
        Compression all = Compression.of(CompressionConfig.defaults());
        server =
                new TestServer(
                        wire,
                        exchange -> {
                            Exchange coded = compressor.compress((DialingExchange) exchange, all);
                            handle(
                                    LineChange.around(
                                            (DialingExchange) coded,
                                            answered ->
                                                    answered.notes().isOwn()
                                                            ? null
                                                            : new Shouting(),
                                            memory));
                        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void handle(Exchange exchange) throws IOException {
        exchange.fields().add("Content-Type", "text/plain").add("ETag", "\"a\"");
        switch (exchange.request().target().rawPath()) {
            case "/whole" -> {
                exchange.fields().add("Content-Length", String.valueOf(LINES.length()));
                end(exchange, LINES);
            }
            case "/offered" -> new Offering(exchange, LINES).run();
            case "/coded" -> {
                exchange.fields().add("Content-Encoding", "gzip");
                end(exchange, "a line?");
            }
            case "/question" -> new Offering(exchange, "a line\nwhat?\n").run();
            case "/late" -> new Offering(exchange, LINES + "\nwhat?\n").run();
            case "/endless" -> new Offering(exchange, "x".repeat(LINE_MAX + 1)).run();
            case "/long" -> new Offering(exchange, "x".repeat(LINE_MAX)).run();
            case "/grown" -> new Offering(exchange, "!\n".repeat(2000)).run();
            case "/file" -> exchange.dispatch(TestHandlers.unchecked(() -> sendFile(exchange)));
            case "/file-on-loop" -> {
                if (wire.transport().equals("blocking")) {
                    exchange.dispatch(TestHandlers.unchecked(() -> sendFile(exchange)));
                } else {
                    sendFile(exchange);
                }
            }
            default -> end(exchange, "");
        }
    }

    private void sendFile(Exchange exchange) throws IOException {
        FileChannel file = FileChannel.open(folder.resolve("file"), StandardOpenOption.READ);
        exchange.fields().add("Content-Length", String.valueOf(LINES.length()));
        exchange.sendFile(file, 0, LINES.length());
        exchange.end();
    }

    private static void end(Exchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        exchange.end(bytes, 0, bytes.length);
    }

    /// Writes on the loop, as a gateway does, in pieces that end within lines.
    private static final class Offering implements Runnable {
        private final Exchange exchange;
        private final byte[] bytes;
        private int at;

        Offering(Exchange exchange, String text) {
            this.exchange = exchange;
            bytes = text.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void run() {
            try {
                while (at < bytes.length) {
                    if (!exchange.writable()) {
                        exchange.onWritable(this);
                        return;
                    }
                    int count = Math.min(4001, bytes.length - at);
                    exchange.offer(bytes, at, count);
                    at += count;
                }
                exchange.end();
            } catch (IOException e) {
                exchange.abort();
            }
        }
    }

    private Response get(String path, String fields) throws IOException {
        try (RawHttpClient client = server.client()) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n")
                    .response();
        }
    }

    @Test
    void lines_areChanged_howeverTheyAreWritten() throws IOException {
        String changed = LINES.replace("line", "LINE");
        for (String path : new String[] {"/whole", "/offered", "/file", "/file-on-loop"}) {
            Response response = get(path, "");
            assertEquals(200, response.status(), path);
            assertEquals(changed, response.text(), path);
            assertEquals("\"a\"", response.field("ETag"));
        }
        Eventually.holds("no memory is held", () -> memory.held() == 0);
    }

    @Test
    void lines_areChangedBeforeTheyAreCompressed() throws IOException {
        Response response = get("/offered", "Accept-Encoding: gzip\r\n");
        assertEquals("gzip", response.field("Content-Encoding"));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertEquals(
                    LINES.replace("line", "LINE"),
                    new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void contentInACoding_andNone_remain() throws IOException {
        assertEquals("a line?", get("/coded", "").text());
        Response empty = get("/", "");
        assertEquals("", empty.text());
        assertEquals("0", empty.field("Content-Length"));
    }

    @Test
    void head_saysNoLength() throws IOException {
        try (RawHttpClient client = server.client()) {
            client.send("HEAD /whole HTTP/1.1\r\nHost: x\r\n\r\n");
            Response response = client.response(true);
            assertEquals(200, response.status());
            assertNull(response.field("Content-Length"));
        }
    }

    @Test
    void whatCannotBeChanged_isAnError_orHasNoEnd() throws IOException {
        for (String path : new String[] {"/question", "/endless", "/grown"}) {
            Response response = get(path, "");
            assertEquals(500, response.status(), path);
            assertFalse(response.text().contains("LINE"), path);
            assertNull(response.field("ETag"), path);
        }
        assertThrows(IOException.class, () -> get("/late", ""));
        Eventually.holds("no memory is held", () -> memory.held() == 0);
    }

    @Test
    void lineForWhichThereIsNoMemory_isAnError() throws IOException {
        assertEquals(200, get("/long", "").status());
        Eventually.holds("no memory is held", () -> memory.held() == 0);
        assertTrue(memory.take(1_000_000));
        assertEquals(500, get("/long", "").status());
        memory.give(1_000_000);
    }
}
