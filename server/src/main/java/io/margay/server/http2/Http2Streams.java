package io.margay.server.http2;

import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import io.margay.protocol.http2.Http2Stream;
import io.margay.server.connection.ClientIdentity;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What the loop of an HTTP/2 connection and the threads of its exchanges share: the session with
/// its streams and its output, the exchanges under way, and what is held for them.
///
/// All of it is guarded by `lock`, which is never held during I/O or foreign code.
final class Http2Streams {
    final Connection io;

    /// Output that may wait for more until the end of the loop's round, octets.
    private static final int LITTLE_BYTES = 16 * 1024;

    final ReentrantLock lock = new ReentrantLock();
    final Http2Session session;
    final Http2SendQueue sending;
    final Http2Held held;

    /// With a guard of its own.
    final Http2Executions executions;

    final Owner connection;

    private final ConnectionContext context;
    private final Http2Writer writer;
    private final ArrayDeque<Http2Exchange> moved = new ArrayDeque<>();

    /// How many are in `moved`: written under the lock, read without, to tell that there are none.
    private volatile int movedCount;

    private Http2Exchange[] live = new Http2Exchange[8];
    private int liveCount;
    private boolean goingAway;
    private long idleSinceNanos;

    /// Requests that have begun. Of the loop.
    private int requests;

    /// When the octets came that the loop looks at: one time for all that came together.
    long receivedNanos;

    /// The exchange that the last event is about. Of the loop.
    private @Nullable Http2Exchange exchange;

    /// Of who has the writer's token.
    private byte[] taken = new byte[0];

    private final AtomicInteger noticing = new AtomicInteger();

    /// The connection, as its exchanges see it.
    interface Owner {
        /// The last exchange of a connection that is going away has ended.
        void allEnded();

        /// Whether there may be more requests.
        boolean isKept();

        @Nullable TlsInfo tlsInfo();

        DialingExchange.Carrier carrier();
    }

    Http2Streams(Connection io, ConnectionContext context, Http2Writer writer, Owner connection) {
        this.io = io;
        this.context = context;
        this.writer = writer;
        this.connection = connection;
        session =
                new Http2Session(
                        Role.SERVER,
                        context.limits.http2(),
                        ClientIdentity.scheme(io).equals("https"),
                        context.limits.http1().bodyBytesMax(),
                        context.characters);
        sending = new Http2SendQueue(session, context.writeNanos, this::emptied);
        held = new Http2Held(context.memory);
        executions = new Http2Executions(context.limits.http2().executionsMax());
        idleSinceNanos = context.now();
    }

    // Input, on the loop

