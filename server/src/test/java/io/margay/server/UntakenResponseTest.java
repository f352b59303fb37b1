package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a loop has offered and the client does not take is counted.
class UntakenResponseTest {
    private static final int OFFERED = 16_000_000;
    private static final Handler OFFERING =
            exchange -> exchange.offer(new byte[OFFERED], 0, OFFERED);

    private interface Attempt {
        void run(RawHttpClient client) throws Exception;
    }

    private static void serve(String transport, MemoryBudget memory, Attempt attempt)
            throws Exception {
        ListenerConfig any =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Transport loops = Transports.open(transport, TransportConfig.defaults());
                WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
                HttpServer server =
                        new HttpServer(
                                OFFERING,
                                workers,
                                HttpServerConfig.defaults().withMemory(memory),
                                null)) {
            InetSocketAddress address =
                    (InetSocketAddress) server.listen(loops, any).socket().address();
            try (RawHttpClient client = RawHttpClient.connect(address, 4_096)) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                attempt.run(client);
            }
            Eventually.holds("nothing is held any more", () -> memory.held() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void offer_thatTheClientDoesNotTake_isCounted(String transport) throws Exception {
        MemoryBudget memory = new MemoryBudget(2 * OFFERED);
        serve(
                transport,
                memory,
                client -> Eventually.holds("it is counted", () -> memory.held() > OFFERED / 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void offer_withoutMemoryForIt_endsTheConnection(String transport) throws Exception {
        MemoryBudget memory = new MemoryBudget(OFFERED / 8);
        serve(
                transport,
                memory,
                client -> {
                    Eventually.holds("there is no room", () -> memory.refused() > 0);
                    assertThrows(IOException.class, client::response);
                });
        assertTrue(memory.held() == 0);
    }
}
