package io.margay.server.connection;

import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import io.margay.protocol.http2.Http2Stream;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// HTTP/2 on one connection (RFC 9113): frames in, an exchange for each stream to the handler, flow
/// control, deadlines, and the end.
///
/// Only the loop reads. What the loop and the threads of the exchanges share - the session with its
/// streams and its output, and the fields marked so - is guarded by `lock`, which is never held
/// during I/O or foreign code. Who sends is decided by [Http2Writer].
///
/// ```
/// OPEN --GOAWAY sent, nothing under way--> CLOSING --all sent--> LINGER --> CLOSED
/// ```
public final class Http2Connection
        implements ConnectionHandler, ServedConnection, DialingExchange.Carrier {
    private enum Phase {
        OPEN,
        /// Nothing more is read; what was put is sent still.
        CLOSING,
        /// Output is ended; input is thrown away until the peer has read ours.
        LINGER,
        CLOSED
    }

    /// A frame with its header, plus the first octet of the next.
    private static final int INPUT_BYTES_MAX =
            Http2.FRAME_SIZE_DEFAULT + Http2.FRAME_HEADER_BYTES + 1;

    private static final ProtocolError NO_ROOM =
            new ProtocolError(
                    503,
                    Http2.ENHANCE_YOUR_CALM,
                    "RFC 9110 §15.6.4",
                    "there is no memory for another request now");

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    final Connection io;
    final ReentrantLock lock = new ReentrantLock();

    /// Guarded by `lock`.
    final Http2Session session;

    private final Http1Context context;
    private final Http1Input input;
    private final Http2Writer writer;
    final Http2Executions executions;
    private final long tickNanos;
    private volatile Phase phase = Phase.OPEN;

    // Guarded by lock
    final Http2SendQueue sending;
    private final ArrayDeque<Http2Exchange> moved = new ArrayDeque<>();
    private Http2Exchange[] live = new Http2Exchange[8];
    private int liveCount;
    final Http2Held unread;
    private int interest;
    private boolean goingAway;
    private long idleSinceNanos;
    private long phaseNanos;

    // Of the loop
    private int requests;
    private long partialSinceNanos;
    private long tickedNanos;
    private long forgivenNanos;
    private long deadlineNanos;
    private long lingered;
    private @Nullable TlsInfo tls;

    /// Of who has the writer's token.
    private byte[] taken = new byte[0];

    private final AtomicInteger noticing = new AtomicInteger();

    /// @param input what has been received already, and where more goes
    Http2Connection(Connection io, Http1Context context, Http1Input input) {
        this.io = io;
        this.context = context;
        this.input = input;
        session =
                new Http2Session(
                        Role.SERVER,
                        context.limits.http2(),
                        io.tls() != null,
                        context.limits.http1().bodyBytesMax());
        sending = new Http2SendQueue(this, context.writeNanos);
        writer = new Http2Writer(io, this);
        unread = new Http2Held(context.memory);
        executions = new Http2Executions(io, context.dispatcher, context.limits.http2());
        long shortest =
                Math.min(
                        Math.min(context.headNanos, context.idleNanos),
                        Math.min(context.bodyNanos, context.writeNanos));
        tickNanos = Math.clamp(shortest / 4, 25_000_000L, NANOS_PER_SECOND);
        long now = System.nanoTime();
        tickedNanos = now;
        forgivenNanos = now;
        idleSinceNanos = now;
        partialSinceNanos = now;
    }

    /// Begins, on the loop, with what has been received already.
    void start() {
        tickAt(System.nanoTime() + tickNanos);
        lock.lock();
        try {
            interest(Connection.READ, 0);
        } finally {
            lock.unlock();
        }
        boolean held = writer.hold();
        try {
            process();
        } finally {
            send(held);
        }
    }

    private void send(boolean held) {
        if (held) {
            writer.pushAndRelease();
        } else {
            writer.flush();
        }
    }

    // Events, on the loop thread

    @Override
    public Dialer dialer() {
        return io.dialer();
    }

    @Override
    public boolean waits() {
        return io.blocking();
    }

    /// What a stream's reader and its writer share is guarded by the lock.
    @Override
    public boolean duplex() {
        return true;
    }

    @Override
    public void onReadable() {
        boolean held = !io.blocking() && writer.hold();
        if (!io.blocking() && !held && !holdToRead()) {
            return;
        }
        held |= !io.blocking();
        try {
            int count = input.fill();
            if (io.blocking()) {
                held = writer.hold();
            }
            if (count < 0) {
                io.close();
            } else if (phase == Phase.OPEN) {
                process();
            } else {
                linger(count);
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            send(held);
        }
    }

    /// Takes the connection to read from it, or has the event come again when it is free.
    private boolean holdToRead() {
        lock.lock();
        try {
            if (writer.holdToRead()) {
                return true;
            }
            interest(0, Connection.READ);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// The connection is free again, for which the loop waits.
    void mayReadAgain() {
        lock.lock();
        try {
            interest(Connection.READ, 0);
        } finally {
            lock.unlock();
        }
    }

    /// Whether room for output is waited for.
    void wantsToWrite(boolean wants) {
        lock.lock();
        try {
            interest(wants ? Connection.WRITE : 0, wants ? 0 : Connection.WRITE);
        } finally {
            lock.unlock();
        }
    }

    private void interest(int add, int remove) {
        int wanted = (interest & ~remove) | add;
        if (wanted != interest) {
            interest = wanted;
            io.interest(wanted);
        }
    }

    @Override
    public void onWritable() {
        writer.writable();
    }

    @Override
    public void onClosed() {
        phase = Phase.CLOSED;
        context.closed(this);
        input.release();
        failAll(new ClosedChannelException());
    }

    private void failAll(IOException cause) {
        Http2Exchange[] all;
        lock.lock();
        try {
            all = Arrays.copyOf(live, liveCount);
            for (Http2Exchange exchange : all) {
                if (!exchange.response.outflow.isFinished()) {
                    exchange.failed(cause);
                }
            }
            boolean _ = unread.head(0);
        } finally {
            lock.unlock();
        }
        for (Http2Exchange exchange : all) {
            exchange.turns.failed();
        }
    }

    /// The connection is of no use any more. Any thread.
    void failed(IOException cause) {
        context.log.clientFailed(io.id(), cause);
        io.reset();
    }

    private void linger(int count) {
        lingered += Math.max(0, count);
        input.clear();
        if (phase == Phase.LINGER && lingered > context.limits.lingerBytesMax()) {
            io.close();
        }
    }

    // Frames

    /// Looks at all frames that have been received.
    private void process() {
        Event event = Event.NONE;
        while (event != Event.NEED_MORE && phase == Phase.OPEN) {
            event = next();
        }
        if (phase != Phase.OPEN) {
            input.clear();
            return;
        }
        if ((session.isWithinBlock() || unread.hasHead()) && !hasRoomForHead()) {
            end(Http2.ENHANCE_YOUR_CALM, "there is no memory for its head");
            return;
        }
        boolean partial = !input.isEmpty() || session.isWithinBlock();
        if (!partial) {
            partialSinceNanos = 0;
            input.releaseIfEmpty();
        } else {
            if (partialSinceNanos == 0) {
                partialSinceNanos = System.nanoTime();
                tickSoon(partialSinceNanos);
            }
            if (input.isFull()) {
                boolean _ = input.makeRoom(INPUT_BYTES_MAX);
            }
        }
    }

    /// One step of the session, and what it leads to.
    private Event next() {
        Event event;
        Http2Exchange exchange = null;
        lock.lock();
        try {
            int from = input.from;
            event = session.receive(input.bytes, from, input.to);
            input.from = session.consumed();
            Http2Stream stream = session.stream();
            if (stream != null) {
                boolean isNew = event == Event.HEAD || event == Event.REFUSED;
                exchange = isNew ? open(stream) : of(stream);
                if (exchange != null) {
                    exchange.wireIn += input.from - from;
                    exchange.isTooMuch |= event == Event.HEAD && !unread.requests(liveCount);
                    note(event, exchange);
                }
            } else if (event == Event.ROOM) {
                enqueueAll();
            }
        } finally {
            lock.unlock();
        }
        if (event != Event.NEED_MORE) {
            partialSinceNanos = 0;
            act(event, exchange);
        }
        return event;
    }

    private static @Nullable Http2Exchange of(Http2Stream stream) {
        return stream.owner() instanceof Http2Exchange exchange ? exchange : null;
    }

    private Http2Exchange open(Http2Stream stream) {
        RequestHead head = session.requestHead();
        Http2Exchange made = new Http2Exchange(this, context, stream, head, ++requests);
        stream.owner(made);
        if (liveCount == live.length) {
            live = Arrays.copyOf(live, liveCount * 2);
        }
        made.index = liveCount;
        live[liveCount++] = made;
        return made;
    }

    /// What an event changes at once. Under the lock.
    private void note(Event event, Http2Exchange exchange) {
        switch (event) {
            case DATA -> {
                int start = session.dataFrom();
                int end = session.dataTo();
                if (!unread.append(exchange.inflow, input.bytes, start, end)) {
                    exchange.isTooMuch = true;
                    session.used(exchange.stream, end - start);
                }
                if (exchange.stream.isInputEnded()) {
                    exchange.inflow.end();
                }
                arrived(exchange);
            }
            case TRAILERS -> {
                exchange.inflow.trailers = session.trailers();
                exchange.inflow.end();
                arrived(exchange);
            }
            case RESET -> exchange.failed(resetOf(session.refusal()));
            case ROOM -> enqueue(exchange);
            case PRIORITY -> sending.change(exchange.stream, session.priority());
            default -> {}
        }
    }

    private static void arrived(Http2Exchange exchange) {
        exchange.inflow.awaitedNanos = exchange.inflow.awaitedNanos == 0 ? 0 : System.nanoTime();
        exchange.signal();
    }

    private static IOException resetOf(@Nullable ProtocolError error) {
        return new IOException(
                error == null
                        ? "the client has reset the stream"
                        : error.text() + " (" + error.section() + ")");
    }

    /// What an event leads to, without the lock.
    private void act(Event event, @Nullable Http2Exchange exchange) {
        if (event == Event.FAILED) {
            ProtocolError error = session.refusal();
            IOException cause = resetOf(error);
            context.log.clientFailed(io.id(), cause);
            failAll(cause);
            phase(Phase.CLOSING);
        } else if (event == Event.PONG) {
            ponged();
        } else if (exchange != null) {
            switch (event) {
                case HEAD -> begin(exchange, exchange.isTooMuch ? NO_ROOM : null);
                case REFUSED -> begin(exchange, session.refusal());
                case DATA, TRAILERS -> {
                    if (exchange.isTooMuch) {
                        exchange.fail(
                                new IOException("no memory for content"), Http2.ENHANCE_YOUR_CALM);
                    } else {
                        exchange.turns.changed(true);
                    }
                }
                case RESET -> exchange.turns.failed();
                default -> {}
            }
        }
    }

    private void begin(Http2Exchange exchange, @Nullable ProtocolError refusal) {
        context.stats.requestStarted();
        tickSoon(exchange.startNanos());
        if (requests >= context.limits.requestsMax()) {
            goAway(session.lastPeerId());
        }
        if (refusal != null) {
            exchange.refuse(refusal);
        } else if (ClientIdentity.isMisdirected(io.tls(), exchange.request(), context.strictSni)) {
            exchange.refuse(ClientIdentity.MISDIRECTED);
        } else {
            exchange.begin();
        }
    }

    // Output

    /// Sends what the exchanges have put. Any thread, without the lock.
    void flush() {
        writer.flush();
        runNotices();
    }

    /// The exchange has content to send. Under the lock.
    void enqueue(Http2Exchange exchange) {
        if (exchange.response.outflow.isFinished()) {
            gone(exchange);
        }
        sending.add(exchange);
        sending.pump();
    }

    private void enqueueAll() {
        for (int i = 0; i < liveCount; i++) {
            sending.add(live[i]);
        }
        sending.pump();
    }

    /// All that an exchange had to send has been put. When that was the end of its response, the
    /// stream's place is free at once, because the client may begin the next one as soon as it sees
    /// the end. Under the lock.
    void gone(Http2Exchange exchange) {
        if (exchange.response.outflow.isFinished()) {
            session.reset(exchange.stream, Http2.NO_ERROR);
            session.release(exchange.stream);
        }
        moved.add(exchange);
    }

    /// Gives the writer what is to be sent.
    ///
    /// @param empty an array to be filled next
    /// @return octets in [#takenOutput], 0 for nothing
    int takeOutput(byte[] empty) {
        lock.lock();
        try {
            sending.pump();
            int count = session.output().size();
            if (count > 0) {
                taken = session.output().exchange(empty);
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    byte[] takenOutput() {
        return taken;
    }

    /// Everything has been taken by the connection. By the holder of the writer's token.
    void allSent() throws IOException {
        if (phase == Phase.CLOSING && isOutputEmpty()) {
            phase(Phase.LINGER);
            io.shutdownOutput();
        }
    }

    /// Whether nothing was put since the writer looked last, such as the GOAWAY before the close.
    private boolean isOutputEmpty() {
        lock.lock();
        try {
            return session.output().size() == 0;
        } finally {
            lock.unlock();
        }
    }

    private void phase(Phase next) {
        lock.lock();
        try {
            if (phase.compareTo(next) < 0) {
                phase = next;
                phaseNanos = System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
        io.execute(() -> tickAt(System.nanoTime() + tickNanos));
    }

    /// Tells exchanges that their content has gone. Any thread, without the lock.
    void runNotices() {
        int missed = noticing.getAndIncrement() == 0 ? 1 : 0;
        while (missed != 0) {
            Http2Exchange exchange = nextNotice();
            while (exchange != null) {
                tell(exchange);
                exchange = nextNotice();
            }
            missed = noticing.addAndGet(-missed);
        }
    }

    /// What one exchange makes of it is kept from the others.
    private void tell(Http2Exchange exchange) {
        try {
            exchange.outputMoved(io.inLoop());
        } catch (RuntimeException | Error e) {
            context.log.handlerFailed(io.id(), e);
        }
    }

    private @Nullable Http2Exchange nextNotice() {
        lock.lock();
        try {
            return moved.poll();
        } finally {
            lock.unlock();
        }
    }

    /// The exchange is over. Any thread.
    void completed(Http2Exchange exchange) {
        boolean last;
        lock.lock();
        try {
            Http2Exchange moving = live[--liveCount];
            live[exchange.index] = moving;
            moving.index = exchange.index;
            session.used(exchange.stream, unread.discard(exchange.inflow));
            boolean _ = unread.requests(liveCount);
            session.reset(exchange.stream, Http2.NO_ERROR);
            session.release(exchange.stream);
            exchange.signal();
            if (liveCount == 0) {
                Arrays.fill(live, null);
                idleSinceNanos = System.nanoTime();
            }
            last = liveCount == 0 && goingAway;
        } finally {
            lock.unlock();
        }
        if (last) {
            closeGracefully();
        } else {
            writer.flush();
        }
    }

    // The end

    boolean isKept() {
        return phase == Phase.OPEN && !goingAway;
    }

    private void goAway(int lastStream) {
        lock.lock();
        try {
            if (!goingAway) {
                goingAway = true;
                session.goAway(lastStream, Http2.NO_ERROR);
            }
        } finally {
            lock.unlock();
        }
    }

    private void closeGracefully() {
        phase(Phase.CLOSING);
        writer.flush();
    }

    /// The client knows that we go, and has sent nothing more before it knew.
    private void ponged() {
        boolean last;
        lock.lock();
        try {
            if (!goingAway) {
                return;
            }
            session.goAway(session.lastPeerId(), Http2.NO_ERROR);
            last = liveCount == 0;
        } finally {
            lock.unlock();
        }
        if (last) {
            closeGracefully();
        }
    }

    @Override
    public void drain() {
        io.execute(this::drainOnLoop);
    }

    private void drainOnLoop() {
        boolean idle;
        lock.lock();
        try {
            if (goingAway || phase != Phase.OPEN) {
                return;
            }
            idle = liveCount == 0;
            goingAway = true;
            if (idle) {
                session.goAway(session.lastPeerId(), Http2.NO_ERROR);
            } else {
                // What the client sends before it learns of this is served still (RFC 9113 §6.8).
                session.goAway(Http2.WINDOW_MAX, Http2.NO_ERROR);
                session.ping();
            }
        } finally {
            lock.unlock();
        }
        if (idle) {
            closeGracefully();
        } else {
            flush();
        }
    }

    @Override
    public void closeNow() {
        io.close();
    }

    // Time

    private void tickSoon(long now) {
        if (deadlineNanos - now > tickNanos) {
            tickAt(now + tickNanos);
        }
    }

    private void tickAt(long nanos) {
        deadlineNanos = nanos;
        io.deadline(nanos);
    }

    @Override
    public void onDeadline() {
        long now = System.nanoTime();
        if (deadlineNanos - now > 0) {
            io.deadline(deadlineNanos);
            return;
        }
        long elapsed = now - tickedNanos;
        tickedNanos = now;
        long stalled = writer.stalledSinceNanos();
        if (stalled != 0 && now - stalled > context.writeNanos) {
            failed(new StalledException("the client does not take the response"));
            return;
        }
        if (phase != Phase.OPEN) {
            long patience = phase == Phase.LINGER ? context.lingerPauseNanos : context.writeNanos;
            if (now - phaseNanos > patience) {
                io.close();
                return;
            }
        } else if (partialSinceNanos != 0 && now - partialSinceNanos > context.headNanos) {
            end(Http2.ENHANCE_YOUR_CALM, "the client sends nothing whole");
        } else {
            look(now, elapsed);
        }
        if (deadlineNanos - now <= 0) {
            tickAt(now + tickNanos);
        }
    }

    /// Looks at the exchanges, and whether there are any.
    private void look(long now, long elapsed) {
        Http2Exchange[] all;
        long idleNanos;
        lock.lock();
        try {
            int seconds = (int) Math.min(3_600, (now - forgivenNanos) / NANOS_PER_SECOND);
            if (seconds > 0) {
                forgivenNanos = now;
                session.seconds(seconds);
            }
            session.hurry(true);
            sending.hasten(now);
            enqueueAll();
            session.hurry(false);
            all = Arrays.copyOf(live, liveCount);
            idleNanos = liveCount == 0 && partialSinceNanos == 0 ? now - idleSinceNanos : -1;
        } finally {
            lock.unlock();
        }
        flush();
        for (Http2Exchange exchange : all) {
            look(exchange, now, elapsed);
        }
        if (idleNanos > context.idleNanos) {
            end(Http2.NO_ERROR, "the client sends nothing whole");
        } else if (idleNanos > tickNanos && writer.stalledSinceNanos() == 0) {
            trim();
            tickAt(now - idleNanos + context.idleNanos + 1_000_000);
        }
    }

    private void look(Http2Exchange exchange, long now, long elapsed) {
        boolean awaitsInput = exchange.turns.awaitsInput();
        IOException cause;
        lock.lock();
        try {
            cause = exchange.look(now, elapsed, awaitsInput);
        } finally {
            lock.unlock();
        }
        if (cause != null) {
            context.log.clientFailed(io.id(), cause);
            exchange.fail(cause, Http2.CANCEL);
        } else if (awaitsInput) {
            exchange.turns.changed(true);
        }
    }

    private void trim() {
        writer.trim();
        lock.lock();
        try {
            session.idle();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoomForHead() {
        lock.lock();
        try {
            return unread.head(session.blockBytes());
        } finally {
            lock.unlock();
        }
    }

    /// Ends the connection before its time.
    private void end(int code, String why) {
        lock.lock();
        try {
            goingAway = true;
            session.goAway(session.lastPeerId(), code);
        } finally {
            lock.unlock();
        }
        failAll(new StalledException(why));
        closeGracefully();
    }

    @Nullable TlsInfo tls() {
        if (tls == null) {
            tls = ClientIdentity.info(io.tls());
        }
        return tls;
    }
}
