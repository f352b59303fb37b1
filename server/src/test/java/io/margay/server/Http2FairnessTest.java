package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.memory.MemoryPeer;
import io.margay.transport.memory.MemoryTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// One connection of HTTP/2 that sends without pause, beside one that asks now and then on the same
/// loop: between two turns of the latter the former gets no more than what one read gives it.
class Http2FairnessTest {
    /// A frame with its header, plus the first octet of the next: what is read at once, at most.
    private static final int READ_MAX = Http2.FRAME_SIZE_DEFAULT + Http2.FRAME_HEADER_BYTES + 1;

    private static final int REQUESTS = 3_000;
    private static final int ASKED = 10;

    private final List<Long> order = new ArrayList<>();
    private MemoryPeer greedy;
    private MemoryPeer modest;

    private void handle(Exchange exchange) throws IOException {
        long from = exchange.connectionId();
        order.add(from);
        TestHandlers.end(exchange, "x");
        int number = exchange.requestNumber();
        if (from == modest.server().id() && number < ASKED) {
            modest.send(get(2 * number + 1));
        }
    }

    private static byte[] get(int id) {
        return Http2Client.frame(
                Http2.HEADERS,
                Http2.FLAG_END_HEADERS | Http2.FLAG_END_STREAM,
                id,
                Http2Client.block(Http2Client.request("GET", "/")));
    }

    private static void begin(MemoryPeer peer) throws IOException {
        peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        peer.send(Http2Client.frame(Http2.SETTINGS, 0, 0, Http2Client.settings()));
    }

    @Test
    void connection_thatSendsWithoutPause_hasOneReadAtATime() throws IOException {
        AtomicLong clock = new AtomicLong();
        try (MemoryTransport transport = MemoryTransport.pumped(clock::get);
                HttpServer server = new HttpServer(this::handle, new VirtualDispatcher(1))) {
            HttpServer.HttpListener listener =
                    server.listen(
                            transport,
                            ListenerConfig.of(InetSocketAddress.createUnresolved("memory", 1)));
            MemoryTransport.Script roomy =
                    new MemoryTransport.Script(
                            1 << 20, () -> Integer.MAX_VALUE, () -> Integer.MAX_VALUE);
            greedy = transport.connect(listener.socket(), roomy);
            modest = transport.connect(listener.socket(), roomy);
            begin(greedy);
            begin(modest);
            transport.run();
            ByteArrayOutputStream flood = new ByteArrayOutputStream();
            byte[] ping = Http2Client.frame(Http2.PING, 0, 0, new byte[8]);
            for (int i = 0; i < REQUESTS; i++) {
                flood.writeBytes(get(2 * i + 1));
                flood.writeBytes(ping);
            }
            greedy.send(flood.toByteArray());
            modest.send(get(1));
            transport.run();
        }
        assertEquals(REQUESTS + ASKED, order.size(), "all are answered");
        int octets = get(1).length + Http2.FRAME_HEADER_BYTES + 8;
        int since = 0;
        int asked = 0;
        for (long from : order) {
            since = from == modest.server().id() ? 0 : since + octets;
            asked += since == 0 ? 1 : 0;
            assertTrue(
                    asked == ASKED || since < READ_MAX + octets,
                    () -> "in one turn: " + order.indexOf(modest.server().id()));
        }
        assertEquals(ASKED, asked);
    }
}
