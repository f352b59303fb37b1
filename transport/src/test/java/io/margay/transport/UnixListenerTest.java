package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.margay.transport.factory.Transports;
import io.margay.transport.unix.SocketAccess;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
final class UnixListenerTest {
    @TempDir Path folder;

    private final Echo.Record record = new Echo.Record();

    static Stream<String> transports() {
        return Transports.names().stream();
    }

    private Path file() {
        return folder.resolve("web.sock");
    }

    private ListenerConfig config() {
        return ListenerConfig.of(UnixDomainSocketAddress.of(file()));
    }

    private static Transport open(String name) throws IOException {
        return Transports.open(name, TransportConfig.defaults().withLoops(1));
    }

    private SocketChannel client() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(file()));
    }

    private static void write(SocketChannel client, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            client.write(buffer);
        }
    }

    private static byte[] read(SocketChannel client, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        int last = 0;
        while (buffer.hasRemaining() && last >= 0) {
            last = client.read(buffer);
        }
        assertEquals(length, buffer.position());
        return buffer.array();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void bytes_ofAnyNumber_comeAndGo_andClientsAreThisMachine(String name) throws Exception {
        byte[] sent = new byte[1 << 20];
        new Random(1).nextBytes(sent);
        try (Transport transport = open(name);
                Listener listener = transport.listen(config(), c -> new Echo(c, record));
                SocketChannel client = client()) {
            assertEquals(UnixDomainSocketAddress.of(file()), listener.address());
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> {
                        try {
                            write(client, sent);
                            client.shutdownOutput();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
            assertArrayEquals(sent, read(client, sent.length));
            writing.get(20, TimeUnit.SECONDS);
            assertEquals(-1, client.read(ByteBuffer.allocate(1)), "the half that is closed");
            assertEquals(SocketFile.LOCAL, record.last.remote());
            assertEquals(SocketFile.LOCAL, record.last.local());
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void file_hasItsPermissions_andIsGoneWithTheListener(String name) throws Exception {
        ListenerConfig config = config();
        try (Transport transport = open(name)) {
            try (Listener _ = transport.listen(config, c -> new Echo(c, record))) {
                assertEquals("rw-rw----", permissions());
                assertThrows(
                        BindException.class,
                        () -> transport.listen(config, c -> new Echo(c, record)),
                        "somebody listens there");
                try (SocketChannel client = client()) {
                    write(client, new byte[1]);
                    assertEquals(1, read(client, 1).length);
                }
            }
            assertFalse(Files.exists(file()));
            ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(config.address()).close();
            assertTrue(Files.exists(file()), "as one that was killed leaves it");
            ListenerConfig open =
                    new ListenerConfig(
                            config.address(),
                            1,
                            1,
                            null,
                            null,
                            null,
                            ListenerConfig.NO_DESCRIPTOR,
                            new SocketAccess(SocketAccess.permissions("0666"), null, null));
            try (Listener _ = transport.listen(open, c -> new Echo(c, record))) {
                assertEquals("rw-rw-rw-", permissions());
            }
            Files.writeString(file(), "kept");
            assertThrows(
                    BindException.class,
                    () -> transport.listen(config, c -> new Echo(c, record)),
                    "it is not a socket");
            assertEquals("kept", Files.readString(file()));
        }
    }

    private String permissions() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file()));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void owner_thatThereIsNot_isAFailure_andLeavesNoFile(String name) throws Exception {
        ListenerConfig config = config();
        ListenerConfig given =
                new ListenerConfig(
                        config.address(),
                        1,
                        1,
                        null,
                        null,
                        null,
                        ListenerConfig.NO_DESCRIPTOR,
                        new SocketAccess(SocketAccess.permissions("660"), null, "no-such-group"));
        try (Transport transport = open(name)) {
            BindException failure =
                    assertThrows(
                            BindException.class,
                            () -> transport.listen(given, c -> new Echo(c, record)));
            assertTrue(failure.getMessage().contains("no-such-group"), failure.getMessage());
            assertFalse(Files.exists(file()));
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void clients_areNotCountedAsOneAddress(String name) throws Exception {
        ListenerConfig config = config().withAddresses(new AddressLimit(1, _ -> false));
        try (Transport transport = open(name);
                Listener listener = transport.listen(config, c -> new Echo(c, record));
                SocketChannel one = client();
                SocketChannel two = client()) {
            for (SocketChannel client : List.of(one, two)) {
                write(client, new byte[] {7});
                assertArrayEquals(new byte[] {7}, read(client, 1));
            }
            assertEquals(0, listener.refusals().overAddress());
        }
    }

    /// Waits for input on a thread of its own, then sends a part of a file.
    private static final class Waiter implements ConnectionHandler {
        private final Connection connection;
        private final Path file;
        private final BlockingQueue<Boolean> waits = new LinkedBlockingQueue<>();

        Waiter(Connection connection, Path file) {
            this.connection = connection;
            this.file = file;
        }

        void work() {
            try (FileChannel content = FileChannel.open(file)) {
                waits.add(connection.await(Connection.READ, 20_000_000L));
                waits.add(connection.await(Connection.READ, 20_000_000L));
                while (!connection.await(Connection.READ, 1_000_000_000L)) {
                    waits.add(false);
                }
                byte[] input = new byte[1];
                assertEquals(1, connection.read(input, 0, 1));
                long at = 0;
                while (at < content.size()) {
                    long sent = connection.sendFile(content, at, content.size() - at);
                    at += Math.max(0, sent);
                    boolean _ = sent > 0 || connection.await(Connection.WRITE, 1_000_000_000L);
                }
                connection.reset();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {}

        @Override
        public void onDeadline() {}

        @Override
        public void onClosed() {}
    }

    @ParameterizedTest
    @MethodSource("transports")
    void await_endsInTime_andSeesWhatComes(String name) throws Exception {
        Path content = Files.write(folder.resolve("content"), new byte[300_000]);
        BlockingQueue<Waiter> waiters = new LinkedBlockingQueue<>();
        try (Transport transport = open(name);
                Listener listener =
                        transport.listen(
                                config(),
                                connection -> {
                                    Waiter made = new Waiter(connection, content);
                                    connection.interest(0);
                                    waiters.add(made);
                                    Thread.ofVirtual().start(made::work);
                                    return made;
                                });
                SocketChannel client = client()) {
            Waiter waiter = waiters.poll(20, TimeUnit.SECONDS);
            assertEquals(false, waiter.waits.poll(20, TimeUnit.SECONDS));
            assertEquals(false, waiter.waits.poll(20, TimeUnit.SECONDS));
            write(client, new byte[1]);
            assertEquals(300_000, read(client, 300_000).length);
            Eventually.holds("it is closed", () -> listener.connectionCount() == 0);
        }
    }

    @Test
    void permissions_areReadInBothForms() {
        for (String text : List.of("660", "0660", "rw-rw----")) {
            assertEquals(
                    "rw-rw----", PosixFilePermissions.toString(SocketAccess.permissions(text)));
        }
        assertEquals("rwx-w---x", PosixFilePermissions.toString(SocketAccess.permissions("721")));
        for (String text : List.of("", "66", "6666", "688", "rw", "u=rw")) {
            assertThrows(
                    IllegalArgumentException.class, () -> SocketAccess.permissions(text), text);
        }
    }
}
