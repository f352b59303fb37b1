package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loops make no garbage per event, once compiled.
@Tag("slow")
@Timeout(120)
class AllocationTest {
    private static final int EVENTS = 20_000;

    /// In bytes: less than one buffer, segment or array per event. The JDK's selector makes one
    /// object of 16 bytes now and then, depending on what was compiled how.
    private static final long BOUND = 24L * EVENTS;

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void event_readAndWritten_makesNoGarbageOfOurs(String name) throws Exception {
        AtomicLong loopThread = new AtomicLong();
        TransportConfig config = TransportConfig.defaults().withLoops(1);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Transport transport = Transports.open(name, config);
                Listener listener =
                        transport.listen(
                                ListenerConfig.of(any),
                                c -> {
                                    loopThread.set(Thread.currentThread().threadId());
                                    return new OneByte(c);
                                });
                Socket socket = TestClient.plain(listener.address())) {
            ping(socket, EVENTS);
            long best = Long.MAX_VALUE;
            // The compiler may take its time.
            for (int round = 0; round < 10 && best > BOUND; round++) {
                long before = threads.getThreadAllocatedBytes(loopThread.get());
                ping(socket, EVENTS);
                long used = threads.getThreadAllocatedBytes(loopThread.get()) - before;
                best = Math.min(best, used);
            }
            assertTrue(best <= BOUND, "bytes per event: " + best / (double) EVENTS);
        }
    }

    private static void ping(Socket socket, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            socket.getOutputStream().write(1);
            socket.getInputStream().read();
        }
    }

    private static final class OneByte implements ConnectionHandler {
        private final Connection connection;
        private final byte[] buffer = new byte[1024];

        OneByte(Connection connection) {
            this.connection = connection;
            connection.interest(Connection.READ);
        }

        @Override
        public void onReadable() {
            try {
                int n = connection.read(buffer, 0, buffer.length);
                if (n < 0) {
                    connection.close();
                } else {
                    connection.write(buffer, 0, n);
                    connection.deadline(System.nanoTime() + 10_000_000_000L);
                }
            } catch (IOException e) {
                connection.close();
            }
        }

        @Override
        public void onWritable() {}

        @Override
        public void onDeadline() {}

        @Override
        public void onClosed() {}
    }
}
