package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.memory.MemoryPeer;
import io.margay.transport.memory.MemoryTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client that takes a large file as fast as it is sent, beside one that asks now and then on the
/// same loop: between two turns of the latter the former is sent a bounded amount.
class Http1FairnessTest {
    private static final int FILE_BYTES = 8 << 20;

    /// What is sent of a file in one turn, its last part, and the response's head.
    private static final int SENT_MAX = 262_144 + 16_384 + 1_024;

    private static final int ASKED = 10;
    private static final String GET = "GET %s HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir Path folder;
    private final AtomicLong clock = new AtomicLong();
    private final MemoryTransport transport = MemoryTransport.pumped(clock::get);
    private final HttpServer server = new HttpServer(this::handle, new VirtualDispatcher(1));
    private final List<Integer> taken = new ArrayList<>();
    private MemoryPeer greedy;
    private MemoryPeer modest;

    @BeforeEach
    void connect() throws IOException {
        Files.write(folder.resolve("file"), new byte[FILE_BYTES]);
        HttpServer.HttpListener listener =
                server.listen(
                        transport,
                        ListenerConfig.of(InetSocketAddress.createUnresolved("memory", 1)));
        MemoryTransport.Script roomy =
                new MemoryTransport.Script(
                        1 << 30, () -> Integer.MAX_VALUE, () -> Integer.MAX_VALUE);
        greedy = transport.connect(listener.socket(), roomy);
        modest = transport.connect(listener.socket(), roomy);
        transport.run();
    }

    @AfterEach
    void close() {
        server.close();
        transport.close();
    }

    private void handle(Exchange exchange) throws IOException {
        if (exchange.request().target().rawPath().equals("/file")) {
            FileChannel file = FileChannel.open(folder.resolve("file"));
            exchange.fields().set("Content-Length", Integer.toString(FILE_BYTES));
            exchange.sendFile(file, 0, FILE_BYTES);
            exchange.end();
        } else {
            taken.add(greedy.received(Integer.MAX_VALUE).length);
            TestHandlers.end(exchange, "x");
            if (exchange.requestNumber() < ASKED) {
                modest.send(GET.formatted("/"));
            }
        }
    }

    @Test
    void clientThatTakesAFileWithoutPause_isSentABoundedAmountAtATime() throws IOException {
        greedy.send(GET.formatted("/file"));
        modest.send(GET.formatted("/"));
        transport.run();
        assertEquals(ASKED, taken.size());
        long all = greedy.received(Integer.MAX_VALUE).length;
        for (int each : taken) {
            assertTrue(each <= SENT_MAX, () -> "bytes in a turn: " + taken);
            all += each;
        }
        assertTrue(all > FILE_BYTES, "all has been sent: " + all);
    }
}
