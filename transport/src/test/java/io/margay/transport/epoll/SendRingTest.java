package io.margay.transport.epoll;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.DialTarget;
import io.margay.transport.Dialer;
import io.margay.transport.TransportConfig;
import io.margay.transport.libc.IoUring;
import io.margay.transport.libc.IoUringCalls;
import io.margay.transport.libc.Libc;
import io.margay.transport.loop.LoopTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Writes to several connections by one `io_uring_enter`, and what is done where it fails.
final class SendRingTest {
    private final Calls calls = new Calls();
    private final List<Pair> pairs = new ArrayList<>();
    private LoopTransport transport;
    private ServerSocket server;
    private Dialer dialer;

    /// The kernel's calls, which fail when they are told to.
    private static final class Calls implements IoUring {
        private final IoUring kernel = new IoUringCalls(new Libc());
        int setups;
        int enters;
        int closed;
        boolean refuseSetup;

        /// Of the entries of the next calls this many are kept back.
        int keptBack;

        @Override
        public int setup(int entries, MemorySegment parameters) throws IOException {
            setups++;
            if (refuseSetup) {
                throw Libc.failure("io_uring_setup", 1);
            }
            return kernel.setup(entries, parameters);
        }

        @Override
        public long map(int ring, long bytes, long offset) throws IOException {
            return kernel.map(ring, bytes, offset);
        }

        @Override
        public void unmap(long address, long bytes) throws IOException {
            kernel.unmap(address, bytes);
        }

        @Override
        public int enter(MemorySegment errno, int ring, int submit, int completions, int flags) {
            enters++;
            int less = Math.max(0, submit - keptBack);
            return less == 0 && submit > 0
                    ? -Libc.EACCES
                    : kernel.enter(errno, ring, less, completions, flags);
        }

        @Override
        public void close(int ring) throws IOException {
            closed++;
            kernel.close(ring);
        }
    }

    /// A dialled connection and its peer.
    private static final class Pair implements ConnectionHandler {
        final Connection io;
        Socket peer;
        final CountDownLatch writable = new CountDownLatch(1);
        final CountDownLatch readable = new CountDownLatch(1);

        Pair(Connection io) {
            this.io = io;
        }

        @Override
        public void onReadable() {
            io.interest(0);
            readable.countDown();
        }

        @Override
        public void onWritable() {
            io.interest(0);
            writable.countDown();
        }

        @Override
        public void onDeadline() {}

        @Override
        public void onClosed() {}
    }

    @BeforeEach
    void open() throws Exception {
        assumeTrue(EpollSockets.probe().isEmpty(), "no native transport");
        transport =
                EpollSockets.transport(
                        TransportConfig.defaults().withLoops(1), new SendRings(calls, true));
        server = new ServerSocket(0, 300, InetAddress.getLoopbackAddress());
        dialer = transport.dialer();
    }

    @AfterEach
    void close() throws IOException {
        if (transport != null) {
            transport.close();
            server.close();
            for (Pair pair : pairs) {
                pair.peer.close();
            }
        }
        assertEquals(calls.refuseSetup ? 0 : calls.setups, calls.closed, "rings left open");
    }

