package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What [Connection], [ConnectionHandler], [Listener] and [Transport] promise, on every transport,
/// plain and TLS.
@Timeout(120)
class TransportContractTest {
    /// One of the six ways to move bytes.
    record Mode(String transport, boolean tls) {
        @Override
        public String toString() {
            return transport + (tls ? "+tls" : "");
        }
    }

    @TempDir static Path directory;
    private static TestCertificates.Made certificate;
    private static SSLContext clientTls;
    private static ExecutorService workers;

    private final List<AutoCloseable> open = new ArrayList<>();

    static Stream<Mode> modes() {
        return Transports.names().stream()
                .flatMap(name -> Stream.of(new Mode(name, false), new Mode(name, true)));
    }

    static Stream<Mode> plainModes() {
        return modes().filter(m -> !m.tls);
    }

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = TestCertificates.make(directory, "localhost", "EC", "localhost");
        clientTls = TestClient.tlsContext();
        workers = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void stopWorkers() {
        workers.shutdownNow();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private Listener listen(Mode mode, ConnectionHandler.Factory handlers) throws IOException {
        return listen(mode, 1000, handlers);
    }

    private Listener listen(Mode mode, int connectionsMax, ConnectionHandler.Factory handlers)
            throws IOException {
        Transport transport = Transports.open(mode.transport, TransportConfig.defaults());
        open.add(transport);
        TlsConfig tls = mode.tls ? TlsConfig.of(certificate.cert(), certificate.key()) : null;
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Listener listener =
                transport.listen(new ListenerConfig(any, 1024, connectionsMax, tls), handlers);
        open.add(listener);
        return listener;
    }

    private Socket connect(Mode mode, Listener listener) throws IOException {
        Socket socket =
                mode.tls
                        ? TestClient.tls(clientTls, listener.address())
                        : TestClient.plain(listener.address());
        open.add(socket);
        return socket;
    }

    private static void echo(Socket socket, String text) throws IOException {
        byte[] sent = text.getBytes();
        socket.getOutputStream().write(sent);
        assertArrayEquals(sent, socket.getInputStream().readNBytes(sent.length));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void connection_keptOpen_echoesManyMessages(Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = listen(mode, c -> new Echo(c, record));
        Socket socket = connect(mode, listener);
        for (int i = 0; i < 500; i++) {
            echo(socket, "message " + i);
        }
        assertEquals(1, listener.connectionCount());
        assertEquals(socket.getLocalSocketAddress(), record.last.remote());
        assertEquals(listener.address(), record.last.local());
        socket.close();
        Until.holds("closed", () -> record.closed.get() == 1);
        Until.holds("count is 0", () -> listener.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void slowReader_of64MiB_stallsTheWriterAndLosesNothing(Mode mode) throws Exception {
        int total = 64 << 20;
        Listener listener = listen(mode, c -> new Echo(c, new Echo.Record()));
        Socket socket = connect(mode, listener);
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
        assertTrue(written.get() < total / 2, "the server buffered " + written.get() + " bytes");
        InputStream in = socket.getInputStream();
        for (int i = 0; i < total / block.length; i++) {
            assertArrayEquals(block, in.readNBytes(block.length), "block " + i);
        }
        assertEquals(-1, in.read());
        writer.get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void clientHalfCloses_answerStillComes(Mode mode) throws Exception {
        Listener listener =
                listen(
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
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write("twelve bytes".getBytes());
        socket.shutdownOutput();
        assertEquals("got 12", new String(socket.getInputStream().readAllBytes()));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void clientResets_connectionCloses(Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = listen(mode, c -> new Echo(c, record));
        Socket raw = TestClient.plain(listener.address());
        Socket socket = raw;
        if (mode.tls) {
            socket =
                    clientTls
                            .getSocketFactory()
                            .createSocket(raw, "localhost", raw.getPort(), true);
        }
        echo(socket, "hello");
        raw.setSoLinger(true, 0);
        raw.close();
        Until.holds("closed", () -> record.closed.get() == 1);
        Until.holds("count is 0", () -> listener.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void serverResets_clientSeesReset(Mode mode) throws Exception {
        Listener listener =
                listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() {
                                        c.reset();
                                    }
                                });
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(1);
        assertThrows(IOException.class, () -> socket.getInputStream().read());
        if (!mode.tls) {
            Socket again = connect(mode, listener);
            again.getOutputStream().write(1);
            assertThrows(SocketException.class, () -> again.getInputStream().read());
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deadline_passes_onDeadlineIsCalledOnceInLoop(Mode mode) throws Exception {
        BlockingQueue<Long> fired = new ArrayBlockingQueue<>(10);
        AtomicLong due = new AtomicLong();
        AtomicInteger outside = new AtomicInteger();
        Listener listener =
                listen(
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
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(7);
        assertEquals(7, socket.getInputStream().read());
        Long at = fired.poll(10, TimeUnit.SECONDS);
        long late = at - due.get();
        assertTrue(late >= 0, "too early by " + -late);
        assertTrue(late < 600_000_000, "too late by " + late); // 100 ms, and a loaded machine
        // The connection still works, and the deadline does not come again.
        echo(socket, "x");
        assertEquals(null, fired.poll(300, TimeUnit.MILLISECONDS));
        assertEquals(0, outside.get());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deadline_movedEarlierByAnotherThread_firesEarly(Mode mode) throws Exception {
        CountDownLatch fired = new CountDownLatch(1);
        AtomicReference<Connection> connection = new AtomicReference<>();
        Listener listener =
                listen(
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
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(1);
        Until.holds("accepted", () -> connection.get() != null);
        connection.get().deadline(System.nanoTime() + 50_000_000);
        assertTrue(fired.await(5, TimeUnit.SECONDS));
        connection.get().deadline(System.nanoTime() + 50_000_000);
        connection.get().deadline(Connection.NEVER);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void handOver_workerReadsWritesAndGivesBack_noEventIsLost(Mode mode) throws Exception {
        AtomicInteger events = new AtomicInteger();
        Listener listener =
                listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() {
                                        events.incrementAndGet();
                                        c.interest(0);
                                        workers.execute(() -> serve(c));
                                    }
                                });
        Socket socket = connect(mode, listener);
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            // A message in two parts, so that the worker waits for the second.
            byte[] message = new byte[1000];
            random.nextBytes(message);
            message[0] = 1;
            socket.getOutputStream().write(message, 0, 300);
            socket.getOutputStream().flush();
            if (i % 3 == 0) {
                Thread.yield();
            }
            socket.getOutputStream().write(message, 300, 700);
            assertArrayEquals(message, socket.getInputStream().readNBytes(1000), "message " + i);
        }
        // Two messages at once: the second is an event that comes while a worker has the first.
        socket.getOutputStream().write(new byte[2000]);
        assertEquals(2000, socket.getInputStream().readNBytes(2000).length);
        assertTrue(events.get() >= 202, "events: " + events.get());
    }

    /// Echoes 1000 bytes on a worker and gives the connection back.
    private static void serve(Connection c) {
        try {
            byte[] buffer = new byte[1000];
            int got = 0;
            while (got < buffer.length) {
                int n = c.read(buffer, got, buffer.length - got);
                if (n < 0) {
                    c.close();
                    return;
                }
                got += n;
                if (n == 0 && !c.await(Connection.READ, 10_000_000_000L)) {
                    throw new IOException("no input");
                }
            }
            int sent = 0;
            while (sent < buffer.length) {
                int n = c.write(buffer, sent, buffer.length - sent);
                sent += n;
                if (n == 0 && !c.await(Connection.WRITE, 10_000_000_000L)) {
                    throw new IOException("no room");
                }
            }
            while (!c.flush()) {
                c.await(Connection.WRITE, 10_000_000_000L);
            }
            c.interest(Connection.READ);
        } catch (IOException e) {
            c.close();
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void worker_writesToSlowReader_awaitsRoom(Mode mode) throws Exception {
        int total = 16 << 20;
        Listener listener =
                listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        c.read(new byte[10], 0, 10);
                                        c.interest(0);
                                        workers.execute(() -> writeMuch(c, total));
                                    }
                                });
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(1);
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[10_000];
        long got = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            for (int i = 0; i < n; i++, got++) {
                if (buffer[i] != (byte) got) {
                    throw new AssertionError("wrong byte at " + got);
                }
            }
        }
        assertEquals(total, got);
    }

    private static void writeMuch(Connection c, int total) {
        try {
            byte[] block = new byte[256 * 100];
            for (int i = 0; i < block.length; i++) {
                block[i] = (byte) i;
            }
            int sent = 0;
            while (sent < total) {
                int from = sent % 256;
                int most = Math.min(total - sent, block.length - from);
                int n = c.write(block, from, most);
                sent += n;
                if (n == 0) {
                    assertTrue(c.await(Connection.WRITE, 10_000_000_000L), "no room");
                }
            }
            while (!c.flush()) {
                c.await(Connection.WRITE, 10_000_000_000L);
            }
            c.close();
        } catch (IOException e) {
            c.reset();
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void execute_fromOtherThreadsWhileIdle_runsInLoopInOrder(Mode mode) throws Exception {
        AtomicReference<Connection> connection = new AtomicReference<>();
        Listener listener =
                listen(
                        mode,
                        c -> {
                            connection.set(c);
                            return new Echo(c, new Echo.Record());
                        });
        Socket socket = connect(mode, listener);
        echo(socket, "hello");
        Connection c = connection.get();
        ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
        AtomicInteger outside = new AtomicInteger();
        for (int i = 0; i < 1000; i++) {
            int number = i;
            c.execute(() -> {
                order.add(number);
                outside.addAndGet(c.inLoop() ? 0 : 1);
            });
        }
        Until.holds("all run", () -> order.size() == 1000);
        assertEquals(0, outside.get());
        int expected = 0;
        for (int number : order) {
            assertEquals(expected++, number);
        }
        assertFalse(c.inLoop());
        // A task that writes, while the loop waits for input.
        c.execute(() -> {
            try {
                c.write(new byte[] {42}, 0, 1);
            } catch (IOException e) {
                c.close();
            }
        });
        assertEquals(42, socket.getInputStream().read());
        socket.close();
        Until.holds("closed", c::isClosed);
        CountDownLatch after = new CountDownLatch(1);
        c.execute(after::countDown);
        assertTrue(after.await(5, TimeUnit.SECONDS), "tasks run after the end, too");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void close_whileWorkerAwaits_wakesItWithException(Mode mode) throws Exception {
        BlockingQueue<Object> outcome = new ArrayBlockingQueue<>(1);
        AtomicReference<Connection> connection = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        Listener listener =
                listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        c.read(new byte[1], 0, 1);
                                        c.interest(0);
                                        workers.execute(() -> {
                                            connection.set(c);
                                            outcome.add(awaitRead(c));
                                        });
                                    }

                                    @Override
                                    public void onClosed() {
                                        closed.countDown();
                                    }
                                });
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(1);
        Until.holds("handed over", () -> connection.get() != null);
        connection.get().close();
        Object result = outcome.poll(10, TimeUnit.SECONDS);
        assertTrue(result instanceof IOException, "await ended with " + result);
        assertTrue(closed.await(5, TimeUnit.SECONDS));
        assertTrue(connection.get().isClosed());
    }

    private static Object awaitRead(Connection c) {
        try {
            // Readiness is a hint, so that a wait may end early.
            for (int i = 0; i < 10; i++) {
                if (!c.await(Connection.READ, 60_000_000_000L)) {
                    return "timeout";
                }
                int n = c.read(new byte[1], 0, 1);
                if (n != 0) {
                    return "read " + n;
                }
            }
            return "waits that do not wait";
        } catch (IOException e) {
            return e;
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void await_nothingComes_returnsFalse(Mode mode) throws Exception {
        BlockingQueue<Object> outcome = new ArrayBlockingQueue<>(1);
        Listener listener =
                listen(
                        mode,
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        c.read(new byte[10], 0, 10);
                                        c.interest(0);
                                        workers.execute(() -> outcome.add(timedAwait(c)));
                                    }
                                });
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(1);
        assertEquals(false, outcome.poll(10, TimeUnit.SECONDS));
    }

    private static Object timedAwait(Connection c) {
        try {
            boolean possible = true;
            // One wait may end early: readiness is a hint.
            for (int i = 0; i < 3 && possible; i++) {
                possible = c.await(Connection.READ, 100_000_000);
                if (possible && !c.blocking()) {
                    c.read(new byte[10], 0, 10);
                }
            }
            return possible;
        } catch (IOException e) {
            return e;
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void connectionsMax_reached_furtherOnesWait(Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = listen(mode, 2, c -> new Echo(c, record));
        Socket first = connect(mode, listener);
        Socket second = connect(mode, listener);
        echo(first, "1");
        echo(second, "2");
        Socket third = TestClient.plain(listener.address());
        open.add(third);
        assertEquals(2, listener.connectionCount());
        assertEquals(2, record.opened.get());
        first.close();
        Socket secured = third;
        if (mode.tls) {
            secured =
                    clientTls
                            .getSocketFactory()
                            .createSocket(third, "localhost", third.getPort(), true);
        }
        echo(secured, "3");
        assertEquals(2, listener.connectionCount());
        assertEquals(3, record.opened.get());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void connections_openedAndClosed_leakNoDescriptors(Mode mode) throws Exception {
        int rounds = mode.tls ? 300 : 2000;
        Echo.Record record = new Echo.Record();
        Listener listener = listen(mode, c -> new Echo(c, record));
        try (Socket socket = connect(mode, listener)) {
            echo(socket, "warm");
        }
        Until.holds("closed", () -> listener.connectionCount() == 0);
        long before = descriptors();
        for (int i = 0; i < rounds; i++) {
            try (Socket socket =
                    mode.tls
                            ? TestClient.tls(clientTls, listener.address())
                            : TestClient.plain(listener.address())) {
                if (i % 2 == 0) {
                    echo(socket, "x");
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
    @MethodSource("modes")
    void sendFile_partOfFile_arrives(Mode mode) throws Exception {
        Path file = directory.resolve("data-" + mode);
        byte[] data = new byte[5 << 20];
        new Random(5).nextBytes(data);
        Files.write(file, data);
        Listener listener =
                listen(
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
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(1);
        byte[] got = socket.getInputStream().readAllBytes();
        assertEquals(data.length - 1000, got.length);
        assertArrayEquals(java.util.Arrays.copyOfRange(data, 1000, data.length), got);
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
                    assertTrue(c.await(Connection.WRITE, 10_000_000_000L));
                }
            }
            while (!c.flush()) {
                c.await(Connection.WRITE, 10_000_000_000L);
            }
        } catch (IOException e) {
            c.reset();
        }
        c.close();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void handler_throws_connectionClosesAndOthersLive(Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener =
                listen(
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
        Socket good = connect(mode, listener);
        echo(good, "before");
        Socket bad = connect(mode, listener);
        bad.getOutputStream().write(1);
        assertEnds(bad);
        echo(good, "after");
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
    @MethodSource("modes")
    void stopAccepting_openConnectionsGoOn_closeEndsThem(Mode mode) throws Exception {
        Echo.Record record = new Echo.Record();
        Listener listener = listen(mode, c -> new Echo(c, record));
        Socket socket = connect(mode, listener);
        echo(socket, "before");
        listener.stopAccepting();
        echo(socket, "after");
        assertThrows(IOException.class, () -> TestClient.plain(listener.address()).close());
        listener.close();
        assertEnds(socket);
        Until.holds("closed", () -> record.closed.get() == 1 && listener.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("plainModes")
    void listen_portInUse_saysSo(Mode mode) throws Exception {
        Listener listener = listen(mode, c -> new Echo(c, new Echo.Record()));
        InetSocketAddress taken = (InetSocketAddress) listener.address();
        try (Transport other = Transports.open(mode.transport, TransportConfig.defaults())) {
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
        try (Transport other = Transports.open(mode.transport, TransportConfig.defaults());
                Listener again =
                        other.listen(
                                ListenerConfig.of(taken), c -> new Echo(c, new Echo.Record()))) {
            assertEquals(taken, again.address());
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deadline_whileEventWaitsInRead_firesAndCloses(Mode mode) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Listener listener =
                listen(
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
        Socket socket = connect(mode, listener);
        socket.getOutputStream().write(1);
        assertTrue(closed.await(10, TimeUnit.SECONDS));
        assertEnds(socket);
    }
}
