package io.margay.server.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.connection.BlockingWait;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.connection.ScriptedConnection;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.ArrayPool;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.serial.SerialConnection;
import io.margay.transport.Connection;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who owns an exchange's connection and buffers when threads meet at the worst moment. Each
/// meeting is played on one thread.
@Tag("slow")
class OwnershipTest {
    private static final String CHUNKED =
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    private final ScriptedConnection io = new ScriptedConnection();
    private final ArrayDeque<Runnable> submitted = new ArrayDeque<>();
    private final List<Exchange> exchanges = new ArrayList<>();

    private ConnectionContext context(Handler handler, HttpLimits limits) {
        Dispatcher queue =
                new Dispatcher() {
                    @Override
                    public boolean submit(Runnable task) {
                        return submitted.add(task);
                    }

                    @Override
                    public int active() {
                        return 0;
                    }

                    @Override
                    public int queued() {
                        return submitted.size();
                    }

                    @Override
                    public void close() {}
                };
        return new ConnectionContext(
                handler,
                queue,
                HttpServerConfig.defaults().withLimits(limits),
                new ServerStats(),
                null,
                InstantSource.system(),
                System::nanoTime);
    }

    /// Has a request dispatched whose task returns without having ended it, so that a thread of the
    /// application goes on with it.
    private Exchange detached(SerialConnection connection, String request) {
        io.receive(request);
        connection.onReadable();
        io.loop = false;
        submitted.remove().run();
        return exchanges.getLast();
    }

    private void dispatching(Exchange exchange) {
        exchanges.add(exchange);
        exchange.dispatch(() -> {});
    }

    @Test
    void buffersOfOneSize_areGivenBackOnce() {
        ArrayPool small = new ArrayPool(4096, 16);
        ArrayPool large = new ArrayPool(4096, 16);
        ConnectionInput input =
                new ConnectionInput(io, new BlockingWait(io, System::nanoTime), 1, small, large);
        io.receive("x");
        assertEquals(1, read(input));
        input.release();
        assertNotSame(small.lease(), large.lease());
    }

