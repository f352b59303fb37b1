package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What clients are told when others make the server hold all that it may, on every transport.
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class MemoryFullTest {
    private static final String LONG = "x".repeat(9_000);

    private final Wire wire;
    private final MemoryBudget memory = new MemoryBudget(1_000_000);
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch waiting = new CountDownLatch(1);
    private TestServer server;

    MemoryFullTest(Wire wire) {
        this.wire = wire;
    }

    static Stream<Wire> wires() {
        return Stream.of(
                new Wire("nio", false),
                new Wire("native", false),
                new Wire("blocking", false),
                new Wire("native", true));
    }

    @BeforeEach
    void start() throws IOException {
        server =
                new TestServer(
                        wire,
                        TestHandlers.dispatched(exchange -> {
                            if (exchange.request().target().rawPath().equals("/waits")) {
                                waiting.countDown();
                                try {
                                    held.await();
                                } catch (InterruptedException e) {
                                    throw new IOException(e);
                                }
                            }
                            TestHandlers.where(exchange);
                        }),
                        memory);
        assertTrue(memory.take(memory.bytesMax()));
    }

    @AfterEach
    void close() {
        held.countDown();
        server.close();
    }

    @Test
    void longHead_thatHasNotComeWhole_isAnswered503AndClosed() throws IOException {
        try (RawHttpClient client = server.client()) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nX-a: " + LONG);
            Response response = client.response();
            assertEquals(503, response.status());
            assertTrue(response.closes());
            assertEquals(-1, client.read());
        }
        try (RawHttpClient client = server.client()) {
            assertEquals("GET /short", client.get("/short").text());
        }
        memory.give(memory.bytesMax());
        try (RawHttpClient client = server.client()) {
            client.send("GET /long HTTP/1.1\r\nHost: x\r\nX-a: " + LONG);
            client.send("\r\n\r\n");
            assertEquals("GET /long", client.response().text());
        }
        assertEquals(0, memory.held());
    }

    @Test
    void secondRequest_ofAnHttp2Connection_isAnswered503() throws Exception {
        try (Http2Wire client = server.http2()) {
            client.get(1, "/waits");
            waiting.await();
            client.get(3, "/second");
            assertEquals(503, client.message(3).status());
            held.countDown();
            assertEquals("GET /waits", client.message(1).text());
        }
        try (Http2Wire client = server.http2()) {
            client.get(1, "/alone");
            assertEquals("GET /alone", client.message(1).text());
        }
    }

    @Test
    void longHead_ofHttp2_endsTheConnectionWithGoAway() throws IOException {
        try (Http2Wire client = server.http2()) {
            client.settle(); // no frame may come between those of a head
            client.send(
                    Http2.HEADERS,
                    Http2.FLAG_END_STREAM,
                    1,
                    Http2Wire.block(Http2Wire.request("GET", "/", "x-a: " + LONG)));
            assertEquals(Http2.ENHANCE_YOUR_CALM, client.awaitEnd());
        }
        assertEquals(memory.bytesMax(), memory.held());
    }
}
