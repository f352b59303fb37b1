package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.ContractRig.Mode;
import io.margay.transport.factory.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Connections that begin with the PROXY protocol, on every transport, in clear text and with TLS.
@Tag("slow")
@Timeout(60)
final class ProxyProtocolTest {
    private static final String LINE = "PROXY TCP4 203.0.113.7 10.0.0.1 54321 443\r\n";
    private static final byte[] BINARY =
            HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111000ccb0071070a000001d43101bb");

    @TempDir static Path directory;
    private static ContractRig rig;

    @BeforeAll
    static void open() throws Exception {
        rig = new ContractRig(directory);
    }

    @AfterEach
    void close() throws Exception {
        rig.closeAll();
    }

    /// Says where the client is, to whom it has connected, and sends back what comes.
    private static final class Teller extends Scripted {
        private final Connection io;

        Teller(Connection io) {
            super(io);
            this.io = io;
        }

        @Override
        void readable() throws IOException {
            byte[] buffer = new byte[100];
            int n = io.read(buffer, 0, buffer.length);
            if (n < 0) {
                io.close();
            }
            if (n > 0) {
                String told = io.remote() + " " + io.local() + " ";
                byte[] answer = (told + new String(buffer, 0, n)).getBytes();
                io.write(answer, 0, answer.length);
                io.flush();
            }
        }
    }

    private Listener listen(Mode mode, ProxyProtocol how) throws IOException {
        return listen(mode, how, null);
    }

    private Listener listen(Mode mode, ProxyProtocol how, AddressLimit limit) throws IOException {
        Transport transport = Transports.open(mode.transport(), TransportConfig.defaults());
        rig.keep(transport);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Listener listener =
                transport.listen(
                        ListenerConfig.of(any)
                                .withAddresses(limit)
                                .withTls(rig.tls(mode))
                                .withProxyProtocol(how),
                        Teller::new);
        rig.keep(listener);
        return listener;
    }

    private static ProxyProtocol everybody() {
        return new ProxyProtocol(_ -> true, ProxyLimits.defaults());
    }

    private Socket connect(Listener listener) throws IOException {
        Socket socket = TestClient.plain(listener.address());
        rig.keep(socket);
        return socket;
    }

    private Socket withTls(Mode mode, Socket socket) throws IOException {
        if (!mode.tls()) {
            return socket;
        }
        Socket secured =
                rig.clientTls()
                        .getSocketFactory()
                        .createSocket(socket, "localhost", socket.getPort(), true);
        rig.keep(secured);
        return secured;
    }

