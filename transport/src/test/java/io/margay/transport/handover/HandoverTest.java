package io.margay.transport.handover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Listener;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import io.margay.transport.handover.HandoverChannel.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sockets go from one transport to another as they go from one process to another: through a Unix
/// socket.
class HandoverTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir Path folder;

    record Pair(String from, String to) {}

    static Stream<Pair> pairs() {
        List<String> names = Transports.names();
        return names.stream().flatMap(from -> names.stream().map(to -> new Pair(from, to)));
    }

    /// Says a letter to each client, and closes.
    private record Greeter(Connection connection, int letter) implements ConnectionHandler {
        static ConnectionHandler.Factory of(int letter) {
            return connection -> {
                connection.interest(Connection.READ);
                return new Greeter(connection, letter);
            };
        }

        @Override
        public void onReadable() {
            try {
                int read = connection.read(new byte[1], 0, 1);
                if (read == 0) {
                    return;
                }
                if (read > 0) {
                    connection.write(new byte[] {(byte) letter}, 0, 1);
                }
                connection.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onWritable() {}

        @Override
        public void onDeadline() {}

        @Override
        public void onClosed() {}
    }

    /// Two ends.
    private record Ends(HandoverChannel here, HandoverChannel there) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            here.close();
            there.close();
        }
    }

    private Ends ends() throws Exception {
        Path file = folder.resolve("socket");
        try (HandoverListener listener = HandoverListener.open(file, HandoverLimits.defaults())) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            CompletableFuture<HandoverChannel> other =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return HandoverChannel.connect(file, HandoverLimits.defaults());
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
            HandoverChannel here = listener.accept(LONG);
            assertNotNull(here);
            return new Ends(here, other.get(20, TimeUnit.SECONDS));
        } finally {
            assertFalse(Files.exists(file));
        }
    }

    private static ListeningSocket pass(ListeningSocket socket, Ends ends) throws IOException {
        byte[] name = socket.name().getBytes(StandardCharsets.UTF_8);
        ends.here.send(new Message(name, socket.descriptor()));
        Message got = ends.there.receive();
        return ListeningSocket.given(
                new String(got.body(), StandardCharsets.UTF_8), got.descriptor());
    }

    private static int greeted(Socket client) throws IOException {
        client.setSoTimeout(20_000);
        client.getOutputStream().write('?');
        return client.getInputStream().read();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void socket_thatIsHandedOver_losesNoConnection(Pair pair) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        TransportConfig one = TransportConfig.defaults().withLoops(1);
        try (Ends ends = ends();
                Transport from = Transports.open(pair.from, one);
                Transport to = Transports.open(pair.to, one);
                Listener before = from.listen(ListenerConfig.of(any), Greeter.of('a'))) {
            InetSocketAddress address = (InetSocketAddress) before.address();
            ListeningSocket given = pass(ListeningSocket.own("web", address), ends);
            assertEquals("web", given.name());
            assertEquals(address, given.address());
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                assertEquals('a', greeted(client));
            }
            before.stopAccepting();
            try (Socket waiting = new Socket(address.getAddress(), address.getPort());
                    Listener after =
                            to.listen(
                                    ListenerConfig.of(any).withDescriptor(given.descriptor()),
                                    Greeter.of('b'))) {
                assertEquals(address, after.address());
                assertEquals('b', greeted(waiting));
                try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                    assertEquals('b', greeted(client));
                }
            }
            assertThrows(
                    IOException.class,
                    () -> new Socket(address.getAddress(), address.getPort()).close(),
                    "nobody has the socket any more");
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void unixSocket_thatIsHandedOver_keepsItsFile(Pair pair) throws Exception {
        UnixDomainSocketAddress file = UnixDomainSocketAddress.of(folder.resolve("web"));
        TransportConfig one = TransportConfig.defaults().withLoops(1);
        try (Ends ends = ends();
                Transport from = Transports.open(pair.from, one);
                Transport to = Transports.open(pair.to, one);
                Listener before = from.listen(ListenerConfig.of(file), Greeter.of('a'))) {
            ListeningSocket given = pass(ListeningSocket.own("web", file), ends);
            assertEquals(file, given.address());
            assertEquals('a', greeted(file));
            before.stopAccepting();
            try (SocketChannel waiting = SocketChannel.open(file);
                    Listener after =
                            to.listen(
                                    ListenerConfig.of(file).withDescriptor(given.descriptor()),
                                    Greeter.of('b'))) {
                assertEquals(file, after.address());
                assertEquals('b', greeted(waiting));
                assertEquals('b', greeted(file));
                before.stopAccepting();
                assertEquals('b', greeted(file));
            }
            assertFalse(Files.exists(file.getPath()), "nobody has the socket any more");
        }
    }

    private static int greeted(UnixDomainSocketAddress file) throws IOException {
        try (SocketChannel client = SocketChannel.open(file)) {
            return greeted(client);
        }
    }

    private static int greeted(SocketChannel client) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {'?'});
        assertEquals(1, client.write(bytes));
        assertEquals(1, client.read(bytes.flip()));
        return bytes.get(0);
    }

    @Test
    void messages_ofAnyLength_comeWhole() throws Exception {
        try (Ends ends = ends()) {
            for (int length : List.of(0, 1, 65_535, 65_536, 1_000_003)) {
                byte[] body = new byte[length];
                new Random(length).nextBytes(body);
                CompletableFuture<Message> got =
                        CompletableFuture.supplyAsync(() -> {
                            try {
                                return ends.there.receive();
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
                ends.here.send(new Message(body, Message.NONE));
                Message message = got.get(20, TimeUnit.SECONDS);
                assertArrayEquals(body, message.body());
                assertEquals(Message.NONE, message.descriptor());
            }
            assertEquals(ProcessHandle.current().pid(), ends.here.peer());
        }
    }

    @Test
    void receive_afterTheOtherHasEnded_saysSo() throws Exception {
        try (Ends ends = ends()) {
            ends.here.end();
            assertThrows(HandoverEndException.class, ends.there::receive);
        }
    }

    @Test
    void receive_ofNothing_endsInTime() throws Exception {
        try (Ends ends = ends()) {
            ends.there.patience(Duration.ofMillis(10));
            IOException failure = assertThrows(IOException.class, ends.there::receive);
            assertFalse(failure instanceof HandoverEndException, failure.toString());
        }
    }

    @Test
    void accept_whenNobodyComes_isNull() throws Exception {
        try (HandoverListener listener =
                HandoverListener.open(folder.resolve("socket"), HandoverLimits.defaults())) {
            assertNull(listener.accept(Duration.ofMillis(10)));
        }
    }

    @Test
    void given_aDescriptorThatDoesNotListen_isRefused() {
        assertThrows(IOException.class, () -> ListeningSocket.given("stdin", 0));
    }
}
