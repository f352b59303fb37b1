package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.margay.transport.blocking.BlockingTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a handler does when its deadline comes, on a blocking connection whose own thread waits for
/// input meanwhile.
@Timeout(60)
class BlockingDeadlineTest {
    private static final int MUCH = 8_000_000;

    private final AtomicReference<Connection> accepted = new AtomicReference<>();
    private final CountDownLatch writing = new CountDownLatch(1);

    private ConnectionHandler accept(Connection connection) {
        accepted.set(connection);
        connection.interest(Connection.READ);
        connection.deadline(System.nanoTime() + 1_000_000);
        return new ConnectionHandler() {
            @Override
            public void onReadable() {
                connection.interest(0);
            }

            @Override
            public void onWritable() {}

            @Override
            public void onDeadline() {
                writing.countDown();
                try {
                    connection.write(new byte[MUCH], 0, MUCH);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void onClosed() {}
        };
    }

    @Test
    void writeInADeadline_whileTasksCome_endsAndTheTasksRun() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Transport transport = new BlockingTransport(TransportConfig.defaults());
                Listener listener = transport.listen(ListenerConfig.of(any), this::accept);
                Socket client = new Socket()) {
            client.setSoTimeout(20_000);
            client.connect(listener.address());
            assertTrue(writing.await(20, TimeUnit.SECONDS));
            // Input makes the connection's own thread look for something to do.
            accepted.get().execute(() -> ran.set(true));
            client.getOutputStream().write(1);
            assertEquals(MUCH, client.getInputStream().readNBytes(MUCH).length);
            Eventually.holds("the task has run", ran::get);
        }
    }
}
