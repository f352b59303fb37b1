package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A client that opens more connections than one may have, on every transport.
@Timeout(60)
final class AddressLimitTest {
    /// Says one octet when it has been opened.
    private static final ConnectionHandler.Factory GREETING =
            io ->
                    new ConnectionHandler() {
                        {
                            io.interest(Connection.WRITE | Connection.READ);
                        }

                        @Override
                        public void onReadable() {
                            try {
                                if (io.read(new byte[1], 0, 1) < 0) {
                                    io.close();
                                }
                            } catch (IOException e) {
                                io.close();
                            }
                        }

                        @Override
                        public void onWritable() {
                            io.interest(Connection.READ);
                            try {
                                io.write(new byte[] {1}, 0, 1);
                            } catch (IOException e) {
                                io.close();
                            }
                        }

                        @Override
                        public void onDeadline() {}

                        @Override
                        public void onClosed() {}
                    };

    private static Socket connect(Listener listener, String from) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(20_000);
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.connect(listener.address());
        return socket;
    }

    private static boolean isServed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == 1;
        } catch (SocketException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void connections_overTheLimit_areReset_andThoseOfOthersAreServed(String name) throws Exception {
        List<Socket> open = new ArrayList<>();
        ListenerConfig config =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .withAddresses(
                                new AddressLimit(
                                        2, remote -> remote.toString().contains("127.0.0.9")));
        try (Transport transport = Transports.open(name, TransportConfig.defaults());
                Listener listener = transport.listen(config, GREETING);
                Socket first = connect(listener, "127.0.0.1");
                Socket second = connect(listener, "127.0.0.1")) {
            assertTrue(isServed(first));
            assertTrue(isServed(second));
            try (Socket third = connect(listener, "127.0.0.1");
                    Socket other = connect(listener, "127.0.0.2")) {
                assertFalse(isServed(third));
                assertTrue(isServed(other));
            }
            for (int i = 0; i < 4; i++) {
                open.add(connect(listener, "127.0.0.9"));
                assertTrue(isServed(open.getLast()));
            }
            for (Socket each : open) {
                each.close();
            }
            first.shutdownOutput();
            boolean served = false;
            for (int i = 0; i < 10_000 && !served; i++) {
                try (Socket again = connect(listener, "127.0.0.1")) {
                    served = isServed(again);
                }
            }
            assertTrue(served, "the place of the first was given back");
        }
    }
}
