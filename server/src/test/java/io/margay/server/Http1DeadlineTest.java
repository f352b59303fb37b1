package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpLimits;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Clients that stall, over every transport. The tests wait for deadlines, several at a time.
@Tag("slow")
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class Http1DeadlineTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Wire wire;
    private final AtomicLong produced = new AtomicLong();
    private TestServer server;
    private RawHttpClient client;

    Http1DeadlineTest(Wire wire) {
        this.wire = wire;
    }

    static java.util.stream.Stream<Wire> wires() {
        return Wire.all();
    }

    private void start(Duration head, Duration idle, Duration body, Duration write)
            throws IOException {
        HttpLimits limits = HttpLimits.defaults().withTimeouts(head, idle, body, write);
        start(limits);
    }

    private void start(HttpLimits limits) throws IOException {
        server =
                new TestServer(
                        wire,
                        exchange -> {
                            if (exchange.request().target().rawPath().equals("/endless")) {
                                exchange.dispatch(
                                        TestHandlers.unchecked(() -> {
                                            byte[] block = new byte[65_536];
                                            while (true) {
                                                exchange.write(block, 0, block.length);
                                                produced.addAndGet(block.length);
                                            }
                                        }));
                            } else {
                                TestHandlers.handle(exchange);
                            }
                        },
                        limits);
        client = server.client();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
    }

    @Test
    void CVE_2007_6750_slowHead_isAnswered408() throws IOException {
        start(SHORT, LONG, LONG, LONG);
        client.send("GET / HTTP/1.1\r\nHost: x\r\nX-a: b");
        Response response = client.response();
        assertEquals(408, response.status());
        assertTrue(response.closes());
    }

    @Test
    void CVE_2012_5568_dripOfFields_doesNotProlongTheDeadline() throws Exception {
        start(SHORT, LONG, LONG, LONG);
        client.send("GET / HTTP/1.1\r\nHost: x\r\n");
        Thread drip =
                Thread.startVirtualThread(() -> {
                    try {
                        for (int i = 0; i < 1000; i++) {
                            client.send("X: 1\r\n");
                            java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
                        }
                    } catch (IOException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertEquals(408, client.response().status());
        client.close();
        drip.join();
    }

    @Test
    void newConnection_silent_isClosedSilently() throws IOException {
        start(SHORT, LONG, LONG, LONG);
        assertEquals(-1, client.read());
    }

    @Test
    void keptConnection_silent_isClosedSilently() throws IOException {
        start(LONG, SHORT, LONG, LONG);
        assertEquals(200, client.get("/").status());
        assertEquals(200, client.get("/dispatched").status());
        assertEquals(-1, client.read());
    }

    @Test
    void secondHead_slow_isAnswered408() throws IOException {
        start(SHORT, LONG, LONG, LONG);
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /");
        assertEquals(200, client.response().status());
        assertEquals(408, client.response().status());
    }

    @Test
    void slowContent_isAnswered408() throws IOException {
        start(LONG, LONG, SHORT, LONG);
        client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe");
        expectTimeout();
    }

    private void expectTimeout() throws IOException {
        Response response = client.response();
        assertEquals(408, response.status());
        assertTrue(response.closes());
    }

    @Test
    void slowContent_ofPollingHandler_isNoticed() throws IOException {
        start(LONG, LONG, SHORT, LONG);
        client.send("POST /poll HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n");
        expectTimeout();
    }

    @Test
    void contentBelowTheRate_isAnswered408() throws Exception {
        start(HttpLimits.defaults().withRates(Duration.ofMillis(500), 1_000_000, 0));
        client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n");
        AtomicInteger sent = new AtomicInteger();
        Thread drip =
                Thread.startVirtualThread(() -> {
                    try {
                        while (sent.incrementAndGet() < 400) {
                            client.send("x");
                            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                        }
                    } catch (IOException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertEquals(408, client.response().status());
        assertTrue(sent.get() < 400, "while content comes still");
        client.close();
        drip.join();
    }

    @Test
    void slowReader_holdsUpItsOwnWriterOnly_andIsDropped() throws IOException {
        start(LONG, LONG, LONG, Duration.ofSeconds(1));
        client.send("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");
        try (RawHttpClient other = server.client()) {
            assertEquals(200, other.get("/").status());
        }
        Eventually.holds("dropped", () -> server.stats().requestsFailed() == 1);
        // What the two socket buffers took, not what the handler wanted to write.
        assertTrue(produced.get() < 64_000_000, "produced " + produced.get());
    }

    @Test
    void unreadContent_thatDoesNotCome_closes() throws IOException {
        start(HttpLimits.defaults());
        client.send("POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n");
        assertEquals("early", client.response().text());
        assertEquals(-1, client.read());
    }
}