    private static int read(ConnectionInput input) {
        try {
            return input.fill();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void close_whileTheApplicationReads_doesNotGiveItsBufferAway() throws IOException {
        ConnectionContext context = context(this::dispatching, HttpLimits.defaults());
        SerialConnection connection = Http1Protocol.open(io, context);
        Exchange exchange = detached(connection, CHUNKED);
        io.onRead =
                () -> {
                    io.close();
                    connection.onClosed();
                };
        assertThrows(IOException.class, () -> exchange.read(new byte[10], 0, 10));
        byte[] inUse = io.readTarget;
        for (int i = 0; i < 8; i++) {
            assertNotSame(inUse, context.smallBuffers.lease());
            assertNotSame(inUse, context.largeBuffers.lease());
        }
    }

    @Test
    void oldDeadline_whileTheApplicationWrites_doesNotCutTheResponse() throws IOException {
        Duration soon = Duration.ofMillis(1);
        Duration late = Duration.ofSeconds(20);
        ConnectionContext context =
                context(
                        this::dispatching,
                        HttpLimits.defaults().withTimeouts(soon, soon, late, late));
        SerialConnection connection = Http1Protocol.open(io, context);
        Exchange exchange = detached(connection, GET);
        long passed = System.nanoTime() + soon.toNanos();
        while (System.nanoTime() - passed <= 0) {
            Thread.onSpinWait();
        }
        io.room = false;
        io.onAwait =
                () -> {
                    io.loop = true;
                    connection.onDeadline();
                    io.loop = false;
                    io.room = true;
                };
        exchange.write(new byte[100], 0, 100);
        assertFalse(io.closed);
        exchange.end();
        assertTrue(io.written.toString().endsWith("0\r\n\r\n"), io.written.toString());
    }

    @Test
    void abort_afterTheEnd_sparesTheNextRequest() throws IOException {
        ConnectionContext context = context(this::dispatching, HttpLimits.defaults());
        SerialConnection connection = Http1Protocol.open(io, context);
        Exchange exchange = detached(connection, GET);
        exchange.end();
        io.loop = true;
        io.receive(GET);
        connection.onReadable();
        assertEquals(2, exchanges.size());
        exchange.abort();
        assertFalse(io.closed);
    }

    @Test
    void failure_afterTheEnd_sparesTheConnection() {
        Handler handler =
                exchange -> {
                    exchange.end();
                    throw new IOException("too late");
                };
        ConnectionContext context = context(handler, HttpLimits.defaults());
        SerialConnection connection = Http1Protocol.open(io, context);
        io.receive(GET);
        connection.onReadable();
        assertFalse(io.closed);
    }

    /// Has another thread dispatch a task just once, from within a call.
    private Runnable once(Exchange exchange) {
        boolean[] done = new boolean[1];
        return () -> {
            if (!done[0]) {
                done[0] = true;
                boolean before = io.loop;
                io.loop = false;
                exchange.dispatch(() -> {});
                io.loop = before;
            }
        };
    }

    @Test
    void dispatch_whileTheLoopArmsEvents_ownsTheConnectionAlone() {
        SerialConnection connection =
                Http1Protocol.open(io, context(this::dispatching, HttpLimits.defaults()));
        Exchange exchange = detached(connection, CHUNKED);
        exchange.onReadable(() -> {});
        io.onDeadlineSet = once(exchange);
        io.runTasks();
        assertEquals(1, submitted.size());
        assertEquals(0, io.interest, "no event while a task works");
    }

    @Test
    void dispatch_whileTheLoopSends_waitsForTheEndOfThat() throws IOException {
        SerialConnection connection =
                Http1Protocol.open(io, context(this::dispatching, HttpLimits.defaults()));
        Exchange exchange = detached(connection, GET);
        io.room = false;
        exchange.offer(new byte[100], 0, 100);
        io.runTasks();
        assertEquals(Connection.WRITE, io.interest & Connection.WRITE);
        io.room = true;
        int[] during = {-1};
        Runnable dispatch = once(exchange);
        io.onWrite =
                () -> {
                    dispatch.run();
                    during[0] = submitted.size();
                };
        io.loop = true;
        connection.onWritable();
        assertEquals(0, during[0], "nobody else sends meanwhile");
        assertEquals(1, submitted.size());
        assertEquals(0, io.interest);
    }

    @Test
    void CVE_2007_6750_readerBelowTheRate_whileTheLoopSends_isDropped() throws IOException {
        HttpLimits limits = HttpLimits.defaults().withRates(Duration.ZERO, 256, 256);
        Handler handler = exchange -> exchange.end(new byte[100_000], 0, 100_000);
        SerialConnection connection = Http1Protocol.open(io, context(handler, limits));
        io.receive(GET);
        io.room = false;
        long begun = System.nanoTime();
        connection.onReadable();
        connection.onWritable();
        boolean early = System.nanoTime() - begun < Duration.ofMillis(900).toNanos();
        assertFalse(io.closed && early, "not waited for yet");
        long end = System.nanoTime() + Duration.ofMillis(1010).toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        connection.onWritable();
        assertTrue(io.closed);
    }

    @Test
    void trailersThatCannotBeSent_endTheConnection() {
        Handler handler =
                exchange -> {
                    FieldList bad = new FieldList();
                    bad.add("X-Bad", "a\r\nb");
                    exchange.trailers(() -> bad);
                    exchange.end();
                };
        SerialConnection connection =
                Http1Protocol.open(io, context(handler, HttpLimits.defaults()));
        io.receive(GET);
        connection.onReadable();
        assertTrue(io.closed);
    }

    @Test
    void onReadable_withContentLeftInABuffer_runsAtOnce() throws IOException {
        List<String> seen = new ArrayList<>();
        Handler handler =
                exchange -> {
                    byte[] two = new byte[2];
                    seen.add(new String(two, 0, exchange.poll(two, 0, 2)));
                    exchange.onReadable(() -> {
                        try {
                            seen.add("" + exchange.poll(two, 0, 2));
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    });
                };
        SerialConnection connection =
                Http1Protocol.open(io, context(handler, HttpLimits.defaults()));
        io.receive(CHUNKED + "5\r\nhello");
        connection.onReadable();
        io.runTasks();
        assertEquals(2, seen.size(), seen::toString);
    }

    /// A thread that the task has started is in the middle of a write when the task ends.
    @Test
    void taskEnds_whileTheApplicationWrites_bytesAreSentOnce() throws IOException {
        SerialConnection connection =
                Http1Protocol.open(io, context(this::dispatching, HttpLimits.defaults()));
        io.receive(GET);
        connection.onReadable();
        io.loop = false;
        Exchange exchange = exchanges.getLast();
        io.onWrite =
                () -> {
                    io.onWrite = () -> {};
                    submitted.remove().run();
                    io.runTasks();
                    if ((io.interest & Connection.WRITE) != 0) {
                        io.loop = true;
                        connection.onWritable();
                        io.loop = false;
                    }
                };
        exchange.write(new byte[] {'x'}, 0, 1);
        String sent = io.written.toString();
        assertEquals(0, sent.lastIndexOf("HTTP/1.1 200"), sent);
        assertTrue(sent.endsWith("\r\n\r\n1\r\nx\r\n"), sent);
    }
}