    private static String ask(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes());
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        while (!answer.toString(StandardCharsets.US_ASCII).endsWith(" " + text)) {
            int b = socket.getInputStream().read();
            if (b < 0) {
                return "closed";
            }
            answer.write(b);
        }
        return answer.toString(StandardCharsets.US_ASCII);
    }

    /// Whether the server ends the connection without a byte.
    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    /// The reset may come before the client knows that it is connected.
    private boolean isTurnedAway(Listener listener) throws IOException {
        try {
            return isEnded(connect(listener));
        } catch (SocketException e) {
            return true;
        }
    }

    static List<Mode> modes() {
        return ContractRig.modes().toList();
    }

    static List<Mode> plainModes() {
        return ContractRig.plainModes().toList();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void header_inOneOrManyPieces_isBelieved_andNotSeenByWhoFollows(Mode mode) throws Exception {
        Listener listener = listen(mode, everybody());
        for (byte[] header : List.of(LINE.getBytes(), BINARY)) {
            Socket whole = connect(listener);
            whole.getOutputStream().write(header);
            assertEquals(
                    "/203.0.113.7:54321 /10.0.0.1:443 hello", ask(withTls(mode, whole), "hello"));
            Socket dripping = connect(listener);
            for (byte b : header) {
                dripping.getOutputStream().write(b);
            }
            assertEquals(
                    "/203.0.113.7:54321 /10.0.0.1:443 again",
                    ask(withTls(mode, dripping), "again"));
        }
        Socket local = connect(listener);
        local.getOutputStream().write("PROXY UNKNOWN\r\n".getBytes());
        assertTrue(ask(withTls(mode, local), "x").startsWith("/127.0.0.1:"));
        assertEquals(0, listener.refusals().withoutHeader());
    }

    @ParameterizedTest
    @MethodSource("plainModes")
    void header_andWhatFollows_mayComeTogether(Mode mode) throws Exception {
        Socket socket = connect(listen(mode, everybody()));
        socket.getOutputStream().write((LINE + "hello ").getBytes());
        assertTrue(ask(socket, "you").startsWith("/203.0.113.7:54321 /10.0.0.1:443 hello "));
    }

    @ParameterizedTest
    @MethodSource("plainModes")
    void connections_withoutHeader_orOfStrangers_areReset(Mode mode) throws Exception {
        Listener listener = listen(mode, everybody());
        Socket garbage = connect(listener);
        garbage.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
        assertTrue(isEnded(garbage));
        Socket wrong = connect(listener);
        wrong.getOutputStream().write("PROXY TCP4 1.1.1.1 nowhere 1 1\r\nhello".getBytes());
        assertTrue(isEnded(wrong));
        Until.holds(
                "listener.refusals().withoutHeader() == 2",
                () -> listener.refusals().withoutHeader() == 2);
        Listener strict = listen(mode, new ProxyProtocol(_ -> false, ProxyLimits.defaults()));
        assertTrue(isTurnedAway(strict));
        Until.holds(
                "strict.refusals().withoutHeader() == 1",
                () -> strict.refusals().withoutHeader() == 1);
        Until.holds(
                "listener.connectionCount() + strict.connectionCount() == 0",
                () -> listener.connectionCount() + strict.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("plainModes")
    void clients_thatAreExempt_sendNoHeader(Mode mode) throws Exception {
        ProxyProtocol how = new ProxyProtocol(_ -> true, _ -> true, ProxyLimits.defaults());
        Listener listener = listen(mode, how);
        assertTrue(ask(connect(listener), "hello").startsWith("/127.0.0.1:"));
        assertTrue(ask(connect(listener), LINE.strip()).startsWith("/127.0.0.1:"));
        assertEquals(0, listener.refusals().withoutHeader());
    }

    @ParameterizedTest
    @MethodSource("plainModes")
    void header_thatTakesTooLong_isNotWaitedFor(Mode mode) throws Exception {
        ProxyLimits hasty = new ProxyLimits(Duration.ofMillis(100), 100);
        Listener listener = listen(mode, new ProxyProtocol(_ -> true, hasty));
        Socket silent = connect(listener);
        Socket half = connect(listener);
        half.getOutputStream().write(LINE.substring(0, 20).getBytes());
        assertTrue(isEnded(silent));
        assertTrue(isEnded(half));
        Until.holds(
                "listener.refusals().withoutHeader() == 2",
                () -> listener.refusals().withoutHeader() == 2);
    }

    @ParameterizedTest
    @MethodSource("plainModes")
    void limitOfConnections_isOfTheClient_notOfTheLoadBalancer(Mode mode) throws Exception {
        Listener listener = listen(mode, everybody(), new AddressLimit(1, _ -> false));
        Socket first = connect(listener);
        first.getOutputStream().write(LINE.getBytes());
        assertFalse(ask(first, "a").isEmpty());
        Socket second = connect(listener);
        second.getOutputStream().write(LINE.getBytes());
        assertTrue(isEnded(second));
        Socket other = connect(listener);
        other.getOutputStream().write(LINE.replace("203.0.113.7", "203.0.113.8").getBytes());
        assertEquals("/203.0.113.8:54321 /10.0.0.1:443 b", ask(other, "b"));
        assertEquals(1, listener.refusals().overAddress());
        first.close();
        Until.holds("listener.connectionCount() == 1", () -> listener.connectionCount() == 1);
        Socket again = connect(listener);
        again.getOutputStream().write(LINE.getBytes());
        assertEquals("/203.0.113.7:54321 /10.0.0.1:443 c", ask(again, "c"));
    }
}
