package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.Http2;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.testkit.Http2Wire;
import io.margay.transport.ListenerConfig;
import io.margay.transport.memory.MemoryPeer;
import io.margay.transport.memory.MemoryTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One connection of HTTP/2 that sends or takes without pause, beside one that asks now and then on
/// the same loop: between two turns of the latter the former gets no more than one read gives it,
/// and a bounded amount of content.
class Http2FairnessTest {
    /// A frame with its header, plus the first octet of the next: what is read at once, at most.
    private static final int READ_MAX = Http2.FRAME_SIZE_DEFAULT + Http2.FRAME_HEADER_BYTES + 1;

    /// What is sent in one turn, and what has been put into frames when that is reached.
    private static final int SENT_MAX = 262_144 + 65_536 + 2 * READ_MAX;

    private static final int ASKED = 10;
    private static final byte[] MUCH = new byte[1_000_000];

    private final AtomicLong clock = new AtomicLong();
    private final MemoryTransport transport = MemoryTransport.pumped(clock::get);
    private final HttpServer server = new HttpServer(this::handle, new VirtualDispatcher(1));
    private final List<Long> order = new ArrayList<>();
    private final List<Integer> taken = new ArrayList<>();
    private MemoryPeer greedy;
    private MemoryPeer modest;

    @BeforeEach
    void connect() throws IOException {
        HttpServer.HttpListener listener =
                server.listen(
                        transport,
                        ListenerConfig.of(InetSocketAddress.createUnresolved("memory", 1)));
        MemoryTransport.Script roomy =
                new MemoryTransport.Script(
                        1 << 30, () -> Integer.MAX_VALUE, () -> Integer.MAX_VALUE);
        greedy = transport.connect(listener.socket(), roomy);
        modest = transport.connect(listener.socket(), roomy);
        for (MemoryPeer each : List.of(greedy, modest)) {
            each.send(Http2Wire.PREFACE);
            byte[] wide = Http2Wire.settings(Http2.SETTINGS_INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
            each.send(Http2Wire.frame(Http2.SETTINGS, 0, 0, wide));
            byte[] wider = Http2Wire.int32(Integer.MAX_VALUE - Http2.WINDOW_DEFAULT);
            each.send(Http2Wire.frame(Http2.WINDOW_UPDATE, 0, 0, wider));
        }
        transport.run();
    }

    @AfterEach
    void close() {
        server.close();
        transport.close();
    }

    private void handle(Exchange exchange) throws IOException {
        order.add(exchange.connectionId());
        if (exchange.request().target().rawPath().equals("/much")) {
            exchange.endConstant(MUCH, 0, MUCH.length);
        } else {
            TestHandlers.end(exchange, "x");
        }
        int number = exchange.requestNumber();
        if (isModest(exchange.connectionId())) {
            taken.add(greedy.received(Integer.MAX_VALUE).length);
            if (number < ASKED) {
                modest.send(get(2 * number + 1, "/"));
            }
        }
    }

    private boolean isModest(long id) {
        return id == modest.server().id();
    }

    private static byte[] get(int id, String path) {
        return Http2Wire.frame(
                Http2.HEADERS,
                Http2.FLAG_END_HEADERS | Http2.FLAG_END_STREAM,
                id,
                Http2Wire.block(Http2Wire.request("GET", path)));
    }

    @Test
    void connection_thatSendsWithoutPause_hasOneReadAtATime() throws IOException {
        int requests = 3_000;
        ByteArrayOutputStream flood = new ByteArrayOutputStream();
        byte[] ping = Http2Wire.frame(Http2.PING, 0, 0, new byte[8]);
        for (int i = 0; i < requests; i++) {
            flood.writeBytes(get(2 * i + 1, "/"));
            flood.writeBytes(ping);
        }
        greedy.send(flood.toByteArray());
        modest.send(get(1, "/"));
        transport.run();
        int octets = flood.size() / requests;
        int since = 0;
        int asked = 0;
        for (long from : order) {
            since = isModest(from) ? 0 : since + octets;
            asked += isModest(from) ? 1 : 0;
            assertTrue(asked == ASKED || since < READ_MAX + octets, "octets in a turn: " + since);
        }
        assertEquals(requests + ASKED, order.size(), "all are answered");
    }

    @Test
    void connection_thatTakesWithoutPause_isSentABoundedAmountAtATime() throws IOException {
        int requests = 20;
        ByteArrayOutputStream asking = new ByteArrayOutputStream();
        for (int i = 0; i < requests; i++) {
            asking.writeBytes(get(2 * i + 1, "/much"));
        }
        greedy.send(asking.toByteArray());
        modest.send(get(1, "/"));
        transport.run();
        assertEquals(ASKED, taken.size());
        long all = greedy.received(Integer.MAX_VALUE).length;
        for (int each : taken) {
            assertTrue(each < SENT_MAX, () -> "octets in a turn: " + taken);
            all += each;
        }
        assertTrue(all > (long) requests * MUCH.length, "all has been sent: " + all);
    }
}
