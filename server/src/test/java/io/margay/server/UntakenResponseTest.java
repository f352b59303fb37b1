package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.Eventually;
import io.margay.transport.ListenerConfig;
import io.margay.transport.memory.MemoryPeer;
import io.margay.transport.memory.MemoryTransport;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What a loop has offered and the client does not take is counted.
///
/// On connections that are byte queues: how much the kernel takes for a client that does not read
/// differs from machine to machine.
class UntakenResponseTest {
    private static final int OFFERED = 4_000_000;
    private static final Handler OFFERING =
            exchange -> exchange.offer(new byte[OFFERED], 0, OFFERED);

    private interface Attempt {
        void run(MemoryPeer client) throws Exception;
    }

    private static void serve(MemoryBudget memory, Attempt attempt) throws Exception {
        ListenerConfig any = ListenerConfig.of(InetSocketAddress.createUnresolved("memory", 1));
        try (MemoryTransport transport = MemoryTransport.threaded();
                WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
                HttpServer server =
                        new HttpServer(
                                OFFERING,
                                workers,
                                HttpServerConfig.defaults().withMemory(memory),
                                null)) {
            MemoryPeer client = transport.connect(server.listen(transport, any).socket());
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            attempt.run(client);
            client.reset();
            Eventually.holds("nothing is held any more", () -> memory.held() == 0);
        }
    }

    @Test
    void offer_thatTheClientDoesNotTake_isCounted() throws Exception {
        MemoryBudget memory = new MemoryBudget(2 * OFFERED);
        serve(
                memory,
                client ->
                        Eventually.holds(
                                "it is counted", () -> memory.held() > OFFERED - 1_000_000));
    }

    @Test
    void offerOfMoreThanIsTakenAtOnce_arrivesWhole() throws Exception {
        MemoryBudget memory = new MemoryBudget(2 * OFFERED);
        serve(
                memory,
                client -> {
                    Eventually.holds("it is kept", () -> memory.held() > OFFERED / 2);
                    byte[] all = client.receive(OFFERED, Duration.ofSeconds(30));
                    assertTrue(all.length >= OFFERED, () -> all.length + " bytes");
                    assertFalse(client.wasReset());
                });
    }

    @Test
    void offer_withoutMemoryForIt_endsTheConnection() throws Exception {
        MemoryBudget memory = new MemoryBudget(OFFERED / 8);
        serve(
                memory,
                client -> {
                    Eventually.holds("there is no room", () -> memory.refused() > 0);
                    Eventually.holds("it is reset", client::wasReset);
                });
        assertEquals(0, memory.held());
    }
}