    /// One step of the session, and what it changes at once.
    Event receive(ConnectionInput input) {
        lock.lock();
        try {
            int from = input.from;
            Event event = session.receive(input.bytes, from, input.to);
            input.from = session.consumed();
            exchange = null;
            Http2Stream stream = session.stream();
            if (stream != null) {
                boolean isNew = event == Event.HEAD || event == Event.REFUSED;
                exchange = isNew ? open(stream) : of(stream);
                if (exchange != null) {
                    exchange.wireIn += input.from - from;
                    exchange.isTooMuch |= event == Event.HEAD && !held.requests(liveCount);
                    note(event, exchange, input);
                }
            } else if (event == Event.ROOM) {
                enqueueAll();
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /// The exchange that the last event is about, or null.
    @Nullable Http2Exchange exchange() {
        return exchange;
    }

    /// Requests that have begun.
    int requests() {
        return requests;
    }

    private static @Nullable Http2Exchange of(Http2Stream stream) {
        return stream.owner() instanceof Http2Exchange known ? known : null;
    }

    private Http2Exchange open(Http2Stream stream) {
        RequestHead head = session.requestHead();
        Http2Exchange made =
                new Http2Exchange(this, context, stream, head, ++requests, receivedNanos);
        stream.owner(made);
        if (liveCount == live.length) {
            live = Arrays.copyOf(live, liveCount * 2);
        }
        made.index = liveCount;
        live[liveCount++] = made;
        return made;
    }

    private void note(Event event, Http2Exchange of, ConnectionInput input) {
        Http2Inflow inflow = of.content.inflow;
        switch (event) {
            case DATA -> {
                int start = session.dataFrom();
                int end = session.dataTo();
                if (!held.append(inflow, input.bytes, start, end)) {
                    of.isTooMuch = true;
                    session.used(of.stream, end - start);
                }
                if (of.stream.isInputEnded()) {
                    inflow.end();
                }
                arrived(of);
            }
            case TRAILERS -> {
                inflow.trailers = session.trailers();
                inflow.end();
                arrived(of);
            }
            case RESET -> of.failed(resetOf(session.refusal()));
            case ROOM -> enqueue(of);
            case PRIORITY -> sending.change(of.stream, session.priority());
            default -> {}
        }
    }

    private void arrived(Http2Exchange of) {
        Http2Inflow inflow = of.content.inflow;
        inflow.awaitedNanos = inflow.awaitedNanos == 0 ? 0 : context.now();
        of.signal();
    }

    static IOException resetOf(@Nullable ProtocolError error) {
        return new IOException(
                error == null
                        ? "the client has reset the stream"
                        : error.text() + " (" + error.section() + ")");
    }

    /// Whether there is memory for the head that is on its way.
    boolean hasRoomForHead() {
        if (!session.isWithinBlock() && !held.hasHead()) {
            return true;
        }
        lock.lock();
        try {
            return held.head(session.blockBytes());
        } finally {
            lock.unlock();
        }
    }

    // Output

    /// Sends what the exchanges have put. Any thread, without the lock.
    void flush() {
        writer.flush();
        runNotices();
    }

    /// The exchange has content to send. Under the lock.
    void enqueue(Http2Exchange of) {
        if (of.response.outflow.isFinished()) {
            gone(of);
        }
        sending.add(of.stream);
        sending.pump();
    }

    private void enqueueAll() {
        for (int i = 0; i < liveCount; i++) {
            sending.add(live[i].stream);
        }
        sending.pump();
    }

    private void emptied(Http2Stream stream) {
        Http2Exchange of = of(stream);
        if (of != null) {
            of.signal();
            gone(of);
        }
    }

    /// All that an exchange had to send has been put. When that was the end of its response, the
    /// stream's place is free at once, because the client may begin the next one as soon as it sees
    /// the end. Under the lock.
    private void gone(Http2Exchange of) {
        if (of.response.outflow.isFinished()) {
            session.reset(of.stream, Http2.NO_ERROR);
            session.release(of.stream);
        }
        moved.add(of);
        movedCount = moved.size();
    }

    /// See [Http2Writer.Source#takeOutput].
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

    /// See [Http2Writer.Source#hasLittle].
    boolean hasLittleOutput() {
        lock.lock();
        try {
            return session.output().size() <= LITTLE_BYTES;
        } finally {
            lock.unlock();
        }
    }

    /// Whether nothing was put since the writer looked last, such as the GOAWAY before the close.
    boolean isOutputEmpty() {
        lock.lock();
        try {
            return session.output().size() == 0;
        } finally {
            lock.unlock();
        }
    }

    /// Tells exchanges that their content has gone. Any thread, without the lock.
    void runNotices() {
        if (movedCount == 0) {
            return; // whoever adds one comes here after that
        }
        int missed = noticing.getAndIncrement() == 0 ? 1 : 0;
        while (missed != 0) {
            Http2Exchange of = nextNotice();
            while (of != null) {
                tell(of);
                of = nextNotice();
            }
            missed = noticing.addAndGet(-missed);
        }
    }

    /// What one exchange makes of it is kept from the others.
    private void tell(Http2Exchange of) {
        try {
            of.outputMoved(io.inLoop());
        } catch (RuntimeException | Error e) {
            context.log.handlerFailed(io.id(), e);
        }
    }

    private @Nullable Http2Exchange nextNotice() {
        if (movedCount == 0) {
            return null;
        }
        lock.lock();
        try {
            Http2Exchange next = moved.poll();
            movedCount = moved.size();
            return next;
        } finally {
            lock.unlock();
        }
    }

    // The end

    /// The exchange is over. Any thread.
    void completed(Http2Exchange of) {
        boolean last;
        lock.lock();
        try {
            Http2Exchange moving = live[--liveCount];
            live[of.index] = moving;
            moving.index = of.index;
            session.used(of.stream, held.discard(of.content.inflow));
            boolean _ = held.requests(liveCount);
            session.reset(of.stream, Http2.NO_ERROR);
            session.release(of.stream);
            of.signal();
            if (liveCount == 0) {
                Arrays.fill(live, null);
                idleSinceNanos = context.now();
            }
            last = liveCount == 0 && goingAway;
        } finally {
            lock.unlock();
        }
        if (last) {
            connection.allEnded();
        } else {
            writer.flush();
        }
    }

    /// Every exchange fails.
    void failAll(IOException cause) {
        Http2Exchange[] all;
        lock.lock();
        try {
            all = Arrays.copyOf(live, liveCount);
            for (Http2Exchange of : all) {
                if (!of.response.outflow.isFinished()) {
                    of.failed(cause);
                }
            }
            boolean _ = held.head(0);
        } finally {
            lock.unlock();
        }
        for (Http2Exchange of : all) {
            of.tasks.failed(false);
        }
    }

    boolean isGoingAway() {
        lock.lock();
        try {
            return goingAway;
        } finally {
            lock.unlock();
        }
    }

    /// Says that no stream after `lastStream` is served, unless that has been said.
    void goAway(int lastStream) {
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

    /// Says that no more streams are served, and why.
    void goAwayNow(int code) {
        lock.lock();
        try {
            goingAway = true;
            session.goAway(session.lastPeerId(), code);
        } finally {
            lock.unlock();
        }
    }

    /// Says that no more streams are served than the client begins before it learns of that, which
    /// a pong tells (RFC 9113 §6.8).
    ///
    /// @param patient whether that holds also where nothing is under way
    /// @return whether nothing more may come
    boolean drain(boolean patient) {
        lock.lock();
        try {
            goingAway = true;
            if (liveCount == 0 && !patient) {
                session.goAway(session.lastPeerId(), Http2.NO_ERROR);
                return true;
            }
            session.goAway(Http2.WINDOW_MAX, Http2.NO_ERROR);
            session.ping();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// The client knows that we go, and has sent nothing more before it knew.
    ///
    /// @return whether nothing is under way
    boolean drained() {
        lock.lock();
        try {
            if (!goingAway) {
                return false;
            }
            session.goAway(session.lastPeerId(), Http2.NO_ERROR);
            return liveCount == 0;
        } finally {
            lock.unlock();
        }
    }

    // Time, on the loop

    /// Lets so many seconds pass for the session, and has streams send that waited for long.
    ///
    /// @return the exchanges under way
    Http2Exchange[] pass(int seconds, long now) {
        lock.lock();
        try {
            if (seconds > 0) {
                session.seconds(seconds);
            }
            session.hurry(true);
            sending.hasten(now);
            enqueueAll();
            session.hurry(false);
            return Arrays.copyOf(live, liveCount);
        } finally {
            lock.unlock();
        }
    }

    /// Since when there has been no exchange; only while there is none.
    long idleSinceNanos() {
        lock.lock();
        try {
            return idleSinceNanos;
        } finally {
            lock.unlock();
        }
    }

    /// What is wrong with the client of one exchange, or null.
    @Nullable IOException look(Http2Exchange of, long now, long elapsed, boolean awaitsInput) {
        lock.lock();
        try {
            return of.look(now, elapsed, awaitsInput);
        } finally {
            lock.unlock();
        }
    }

    /// Gives back what an idle session does not need.
    void trim() {
        writer.trim();
        lock.lock();
        try {
            session.idle();
        } finally {
            lock.unlock();
        }
    }
}
