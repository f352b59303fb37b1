package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Clients whose content does not come take no more than half of the workers.
@ParameterizedClass
@MethodSource("wires")
@Timeout(60)
class SlowUploadsTest {
    private static final int THREADS = 4;
    private static final int UPLOADS = 20;

    private final Wire wire;
    private final List<RawHttpClient> clients = new ArrayList<>();
    private TestServer server;

    SlowUploadsTest(Wire wire) {
        this.wire = wire;
    }

    static List<Wire> wires() {
        return List.of(
                new Wire("nio", false), new Wire("native", true), new Wire("native", false, true));
    }

    @BeforeEach
    void open() throws IOException {
        server =
                new TestServer(
                        wire,
                        TestHandlers.dispatched(SlowUploadsTest::answer),
                        HttpLimits.defaults(),
                        new WorkerPool(
                                new WorkerLimits(THREADS, THREADS, 100, Duration.ofSeconds(5))));
    }

    @AfterEach
    void close() throws IOException {
        for (RawHttpClient client : clients) {
            client.close();
        }
        server.close();
    }

    private static void answer(Exchange exchange) throws IOException {
        TestHandlers.end(exchange, TestHandlers.readAll(exchange));
    }

    private RawHttpClient client() throws IOException {
        RawHttpClient client = server.client();
        clients.add(client);
        return client;
    }

    @Test
    void uploadsThatStall_takeNotAllWorkers() throws IOException {
        List<RawHttpClient> uploads = new ArrayList<>();
        for (int i = 0; i < UPLOADS; i++) {
            String content =
                    i % 2 == 0
                            ? "Content-Length: 4\r\n\r\nla"
                            : "Transfer-Encoding: chunked\r\n\r\n2\r\nla\r\n";
            uploads.add(client().send("POST /up HTTP/1.1\r\nHost: x\r\n" + content));
        }
        for (int i = 0; i < 2 * THREADS; i++) {
            assertEquals(200, client().get("/").status());
        }
        for (int i = 0; i < UPLOADS; i++) {
            String rest = i % 2 == 0 ? "te" : "2\r\nte\r\n0\r\n\r\n";
            assertEquals("late", uploads.get(i).send(rest).response().text());
        }
    }

    @Test
    void uploadThatHasCome_isReadByAWorker() throws IOException {
        assertEquals(
                "late",
                client().send("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n" + "late")
                        .response()
                        .text());
        assertTrue(server.dispatcher.active() <= 1);
    }
}
