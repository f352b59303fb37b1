package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.CompressionLimits;
import io.margay.server.compression.Compressor;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
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

/// Responses that are compressed on their way, over every transport, decoded by the JDK.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class CompressedResponseTest {
    private static final String GZIP = "Accept-Encoding: gzip";
    private static final long MEMORY = 100_000_000;

    private final Wire wire;
    private final byte[] text = text(1_200_000);
    private final byte[] kept = text(50_000);
    private final CountDownLatch full = new CountDownLatch(1);
    private final CountDownLatch seen = new CountDownLatch(1);
    private MemoryBudget memory = new MemoryBudget(MEMORY);
    private TestServer server;
    @TempDir Path folder;

    CompressedResponseTest(Wire wire) {
        this.wire = wire;
    }

    static Stream<Wire> wires() {
        return Wire.withInlines();
    }

    private static byte[] text(int length) {
        Random random = new Random(11);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ("etaoin shrdlu\n".charAt(random.nextInt(14)));
        }
        return bytes;
    }

    @BeforeEach
    void start() throws IOException {
        Files.write(folder.resolve("file"), text);
        Compressor compressor = new Compressor(memory, CompressionLimits.defaults());
        Compression all = Compression.of(CompressionConfig.defaults());
        server =
                new TestServer(
                        wire,
                        exchange -> handle(compressor.compress((DialingExchange) exchange, all)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void handle(Exchange exchange) throws IOException {
        exchange.fields().add("Content-Type", "text/html;charset=utf-8");
        String path = exchange.request().target().rawPath();
        switch (path) {
            case "/whole" -> {
                exchange.fields().add("ETag", "\"a\"").add("Accept-Ranges", "bytes");
                exchange.fields().add("Content-Length", "5000");
                exchange.end(text, 0, 5000);
            }
            case "/constant" -> exchange.endConstant(text, 0, 200_000);
            case "/kept" -> exchange.endConstant(kept, 0, kept.length);
            case "/offered" -> new Offering(exchange, text.length).run();
            case "/endless" -> new Offering(exchange, Integer.MAX_VALUE).run();
            case "/file" -> {
                exchange.fields().add("Content-Length", String.valueOf(text.length));
                if (wire.transport().equals("blocking")) {
                    exchange.dispatch(TestHandlers.unchecked(() -> sendFile(exchange)));
                } else {
                    sendFile(exchange);
                }
            }
            default -> exchange.dispatch(TestHandlers.unchecked(() -> work(exchange, path)));
        }
    }

    private void sendFile(Exchange exchange) throws IOException {
        exchange.sendFile(open(), 0, text.length);
        exchange.end();
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(folder.resolve("file"), StandardOpenOption.READ);
    }

    private void work(Exchange exchange, String path) throws IOException {
        switch (path) {
            case "/written" -> {
                for (int i = 0; i < text.length; i += 100_000) {
                    exchange.write(text, i, 100_000);
                }
                exchange.end();
            }
            case "/end-file" -> {
                exchange.fields().add("Content-Length", String.valueOf(text.length));
                exchange.endFile(open(), 0, text.length);
            }
            case "/events" -> {
                exchange.fields().set("Content-Type", "text/event-stream");
                exchange.flush();
                exchange.write(text, 0, 20);
                exchange.push();
                try {
                    seen.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                exchange.end(text, 20, 20);
            }
            case "/short" -> {
                exchange.fields().add("Content-Length", "5000");
                exchange.write(text, 0, 4000);
                exchange.end();
            }
            default -> throw new IOException("no such path");
        }
    }

    /// Writes on the loop, as a gateway does.
    private final class Offering implements Runnable {
        private final Exchange exchange;
        private final int length;
        private int at;

        Offering(Exchange exchange, int length) {
            this.exchange = exchange;
            this.length = length;
        }

        @Override
        public void run() {
            try {
                while (at < length) {
                    if (!exchange.writable()) {
                        full.countDown();
                        exchange.onWritable(this);
                        return;
                    }
                    exchange.offer(text, at % 600_000, 50_000);
                    exchange.push();
                    at += 50_000;
                }
                exchange.end();
            } catch (IOException e) {
                exchange.abort();
            }
        }
    }

    private static byte[] decoded(byte[] body) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        }
    }

    private static Response get(RawHttpClient client, String path, String... fields)
            throws IOException {
        String lines = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        return client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n").response();
    }

    @Test
    void whole_hasItsNewLength_andAWeakTag() throws IOException {
        try (RawHttpClient client = server.client()) {
            Response response = get(client, "/whole", GZIP);
            assertArrayEquals(text(5000), decoded(response.body()));
            assertEquals("gzip", response.field("Content-Encoding"));
            assertEquals("Accept-Encoding", response.field("Vary"));
            assertEquals("W/\"a\"", response.field("ETag"));
            assertEquals(String.valueOf(response.body().length), response.field("Content-Length"));
            assertNull(response.field("Accept-Ranges"));
            assertTrue(response.body().length < 3000);
            Response plain = get(client, "/whole");
            assertArrayEquals(text(5000), plain.body());
            assertEquals("\"a\"", plain.field("ETag"));
            assertEquals("Accept-Encoding", plain.field("Vary"));
            assertNull(plain.field("Content-Encoding"));
        }
    }

    @Test
    void head_hasTheFieldsOfGet() throws IOException {
        try (RawHttpClient client = server.client()) {
            client.send("HEAD /whole HTTP/1.1\r\nHost: x\r\n" + GZIP + "\r\n\r\n");
            Response response = client.response(true);
            assertEquals("gzip", response.field("Content-Encoding"));
            assertEquals("Accept-Encoding", response.field("Vary"));
            assertEquals("W/\"a\"", response.field("ETag"));
            assertNull(response.field("Content-Length"));
            assertArrayEquals(text(5000), get(client, "/whole").body());
        }
    }

    @Test
    void content_isTheSame_howeverItIsWritten() throws IOException {
        try (RawHttpClient client = server.client()) {
            for (String path : new String[] {"/written", "/file", "/end-file"}) {
                Response response = get(client, path, GZIP);
                assertEquals("gzip", response.field("Content-Encoding"), path);
                assertArrayEquals(text, decoded(response.body()), path);
                assertArrayEquals(text, get(client, path).body(), path);
            }
            byte[] constant = decoded(get(client, "/constant", GZIP).body());
            assertArrayEquals(text(200_000), constant);
            byte[] offered = decoded(get(client, "/offered", GZIP).body());
            assertArrayEquals(get(client, "/offered").body(), offered);
        }
        Eventually.holds("all encoders are given back", () -> memory.held() == 0);
    }

    @Test
    void constantContent_isEncodedOnce() throws IOException {
        try (RawHttpClient client = server.client()) {
            byte[] first = get(client, "/kept", GZIP).body();
            assertArrayEquals(kept, decoded(first));
            Eventually.holds("the encoder is given back", () -> memory.held() == 0);
            assertTrue(memory.take(MEMORY), "no room is left for an encoder");
            assertNull(get(client, "/whole", GZIP).field("Content-Encoding"));
            Response again = get(client, "/kept", GZIP);
            assertEquals("gzip", again.field("Content-Encoding"));
            assertEquals("Accept-Encoding", again.field("Vary"));
            assertEquals(String.valueOf(first.length), again.field("Content-Length"));
            assertArrayEquals(first, again.body());
            assertArrayEquals(kept, get(client, "/kept").body());
            memory.give(MEMORY);
        }
    }

    @Test
    void overHttp2_contentIsTheSame() throws Exception {
        if (!wire.tls()) {
            return; // The client asks for HTTP/2 by ALPN alone.
        }
        try (HttpClient client = server.jdkClient().version(HttpClient.Version.HTTP_2).build()) {
            for (String path : new String[] {"/written", "/file", "/end-file", "/offered"}) {
                String url = "https://localhost:" + server.address().getPort() + path;
                HttpRequest request =
                        HttpRequest.newBuilder(URI.create(url))
                                .header("Accept-Encoding", "gzip")
                                .build();
                HttpResponse<byte[]> response =
                        client.send(request, HttpResponse.BodyHandlers.ofByteArray());
                assertEquals(HttpClient.Version.HTTP_2, response.version());
                assertEquals("gzip", response.headers().firstValue("Content-Encoding").orElse(""));
                assertEquals(text.length, decoded(response.body()).length, path);
            }
        }
        Eventually.holds("all encoders are given back", () -> memory.held() == 0);
    }

    @Test
    void pushedContent_isDecodableAtOnce() throws IOException {
        try (RawHttpClient client = server.client()) {
            client.send("GET /events HTTP/1.1\r\nHost: x\r\n" + GZIP + "\r\n\r\n");
            String line = client.line();
            while (!line.isEmpty()) {
                line = client.line();
            }
            GZIPInputStream in = new GZIPInputStream(new Chunks(client));
            assertEquals(text20(0), new String(in.readNBytes(20), StandardCharsets.US_ASCII));
            seen.countDown();
            assertEquals(text20(20), new String(in.readNBytes(20), StandardCharsets.US_ASCII));
            assertEquals(-1, in.read());
        }
    }

    private String text20(int from) {
        return new String(text, from, 20, StandardCharsets.US_ASCII);
    }

    /// The content of a chunked message, as it comes.
    private static final class Chunks extends java.io.InputStream {
        private final RawHttpClient client;
        private int left;

        Chunks(RawHttpClient client) {
            this.client = client;
        }

        @Override
        public int read() throws IOException {
            if (left == 0) {
                left = Integer.parseInt(client.line(), 16);
                if (left == 0) {
                    return -1;
                }
            }
            int octet = client.read();
            if (--left == 0) {
                client.line();
            }
            return octet;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int octet = read();
            if (octet < 0) {
                return -1;
            }
            target[offset] = (byte) octet;
            return 1;
        }
    }

    @Test
    void clientThatDoesNotRead_holdsUpWhoWrites() throws Exception {
        if (wire.transport().equals("blocking")) {
            return; // Who offers there waits.
        }
        try (RawHttpClient client = server.client()) {
            client.send("GET /endless HTTP/1.1\r\nHost: x\r\n" + GZIP + "\r\n\r\n");
            full.await();
            assertTrue(memory.held() > 0);
            client.reset();
        }
        Eventually.holds("its encoder is given back", () -> memory.held() == 0);
    }

    @Test
    void lessThanPromised_isAFailure() throws IOException {
        try (RawHttpClient client = server.client()) {
            assertThrows(IOException.class, () -> get(client, "/short", GZIP));
        }
        Eventually.holds("its encoder is given back", () -> memory.held() == 0);
    }

    @Test
    void withoutMemory_contentGoesAsItIs() throws IOException {
        stop();
        memory = new MemoryBudget(1000);
        start();
        try (RawHttpClient client = server.client()) {
            Response response = get(client, "/whole", GZIP);
            assertArrayEquals(text(5000), response.body());
            assertEquals("Accept-Encoding", response.field("Vary"));
            assertEquals("5000", response.field("Content-Length"));
        }
    }
}
