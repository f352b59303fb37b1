package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a [Connection] promises to threads other than its loop, on every transport, plain and TLS.
@Tag("slow")
@Timeout(120)
class HandOverContractTest {
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
    void handOver_workerReadsWritesAndGivesBack_noEventIsLost(ContractRig.Mode mode)
            throws Exception {
        AtomicInteger events = new AtomicInteger();
        Listener listener =
                rig.listen(
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
        Socket socket = rig.connect(mode, listener);
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
    @MethodSource("io.margay.transport.ContractRig#modes")
    void worker_writesToSlowReader_awaitsRoom(ContractRig.Mode mode) throws Exception {
        int total = 16 << 20;
        Listener listener =
                rig.listen(
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
        Socket socket = rig.connect(mode, listener);
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
    @MethodSource("io.margay.transport.ContractRig#modes")
    void execute_fromOtherThreadsWhileIdle_runsInLoopInOrder(ContractRig.Mode mode)
            throws Exception {
        AtomicReference<Connection> connection = new AtomicReference<>();
        Listener listener =
                rig.listen(
                        mode,
                        c -> {
                            connection.set(c);
                            return new Echo(c, new Echo.Record());
                        });
        Socket socket = rig.connect(mode, listener);
        ContractRig.echo(socket, "hello");
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
        assertTrue(after.await(30, TimeUnit.SECONDS), "tasks run after the end, too");
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.ContractRig#modes")
    void close_whileWorkerAwaits_wakesItWithException(ContractRig.Mode mode) throws Exception {
        BlockingQueue<Object> outcome = new ArrayBlockingQueue<>(1);
        AtomicReference<Connection> connection = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        Listener listener =
                rig.listen(
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
        Socket socket = rig.connect(mode, listener);
        socket.getOutputStream().write(1);
        Until.holds("handed over", () -> connection.get() != null);
        connection.get().close();
        Object result = outcome.poll(10, TimeUnit.SECONDS);
        assertTrue(result instanceof IOException, "await ended with " + result);
        assertTrue(closed.await(30, TimeUnit.SECONDS));
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
    @MethodSource("io.margay.transport.ContractRig#modes")
    void await_nothingComes_returnsFalse(ContractRig.Mode mode) throws Exception {
        BlockingQueue<Object> outcome = new ArrayBlockingQueue<>(1);
        Listener listener =
                rig.listen(
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
        Socket socket = rig.connect(mode, listener);
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
}
