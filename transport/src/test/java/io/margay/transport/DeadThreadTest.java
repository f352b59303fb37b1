package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A thread dies without which connections would wait for ever.
@Timeout(60)
class DeadThreadTest {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    static List<String> loops() {
        return Transports.names().stream().filter(name -> !name.equals("blocking")).toList();
    }

    @ParameterizedTest
    @MethodSource("loops")
    void loopWithoutMemory_isFatal_andTheListenerCloses(String name) throws Exception {
        CompletableFuture<Throwable> fatal = new CompletableFuture<>();
        TransportConfig config =
                TransportConfig.defaults().withLoops(1).withOnFatal(fatal::complete);
        OutOfMemoryError failure = new OutOfMemoryError("as if there were none");
        try (Transport transport = Transports.open(name, config)) {
            Listener listener =
                    transport.listen(
                            ListenerConfig.of(ANY),
                            connection -> new Echo(connection, new Echo.Record()));
            assertNull(transport.failure());
            try (Socket socket = connect(listener)) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write('x');
                assertEquals('x', socket.getInputStream().read());
                transport
                        .dialer()
                        .execute(() -> {
                            throw failure;
                        });
                assertSame(failure, fatal.get(20, TimeUnit.SECONDS));
                // The connection is closed with its loop, by an end or a reset.
                try {
                    int end = socket.getInputStream().read();
                    assertSame(-1, end);
                } catch (IOException e) {
                    assertInstanceOf(java.net.SocketException.class, e);
                }
            }
            Until.holds("the listener is closed", () -> refuses(listener));
            assertSame(failure, transport.failure());
            assertThrows(
                    IOException.class,
                    () ->
                            transport.listen(
                                    ListenerConfig.of(ANY),
                                    connection -> new Echo(connection, new Echo.Record())));
        }
    }

    private static Socket connect(Listener listener) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.address();
        return new Socket(address.getAddress(), address.getPort());
    }

    private static boolean refuses(Listener listener) {
        try (Socket socket = connect(listener)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }
}
