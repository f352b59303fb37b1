package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Much content, and clients that leave, over every transport. The tests' own heap is bounded far
/// below what is moved.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(120)
class Http1LoadTest {
    private static final long GIB = 1L << 30;
    private static final int BLOCK = 65_536;

    private final Wire wire;
    private final AtomicLong moved = new AtomicLong();
    @TempDir Path folder;

    Http1LoadTest(Wire wire) {
        this.wire = wire;
    }

    static java.util.stream.Stream<Wire> wires() {
        return Wire.all();
    }

    private void handle(Exchange exchange) throws IOException {
        switch (exchange.request().target().rawPath()) {
            case "/upload" -> exchange.dispatch(TestHandlers.unchecked(() -> count(exchange)));
            case "/download" -> exchange.dispatch(TestHandlers.unchecked(() -> produce(exchange)));
            case "/file" -> {
                FileChannel file =
                        FileChannel.open(folder.resolve("file"), StandardOpenOption.READ);
                exchange.fields().set("Content-Length", Long.toString(file.size()));
                exchange.sendFile(file, 0, file.size());
                exchange.end();
            }
            case "/poll" -> new TestHandlers.PollingEcho(exchange).run();
            default -> TestHandlers.where(exchange);
        }
    }

    private void count(Exchange exchange) throws IOException {
        byte[] buffer = new byte[BLOCK];
        long total = 0;
        for (int n = exchange.read(buffer, 0, BLOCK); n >= 0; ) {
            total += n;
            moved.addAndGet(n);
            n = exchange.read(buffer, 0, BLOCK);
        }
        TestHandlers.end(exchange, Long.toString(total));
    }

    /// More than the heap; over TLS less, for the other cost is the cipher's.
    private long size() {
        return reduced(GIB);
    }

    /// A part of it over TLS, a multiple of blocks. The JVM of these tests lacks the compiler that
    /// knows the processor's instructions for ciphers: they take 40 milliseconds for a megabyte.
    private long reduced(long size) {
        return wire.tls() ? size / 64 / BLOCK * BLOCK : size;
    }

    private void produce(Exchange exchange) throws IOException {
        byte[] block = new byte[BLOCK];
        exchange.fields().set("Content-Length", Long.toString(size()));
        for (long left = size(); left > 0; left -= BLOCK) {
            exchange.write(block, 0, BLOCK);
            moved.addAndGet(BLOCK);
        }
        exchange.end();
    }

    @Test
    void upload_inBoundedHeap() throws IOException {
        try (TestServer server = new TestServer(wire, this::handle);
                RawHttpClient client = server.client()) {
            client.send(
                    "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: " + size() + "\r\n\r\n");
            byte[] block = new byte[BLOCK];
            for (long left = size(); left > 0; left -= BLOCK) {
                client.send(block, 0, BLOCK);
            }
            assertEquals(Long.toString(size()), client.response().text());
            assertTrue(Runtime.getRuntime().maxMemory() < GIB, "the heap is bounded");
            assertEquals("GET /next", client.get("/next").text());
        }
    }

    @Test
    void download_inBoundedHeap() throws IOException {
        try (TestServer server = new TestServer(wire, this::handle);
                RawHttpClient client = server.client()) {
            client.send("GET /download HTTP/1.1\r\nHost: x\r\n\r\n");
            readFully(client, size());
            assertEquals("GET /next", client.get("/next").text());
        }
    }

    private static void readFully(RawHttpClient client, long length) throws IOException {
        String line = client.line();
        assertTrue(line.startsWith("HTTP/1.1 200"), line);
        while (!line.isEmpty()) {
            line = client.line();
        }
        byte[] block = new byte[BLOCK];
        long left = length;
        while (left > 0) {
            int n = client.read(block, 0, (int) Math.min(BLOCK, left));
            assertTrue(n > 0, "ended " + left + " bytes early");
            left -= n;
        }
    }