    private Pair dial() throws Exception {
        CompletableFuture<Pair> made = new CompletableFuture<>();
        dialer.execute(() ->
                dialer.dial(
                        new DialTarget(server.getLocalSocketAddress(), Duration.ofSeconds(9), null),
                        io -> {
                            Pair pair = new Pair(io);
                            made.complete(pair);
                            return pair;
                        },
                        made::completeExceptionally));
        Socket peer = server.accept();
        Pair pair = made.get(10, TimeUnit.SECONDS);
        pair.peer = peer;
        pair.peer.setSoTimeout(10_000);
        pairs.add(pair);
        return pair;
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        dialer.execute(() -> {
            try {
                done.complete(task.call());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done.get(20, TimeUnit.SECONDS);
    }

    private Dialer.WriteBatch batch() {
        Dialer.WriteBatch batch = dialer.writeBatch();
        assumeTrue(batch != null || calls.setups == 0, "no io_uring here");
        assertNotNull(batch);
        return batch;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean add(Dialer.WriteBatch batch, Pair to, byte[] source) {
        return batch.add(to.io, source, 0, source.length);
    }

    private static String received(Pair pair, int count) throws IOException {
        return new String(pair.peer.getInputStream().readNBytes(count), StandardCharsets.US_ASCII);
    }

    @Test
    void batch_ofAsManyAsItTakes_reachesEachInOneCall() throws Exception {
        for (int i = 0; i < SendRing.SENDS_MAX + 2; i++) {
            dial();
        }
        for (int round = 0; round < 3; round++) {
            String name = "round " + round + " to ";
            int before = calls.enters;
            onLoop(() -> {
                Dialer.WriteBatch batch = batch();
                int added = 0;
                while (add(batch, pairs.get(added), bytes(name + (1000 + added)))) {
                    added++;
                }
                assertEquals(SendRing.SENDS_MAX, added);
                batch.write();
                for (int i = 0; i < added; i++) {
                    assertEquals(name.length() + 4, batch.taken(i));
                }
                assertThrows(IndexOutOfBoundsException.class, () -> batch.taken(128));
                // The next batch begins anew.
                assertTrue(add(batch, pairs.get(added), bytes(name + (1000 + added))));
                assertTrue(add(batch, pairs.get(added + 1), bytes(name + 1129)));
                batch.write();
                assertEquals(name.length() + 4, batch.taken(1));
                return null;
            });
            assertEquals(before + 2, calls.enters);
            for (int i = 0; i < pairs.size(); i++) {
                assertEquals(name + (1000 + i), received(pairs.get(i), name.length() + 4));
            }
        }
        assertEquals(1, calls.setups);
    }

    @Test
    void connection_thatHasAWriteInTheBatch_isNotAddedAgainUntilItIsDone() throws Exception {
        Pair pair = dial();
        onLoop(() -> {
            Dialer.WriteBatch batch = batch();
            assertTrue(add(batch, pair, bytes("one")));
            assertFalse(add(batch, pair, bytes("two")));
            batch.write();
            assertEquals(3, batch.taken(0));
            assertTrue(add(batch, pair, bytes("three")));
            batch.write();
            assertEquals(5, batch.taken(0));
            return null;
        });
        assertEquals("onethree", received(pair, 8));
    }

    @Test
    void batch_beyondTheRingsMemory_isSentAllTheSame() throws Exception {
        byte[] much = new byte[40_000];
        Arrays.fill(much, (byte) 'x');
        dial();
        dial();
        dial();
        onLoop(() -> {
            Dialer.WriteBatch batch = batch();
            for (Pair pair : pairs) {
                assertTrue(add(batch, pair, much));
            }
            batch.write();
            for (int i = 0; i < 3; i++) {
                assertEquals(much.length, batch.taken(i));
            }
            return null;
        });
        for (Pair pair : pairs) {
            assertArrayEquals(much, pair.peer.getInputStream().readNBytes(much.length));
        }
    }

    @Test
    void peer_thatTakesNoMore_getsTheRestWhenThereIsRoom() throws Exception {
        Pair full = dial();
        Pair other = dial();
        byte[] piece = new byte[50_000];
        int[] sent = {0};
        int[] rounds = {0};
        onLoop(() -> {
            full.io.interest(0);
            for (; ; ) {
                byte[] numbered = numbered(sent[0], piece.length);
                int taken = full.io.write(numbered, 0, numbered.length);
                sent[0] += taken;
                if (taken < piece.length) {
                    break;
                }
            }
            // The kernel may still find room for some more.
            int more = 20_000;
            while (more == 20_000) {
                assertTrue(rounds[0]++ < 10_000, "a socket that takes everything");
                Dialer.WriteBatch batch = batch();
                assertTrue(add(batch, full, numbered(sent[0], 20_000)));
                assertTrue(add(batch, other, bytes(".")));
                batch.write();
                more = batch.taken(0);
                sent[0] += more;
                assertEquals(1, batch.taken(1));
            }
            full.io.interest(Connection.WRITE);
            return null;
        });
        assertEquals(".".repeat(rounds[0]), received(other, rounds[0]));
        int first = sent[0];
        assertArrayEquals(numbered(0, first), full.peer.getInputStream().readNBytes(first));
        assertTrue(full.writable.await(10, TimeUnit.SECONDS), "room is not told");
        onLoop(() -> {
            Dialer.WriteBatch batch = batch();
            assertTrue(add(batch, full, numbered(first, 20_000)));
            batch.write();
            assertEquals(20_000, batch.taken(0));
            return null;
        });
        assertArrayEquals(numbered(first, 20_000), full.peer.getInputStream().readNBytes(20_000));
    }

    /// Bytes of a stream that differs at every place.
    private static byte[] numbered(int from, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length);
        for (int i = from; i < from + length; i++) {
            out.write((i >> 2 * (i & 3)) * 31 + i);
        }
        return out.toByteArray();
    }

    @Test
    void peer_thatHasReset_failsAlone() throws Exception {
        Pair reset = dial();
        Pair open = dial();
        reset.io.interest(Connection.READ);
        reset.peer.setSoLinger(true, 0);
        reset.peer.close();
        assertTrue(reset.readable.await(10, TimeUnit.SECONDS));
        onLoop(() -> {
            Dialer.WriteBatch batch = batch();
            assertTrue(add(batch, reset, bytes("lost")));
            assertTrue(add(batch, open, bytes("kept")));
            batch.write();
            IOException e = assertThrows(IOException.class, () -> batch.taken(0));
            assertTrue(e.getMessage().endsWith("(send)"), e.getMessage());
            assertEquals(4, batch.taken(1));
            return null;
        });
        assertEquals("kept", received(open, 4));
    }

    @Test
    void connection_thatIsClosedMeanwhile_isNotWrittenTo() throws Exception {
        Pair closed = dial();
        Pair open = dial();
        onLoop(() -> {
            Dialer.WriteBatch batch = batch();
            assertTrue(add(batch, closed, bytes("lost")));
            assertTrue(add(batch, open, bytes("kept")));
            closed.io.close();
            batch.write();
            assertThrows(ClosedChannelException.class, () -> batch.taken(0));
            assertEquals(4, batch.taken(1));
            return null;
        });
        assertEquals("kept", received(open, 4));
        assertEquals(-1, closed.peer.getInputStream().read());
    }

    @Test
    void kernel_thatRefusesRings_isAskedOnce() throws Exception {
        calls.refuseSetup = true;
        Pair pair = dial();
        onLoop(() -> {
            assertNull(dialer.writeBatch());
            assertNull(dialer.writeBatch());
            return null;
        });
        assertEquals(1, calls.setups);
        SendRings refused = new SendRings(calls, true);
        assertNull(refused.open());
        assertNull(refused.open());
        assertEquals(2, calls.setups);
        assertNull(new SendRings(calls, false).open());
        assertEquals(2, calls.setups);
        assertFalse(pair.io.isClosed());
    }

    @Test
    void kernel_thatTakesNone_losesNothing() throws Exception {
        sendsWith(3);
    }

    @Test
    void kernel_thatTakesSome_losesNothingAndSendsNothingTwice() throws Exception {
        sendsWith(1);
    }

    private void sendsWith(int keptBack) throws Exception {
        for (int i = 0; i < 3; i++) {
            dial();
        }
        onLoop(() -> {
            Dialer.WriteBatch batch = batch();
            calls.keptBack = keptBack;
            for (Pair pair : pairs) {
                assertTrue(add(batch, pair, bytes("request")));
            }
            batch.write();
            for (int i = 0; i < 3; i++) {
                assertEquals(7, batch.taken(i));
            }
            assertNull(dialer.writeBatch(), "used on");
            for (Pair pair : pairs) {
                pair.io.shutdownOutput();
            }
            return null;
        });
        for (Pair pair : pairs) {
            assertEquals("request", received(pair, 100));
        }
    }
}
