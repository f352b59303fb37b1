package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What [Connection], [ConnectionHandler], [Listener] and [Transport] promise, on every transport,
/// plain and TLS. What they promise to other threads is in [HandOverContractTest].
@Tag("slow")
@Timeout(120)
class TransportContractTest {
    @TempDir static Path directory;
    private static ContractRig rig;
    private static ExecutorService workers;

    @BeforeAll
    static void openRig() throws Exception {
        rig = new ContractRig(directory);
        workers = Executors.newCachedThreadPool();
    }

    @AfterEach
    void closeAll() throws Exception {
        rig.closeAll();
    }

    @AfterAll
    static void stopWorkers() {
        workers.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void connection_keptOpen_echoesManyMessages(ContractRig.Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = rig.listen(mode, c -> new Echo(c, record));
        Socket socket = rig.connect(mode, listener);
        for (int i = 0; i < 500; i++) {
            ContractRig.echo(socket, "message " + i);
        }
        assertEquals(1, listener.connectionCount());
        assertEquals(socket.getLocalSocketAddress(), record.last.remote());
        assertEquals(listener.address(), record.last.local());
        socket.close();
        Until.holds("closed", () -> record.closed.get() == 1);
        Until.holds("count is 0", () -> listener.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void slowReader_stallsTheWriterAndLosesNothing(ContractRig.Mode mode) throws Exception {
        int total = 64 << 20; // More than kernels take, on both ways.
        Listener listener = rig.listen(mode, c -> new Echo(c, new Echo.Record()));
        Socket socket = rig.connect(mode, listener);
        socket.setReceiveBufferSize(1 << 20); // Otherwise up to 32 MiB, as that of the server.
        AtomicLong written = new AtomicLong();
        byte[] block = new byte[64 << 10];
        new Random(1).nextBytes(block);
        var writer =
                workers.submit(() -> {
                    while (written.get() < total) {
                        socket.getOutputStream().write(block);
                        written.addAndGet(block.length);
                    }
                    socket.shutdownOutput();
                    return null;
                });
        // Nobody reads: the writer must come to a halt, since nothing buffers without bound.
        AtomicLong seen = new AtomicLong(-1);
        AtomicInteger same = new AtomicInteger();
        Until.holds(
                "the writer stalls",
                () -> {
                    long now = written.get();
                    same.set(now == seen.getAndSet(now) ? same.get() + 1 : 0);
                    return same.get() > 100;
                });
        assertTrue(written.get() < total, "the server buffered " + written.get() + " bytes");
        InputStream in = socket.getInputStream();
        for (int i = 0; i < total / block.length; i++) {
            assertArrayEquals(block, in.readNBytes(block.length), "block " + i);
        }
        assertEquals(-1, in.read());
        writer.get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void clientHalfCloses_answerStillComes(ContractRig.Mode mode) throws Exception {
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    private int count;

                                    @Override
                                    void readable() throws IOException {
                                        byte[] buffer = new byte[100];
                                        int n = c.read(buffer, 0, 100);
                                        count += Math.max(n, 0);
                                        if (n < 0) {
                                            c.interest(0);
                                            byte[] answer = ("got " + count).getBytes();
                                            c.write(answer, 0, answer.length);
                                            c.shutdownOutput();
                                            c.close();
                                        }
                                    }
                                });
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write("twelve bytes".getBytes());
        socket.shutdownOutput();
        assertEquals("got 12", new String(socket.getInputStream().readAllBytes()));
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void clientResets_connectionCloses(ContractRig.Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = rig.listen(mode, c -> new Echo(c, record));
        Socket raw = TestClient.plain(listener.address());
        Socket socket = raw;
        if (mode.tls()) {
            socket =
                    rig.clientTls()
                            .getSocketFactory()
                            .createSocket(raw, "localhost", raw.getPort(), true);
        }
        ContractRig.echo(socket, "hello");
        raw.setSoLinger(true, 0);
        raw.close();
        Until.holds("closed", () -> record.closed.get() == 1);
        Until.holds("count is 0", () -> listener.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void cve_2026_42577_clientResetsAfterItsHalfClose_connectionCloses(ContractRig.Mode mode)
            throws Exception {
        AtomicReference<Connection> halfClosed = new AtomicReference<>();
        AtomicInteger closed = new AtomicInteger();
        byte[] answer = new byte[1000];
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        if (c.read(new byte[100], 0, 100) < 0) {
                                            c.interest(0);
                                            halfClosed.set(c);
                                        }
                                    }

                                    @Override
                                    public void onClosed() {
                                        closed.incrementAndGet();
                                    }
                                });
        Socket raw = TestClient.plain(listener.address());
        Socket socket = raw;
        if (mode.tls()) {
            socket =
                    rig.clientTls()
                            .getSocketFactory()
                            .createSocket(raw, "localhost", raw.getPort(), true);
        }
        socket.getOutputStream().write("twelve bytes".getBytes());
        socket.shutdownOutput();
        Until.holds("the end of input is seen", () -> halfClosed.get() != null);
        raw.setSoLinger(true, 0);
        raw.close();
        Connection connection = halfClosed.get();
        Until.holds(
                "an answer finds that nobody is there",
                () -> {
                    connection.execute(() -> {
                        try {
                            connection.write(answer, 0, answer.length);
                            connection.flush();
                        } catch (IOException e) {
                            connection.close();
                        }
                    });
                    return closed.get() == 1 && listener.connectionCount() == 0;
                });
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void serverResets_clientSeesReset(ContractRig.Mode mode) throws Exception {
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() {
                                        c.reset();
                                    }
                                });
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write(1);
        assertThrows(IOException.class, () -> socket.getInputStream().read());
        if (!mode.tls()) {
            Socket again = rig.connect(mode, listener);
            again.getOutputStream().write(1);
            assertThrows(SocketException.class, () -> again.getInputStream().read());
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void deadline_passes_onDeadlineIsCalledOnceInLoop(ContractRig.Mode mode) throws Exception {
        BlockingQueue<Long> fired = new ArrayBlockingQueue<>(10);
        AtomicLong due = new AtomicLong();
        AtomicInteger outside = new AtomicInteger();
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    {
                                        due.set(System.nanoTime() + 150_000_000);
                                        c.deadline(due.get());
                                    }

                                    @Override
                                    public void onDeadline() {
                                        fired.add(System.nanoTime());
                                        outside.addAndGet(c.inLoop() ? 0 : 1);
                                    }

                                    @Override
                                    void readable() throws IOException {
                                        byte[] one = new byte[1];
                                        int n = c.read(one, 0, 1);
                                        if (n > 0) {
                                            c.write(one, 0, 1);
                                        } else if (n < 0) {
                                            c.close();
                                        }
                                    }
                                });
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write(7);
        assertEquals(7, socket.getInputStream().read());
        Long at = fired.poll(10, TimeUnit.SECONDS);
        long late = at - due.get();
        assertTrue(late >= 0, "too early by " + -late);
        assertTrue(late < 600_000_000, "too late by " + late); // 100 ms, and a loaded machine
        // The connection still works, and the deadline does not come again.
        ContractRig.echo(socket, "x");
        assertEquals(null, fired.poll(300, TimeUnit.MILLISECONDS));
        assertEquals(0, outside.get());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void deadline_movedEarlierByAnotherThread_firesEarly(ContractRig.Mode mode) throws Exception {
        CountDownLatch fired = new CountDownLatch(1);
        AtomicReference<Connection> connection = new AtomicReference<>();
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    {
                                        c.deadline(System.nanoTime() + 3600_000_000_000L);
                                        connection.set(c);
                                    }

                                    @Override
                                    public void onDeadline() {
                                        fired.countDown();
                                    }
                                });
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write(1);
        Until.holds("accepted", () -> connection.get() != null);
        connection.get().deadline(System.nanoTime() + 50_000_000);
        assertTrue(fired.await(30, TimeUnit.SECONDS));
        connection.get().deadline(System.nanoTime() + 50_000_000);
        connection.get().deadline(Connection.NEVER);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void connectionsMax_reached_furtherOnesWait(ContractRig.Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = rig.listen(mode, 2, c -> new Echo(c, record));
        Socket first = rig.connect(mode, listener);
        Socket second = rig.connect(mode, listener);
        ContractRig.echo(first, "1");
        ContractRig.echo(second, "2");
        Socket third = TestClient.plain(listener.address());
        rig.keep(third);
        assertEquals(2, listener.connectionCount());
        assertEquals(2, record.opened.get());
        first.close();
        Socket secured = third;
        if (mode.tls()) {
            secured =
                    rig.clientTls()
                            .getSocketFactory()
                            .createSocket(third, "localhost", third.getPort(), true);
        }
        ContractRig.echo(secured, "3");
        assertEquals(2, listener.connectionCount());
        assertEquals(3, record.opened.get());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void connections_openedAndClosed_leakNoDescriptors(ContractRig.Mode mode) throws Exception {
        int rounds = mode.tls() ? 60 : 300;
        Echo.Record record = new Echo.Record();
        Listener listener = rig.listen(mode, c -> new Echo(c, record));
        try (Socket socket = rig.connect(mode, listener)) {
            ContractRig.echo(socket, "warm");
        }
        Until.holds("closed", () -> listener.connectionCount() == 0);
        long before = descriptors();
        for (int i = 0; i < rounds; i++) {
            try (Socket socket =
                    mode.tls()
                            ? TestClient.tls(rig.clientTls(), listener.address())
                            : TestClient.plain(listener.address())) {
                if (i % 2 == 0) {
                    ContractRig.echo(socket, "x");
                }
            }
        }
        Until.holds("all closed", () -> listener.connectionCount() == 0);
        Until.holds(
                "descriptors come back: " + before + " before", () -> descriptors() <= before + 5);
        Until.holds("onClosed for each", () -> record.opened.get() == record.closed.get());
    }

    private static long descriptors() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void sendFile_partOfFile_arrives(ContractRig.Mode mode) throws Exception {
        Path file = directory.resolve("data-" + mode);
        byte[] data = new byte[5 << 20];
        new Random(5).nextBytes(data);
        Files.write(file, data);
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        c.read(new byte[10], 0, 10);
                                        c.interest(0);
                                        workers.execute(() -> sendAll(c, file, 1000));
                                    }
                                });
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write(1);
        byte[] got = socket.getInputStream().readAllBytes();
        assertEquals(data.length - 1000, got.length);
        assertArrayEquals(java.util.Arrays.copyOfRange(data, 1000, data.length), got);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void writeAhead_andWhatFollows_arriveInOrder(ContractRig.Mode mode) throws Exception {
        Path file = directory.resolve("data-" + mode);
        byte[] data = new byte[1 << 20];
        new Random(5).nextBytes(data);
        Files.write(file, data);
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        c.read(new byte[10], 0, 10);
                                        c.interest(0);
                                        workers.execute(() -> {
                                            writeAheadAll(c, data, 300);
                                            writeAheadAll(c, data, data.length);
                                            sendAll(c, file, 0);
                                        });
                                    }
                                });
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write(1);
        byte[] got = socket.getInputStream().readAllBytes();
        assertEquals(300 + 2 * data.length, got.length);
        int second = 300 + data.length;
        assertArrayEquals(java.util.Arrays.copyOf(data, 300), java.util.Arrays.copyOf(got, 300));
        assertArrayEquals(data, java.util.Arrays.copyOfRange(got, 300, second));
        assertArrayEquals(data, java.util.Arrays.copyOfRange(got, second, got.length));
    }

    private static void writeAheadAll(Connection c, byte[] data, int length) {
        try {
            for (int at = 0; at < length; ) {
                int n = c.writeAhead(data, at, length - at);
                at += n;
                if (n == 0) {
                    assertTrue(c.await(Connection.WRITE, 10_000_000_000L));
                }
            }
        } catch (IOException e) {
            c.reset();
        }
    }

    private static void sendAll(Connection c, Path file, long from) {
        try (FileChannel channel = FileChannel.open(file)) {
            long at = from;
            for (; ; ) {
                long n = c.sendFile(channel, at, 1L << 30);
                if (n < 0) {
                    break;
                }
                at += n;
                if (n == 0) {
                    assertFalse(c.blocking(), "it waits until something has moved");
                    assertTrue(c.await(Connection.WRITE, 10_000_000_000L));
                }
            }
            while (!c.flush()) {
                c.await(Connection.WRITE, 10_000_000_000L);
            }
        } catch (IOException | AssertionError e) {
            c.reset();
        }
        c.close();
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void handler_throws_connectionClosesAndOthersLive(ContractRig.Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                record.opened.get() == 1
                                        ? new Scripted(c) {
                                            {
                                                record.opened.incrementAndGet();
                                            }

                                            @Override
                                            void readable() {
                                                throw new IllegalStateException("as the test says");
                                            }
                                        }
                                        : new Echo(c, record));
        Socket good = rig.connect(mode, listener);
        ContractRig.echo(good, "before");
        Socket bad = rig.connect(mode, listener);
        bad.getOutputStream().write(1);
        assertEnds(bad);
        ContractRig.echo(good, "after");
        Until.holds("one is left", () -> listener.connectionCount() == 1);
    }

    private static void assertEnds(Socket socket) throws IOException {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketException e) {
            // A reset ends it as well.
            assertTrue(e.getMessage() != null);
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void stopAccepting_openConnectionsGoOn_closeEndsThem(ContractRig.Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = rig.listen(mode, c -> new Echo(c, record));
        Socket socket = rig.connect(mode, listener);
        ContractRig.echo(socket, "before");
        listener.stopAccepting();
        ContractRig.echo(socket, "after");
        assertThrows(IOException.class, () -> TestClient.plain(listener.address()).close());
        listener.close();
        assertEnds(socket);
        Until.holds("closed", () -> record.closed.get() == 1 && listener.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#plainModes")
    void listen_portInUse_saysSo(ContractRig.Mode mode) throws Exception {
        Listener listener = rig.listen(mode, c -> new Echo(c, new Echo.Record()));
        InetSocketAddress taken = (InetSocketAddress) listener.address();
        try (Transport other = Transports.open(mode.transport(), TransportConfig.defaults())) {
            BindException failure =
                    assertThrows(
                            BindException.class,
                            () ->
                                    other.listen(
                                            ListenerConfig.of(taken),
                                            c -> new Echo(c, new Echo.Record())));
            assertTrue(
                    failure.getMessage().contains("" + taken.getPort())
                            && failure.getMessage().contains("in use"),
                    failure.getMessage());
        }
        // And free again at once after the close.
        listener.close();
        try (Transport other = Transports.open(mode.transport(), TransportConfig.defaults());
                Listener again =
                        other.listen(
                                ListenerConfig.of(taken), c -> new Echo(c, new Echo.Record()))) {
            assertEquals(taken, again.address());
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void deadline_whileEventWaitsInRead_firesAndCloses(ContractRig.Mode mode) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Listener listener =
                rig.listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        c.deadline(System.nanoTime() + 100_000_000);
                                        // On a blocking connection the second read waits in here.
                                        c.read(new byte[1], 0, 1);
                                        c.read(new byte[1], 0, 1);
                                    }

                                    @Override
                                    public void onDeadline() {
                                        c.close();
                                    }

                                    @Override
                                    public void onClosed() {
                                        closed.countDown();
                                    }
                                });
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write(1);
        assertTrue(closed.await(10, TimeUnit.SECONDS));
        assertEnds(socket);
    }
}
