package io.margay.transport.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryTransportTest {
    private static final ListenerConfig CONFIG =
            ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));

    private final List<String> events = new ArrayList<>();

    /// Echoes at most ten bytes a time and keeps what is not taken.
    private final class TenByTen implements ConnectionHandler {
        private final Connection connection;
        private final byte[] buffer = new byte[10];
        private int from;
        private int to;

        TenByTen(Connection connection) {
            this.connection = connection;
            connection.interest(Connection.READ);
        }

        @Override
        public void onReadable() {
            try {
                int n = connection.read(buffer, 0, buffer.length);
                if (n < 0) {
                    events.add("end");
                    connection.close();
                } else {
                    from = 0;
                    to = n;
                    onWritable();
                }
            } catch (IOException e) {
                events.add(e.getMessage());
                connection.close();
            }
        }

        @Override
        public void onWritable() {
            try {
                from += connection.write(buffer, from, to - from);
                connection.interest(from < to ? Connection.WRITE : Connection.READ);
            } catch (IOException e) {
                events.add(e.getMessage());
                connection.close();
            }
        }

        @Override
        public void onDeadline() {
            events.add("deadline");
        }

        @Override
        public void onClosed() {
            events.add("closed");
        }
    }

    @Test
    void pumped_nothingHappensBeforeRun() throws Exception {
        MemoryTransport transport = MemoryTransport.pumped(System::nanoTime);
        Listener listener = transport.listen(CONFIG, TenByTen::new);
        MemoryPeer peer = transport.connect(listener);
        peer.send("hello");
        assertEquals("", peer.receivedText());
        transport.run();
        assertEquals("hello", peer.receivedText());
        peer.end();
        transport.run();
        assertTrue(peer.ended());
        assertEquals(List.of("end", "closed"), events);
        assertEquals(0, listener.connectionCount());
        transport.close();
    }

    @Test
    void script_ofSmallPiecesAndLittleRoom_losesNothing() throws Exception {
        MemoryTransport transport = MemoryTransport.pumped(System::nanoTime);
        Listener listener = transport.listen(CONFIG, TenByTen::new);
        MemoryPeer peer =
                transport.connect(listener, new MemoryTransport.Script(7, () -> 3, () -> 2));
        byte[] sent = new byte[1000];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) i;
        }
        peer.send(sent);
        byte[] got = new byte[1000];
        for (int at = 0; at < got.length; ) {
            transport.run();
            byte[] some = peer.received(5);
            assertTrue(some.length > 0, "nothing came after " + at);
            System.arraycopy(some, 0, got, at, some.length);
            at += some.length;
        }
        assertArrayEquals(sent, got);
        transport.close();
        assertEquals(List.of("closed"), events);
    }

    @Test
    void deadline_withInjectedClock_firesWhenTheClockHasPassed() throws Exception {
        AtomicLong clock = new AtomicLong(5);
        MemoryTransport transport = MemoryTransport.pumped(clock::get);
        Listener listener = transport.listen(CONFIG, TenByTen::new);
        MemoryPeer peer = transport.connect(listener);
        transport.run();
        peer.server().deadline(5 + Duration.ofSeconds(60).toNanos());
        transport.run();
        clock.addAndGet(Duration.ofMillis(59_999).toNanos());
        transport.run();
        assertEquals(List.of(), events);
        clock.addAndGet(Duration.ofMillis(101).toNanos());
        transport.run();
        transport.run();
        assertEquals(List.of("deadline"), events);
        transport.close();
    }

    @Test
    void reset_byPeer_isSeenAsFailure() throws Exception {
        MemoryTransport transport = MemoryTransport.pumped(System::nanoTime);
        Listener listener = transport.listen(CONFIG, TenByTen::new);
        MemoryPeer peer = transport.connect(listener);
        transport.run();
        peer.reset();
        transport.run();
        assertEquals(List.of("Connection reset", "closed"), events);
        assertTrue(peer.server().isClosed());
        assertThrows(IOException.class, () -> peer.server().read(new byte[1], 0, 1));
        transport.close();
    }

    @Test
    void threaded_runsByItself() throws Exception {
        try (MemoryTransport transport = MemoryTransport.threaded()) {
            Listener listener = transport.listen(CONFIG, TenByTen::new);
            MemoryPeer peer = transport.connect(listener);
            peer.send("hello, thread");
            byte[] got = peer.receive(13, Duration.ofSeconds(10));
            assertEquals("hello, thread", new String(got));
            assertFalse(peer.ended());
            listener.close();
            assertTrue(peer.awaitEnd(Duration.ofSeconds(10)));
        }
    }
}