    @Test
    void chunkedUpload_isCounted() throws IOException {
        try (TestServer server = new TestServer(wire, this::handle);
                RawHttpClient client = server.client()) {
            client.send("POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            byte[] block = new byte[BLOCK];
            long length = reduced(1024L * BLOCK);
            for (long left = length; left > 0; left -= BLOCK) {
                client.send("10000\r\n").send(block).send("\r\n");
            }
            client.send("0\r\n\r\n");
            assertEquals(Long.toString(length), client.response().text());
        }
    }

    @Test
    void fileDownload_onTheLoop_arrivesWhole() throws IOException {
        int length = (int) reduced(GIB / 16);
        Files.write(folder.resolve("file"), new byte[length]);
        try (TestServer server = new TestServer(wire, this::handle);
                RawHttpClient client = server.client()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
                readFully(client, length);
            }
        }
    }

    @Test
    void backPressure_uploadWaitsForTheReader() throws Exception {
        // Over TLS less, but still many times what the kernel holds.
        int blocks = wire.tls() ? 250 : 1000;
        long length = blocks * 100_000L;
        java.util.concurrent.CountDownLatch go = new java.util.concurrent.CountDownLatch(1);
        AtomicLong sent = new AtomicLong();
        try (TestServer server =
                        new TestServer(
                                wire,
                                exchange ->
                                        exchange.dispatch(
                                                TestHandlers.unchecked(() -> {
                                                    awaitQuietly(go);
                                                    count(exchange);
                                                })));
                RawHttpClient client = server.client()) {
            Thread sender =
                    Thread.ofPlatform()
                            .start(
                                    TestHandlers.unchecked(() -> {
                                        client.send(
                                                "POST /upload HTTP/1.1\r\nHost: x\r\n"
                                                        + "Content-Length: "
                                                        + length
                                                        + "\r\n\r\n");
                                        byte[] block = new byte[100_000];
                                        for (int i = 0; i < blocks; i++) {
                                            client.send(block);
                                            sent.addAndGet(block.length);
                                        }
                                    }));
            long[] last = {-1};
            Eventually.holds(
                    "the sender is held up",
                    () -> {
                        long now = sent.get();
                        boolean same = now == last[0] && now > 0;
                        last[0] = now;
                        java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
                        return same;
                    });
            assertTrue(sent.get() < length / 2, "sent " + sent.get());
            go.countDown();
            assertEquals(Long.toString(length), client.response().text());
            sender.join();
        }
    }

    private static void awaitQuietly(java.util.concurrent.CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void resetInMidResponse_endsTheExchangeInFailure() throws IOException {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        try (TestServer server =
                new TestServer(
                        wire,
                        exchange -> {
                            begun.incrementAndGet();
                            exchange.onEnd(ended::incrementAndGet);
                            handle(exchange);
                        })) {
            for (String path : new String[] {"/download", "/file"}) {
                Files.write(folder.resolve("file"), new byte[50_000_000]);
                try (RawHttpClient client = server.client()) {
                    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertTrue(client.read(new byte[1000], 0, 1000) > 0);
                    client.reset();
                }
            }
            try (RawHttpClient client = server.client()) {
                client.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
                Eventually.holds("reading", () -> begun.get() == 3);
                client.reset();
            }
            try (RawHttpClient client = server.client()) {
                client.send("POST /poll HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
                assertTrue(client.read(new byte[10], 0, 10) > 0);
                client.reset();
            }
            Eventually.holds("all have ended", () -> ended.get() == 4);
            Eventually.holds("all have failed", () -> server.stats().requestsFailed() == 4);
            Eventually.holds("nothing is open", () -> server.stats().connectionsOpen() == 0);
        }
    }

    @Test
    void slowReader_getsEverything() throws Exception {
        try (TestServer server = new TestServer(wire, this::handle);
                RawHttpClient client =
                        wire.tls()
                                ? server.client()
                                : RawHttpClient.connect(server.address(), 8192)) {
            Files.write(folder.resolve("file"), new byte[3_000_000]);
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            String line = client.line();
            while (!line.isEmpty()) {
                line = client.line();
            }
            byte[] block = new byte[100_000];
            long left = 3_000_000;
            while (left > 0) {
                int n = client.read(block, 0, (int) Math.min(block.length, left));
                assertTrue(n > 0);
                left -= n;
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
            assertEquals("GET /next", client.get("/next").text());
        }
    }
}
