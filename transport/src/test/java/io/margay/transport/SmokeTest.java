package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmokeTest {
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void echo_overSocket_returnsBytes(String name) throws Exception {
        Echo.Record record = new Echo.Record();
        try (Transport transport = Transports.open(name, TransportConfig.defaults());
                Listener listener =
                        transport.listen(
                                ListenerConfig.of(
                                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                                c -> new Echo(c, record))) {
            try (Socket socket = new Socket()) {
                socket.connect(listener.address(), 5000);
                socket.setSoTimeout(5000);
                for (int i = 0; i < 1000; i++) {
                    byte[] sent = ("hello " + i).getBytes();
                    socket.getOutputStream().write(sent);
                    assertArrayEquals(sent, socket.getInputStream().readNBytes(sent.length));
                }
                socket.shutdownOutput();
                assertEquals(-1, socket.getInputStream().read());
            }
            record.firstClosed.await(5, TimeUnit.SECONDS);
            assertEquals(1, record.closed.get());
        }
    }
}
