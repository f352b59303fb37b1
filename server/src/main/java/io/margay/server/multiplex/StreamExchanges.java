package io.margay.server.multiplex;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The exchanges of one connection that carries many at a time, and what they share: whose content
/// is sent next, what is held for them, and how many are worked on.
///
/// What is said to be under the lock is guarded by `lock`, as is the session behind the streams; it
/// is never held during I/O or foreign code.
public final class StreamExchanges {
    /// Guards the session, its streams and what is here.
    public final ReentrantLock lock = new ReentrantLock();

    /// What is held for the connection. Under the lock.
    public final StreamMemory held;

    final Connection io;
    final Owner connection;
    final StreamQueue sending;

    /// With a guard of its own.
    final StreamExecutions executions;

    private final ConnectionContext context;
    private final ArrayDeque<StreamExchange> moved = new ArrayDeque<>();

    /// How many are in `moved`: written under the lock, read without, to tell that there are none.
    private volatile int movedCount;

    private StreamExchange[] live = new StreamExchange[8];
    private int liveCount;
    private boolean leaving;
    private long idleSinceNanos;

    /// Requests that have begun. Of the loop.
    private int requests;

    private final AtomicInteger noticing = new AtomicInteger();

    /// The connection, as its exchanges see it.
    public interface Owner {
        /// The last exchange of a connection that is going away has ended.
        void allEnded();

        /// Whether there may be more requests.
        boolean isKept();

        @Nullable TlsInfo tlsInfo();

        DialingExchange.Carrier carrier();

        /// Sends what has been put into the output. Any thread, without the lock.
        void sendOutput();
    }

    /// @param memory counts what is held for the connection
    /// @param executionsMax exchanges that may be worked on at a time
    /// @param output octets that wait for the socket
    public StreamExchanges(
            Connection io,
            ConnectionContext context,
            Owner connection,
            MemoryBudget memory,
            int executionsMax,
            IntSupplier output) {
        this.io = io;
        this.context = context;
        this.connection = connection;
        sending = new StreamQueue(output, context.writeNanos, this::emptied);
        held = new StreamMemory(memory);
        executions = new StreamExecutions(executionsMax);
        idleSinceNanos = context.now();
    }

    // What the client sends, on the loop, under the lock

    /// The exchange of a stream, or null.
    public static @Nullable StreamExchange of(MessageStream stream) {
        return stream.owner() instanceof StreamExchange known ? known : null;
    }

    /// A request has come.
    ///
    /// @param counts whether it takes memory, rather than being refused anyway
    public StreamExchange open(
            MessageStream stream, RequestHead head, long startNanos, boolean counts) {
        StreamExchange made =
                new StreamExchange(this, context, stream, head, ++requests, startNanos);
        stream.owner(made);
        if (liveCount == live.length) {
            live = Arrays.copyOf(live, liveCount * 2);
        }
        made.index = liveCount;
        live[liveCount++] = made;
        made.isTooMuch = counts && !held.requests(liveCount);
        return made;
    }

    /// Content has come, perhaps with the end of the request.
    public void content(StreamExchange of, byte[] bytes, int start, int end) {
        StreamInflow inflow = of.content.inflow;
        if (!held.append(inflow, bytes, start, end)) {
            of.isTooMuch = true;
            boolean _ = of.stream.used(end - start);
        }
        if (of.stream.isInputEnded()) {
            inflow.end();
        }
        arrived(of);
    }

    /// Trailers have come, and with them the end of the request.
    public void trailers(StreamExchange of, Fields fields) {
        of.content.inflow.trailers = fields;
        of.content.inflow.end();
        arrived(of);
    }

    private void arrived(StreamExchange of) {
        StreamInflow inflow = of.content.inflow;
        inflow.awaitedNanos = inflow.awaitedNanos == 0 ? 0 : context.now();
        of.signal();
    }

    /// The client wants the response sooner or later than it has said.
    public void priority(StreamExchange of, Priority now) {
        sending.change(of.stream, now);
    }

    /// There is room again for content of all streams.
    public void roomForAll() {
        for (int i = 0; i < liveCount; i++) {
            sending.add(live[i].stream);
        }
        sending.pump();
    }

    /// Requests that have begun. On the loop.
    public int requests() {
        return requests;
    }

    // Output

    /// Sends what the exchanges have put. Any thread, without the lock.
    public void flush() {
        connection.sendOutput();
        runNotices();
    }

    /// The exchange has content to send, or room for it. Under the lock.
    public void enqueue(StreamExchange of) {
        if (of.response.outflow.isFinished()) {
            gone(of);
        }
        sending.add(of.stream);
        sending.pump();
    }

    /// Puts content into frames as far as there is room. Under the lock.
    public void pump() {
        sending.pump();
    }

    /// Has streams send that others have kept from it for long. Under the lock.
    public void hasten(long now) {
        sending.hasten(now);
    }

    private void emptied(MessageStream stream) {
        StreamExchange of = of(stream);
        if (of != null) {
            of.signal();
            gone(of);
        }
    }

    /// All that an exchange had to send has been put. When that was the end of its response, the
    /// stream's place is free at once, because the client may begin the next one as soon as it sees
    /// the end. Under the lock.
    private void gone(StreamExchange of) {
        if (of.response.outflow.isFinished()) {
            of.stream.reset(MessageStream.End.DONE);
            of.stream.release();
        }
        moved.add(of);
        movedCount = moved.size();
    }

    /// Tells exchanges that their content has gone. Any thread, without the lock.
    public void runNotices() {
        if (movedCount == 0) {
            return; // whoever adds one comes here after that
        }
        int missed = noticing.getAndIncrement() == 0 ? 1 : 0;
        while (missed != 0) {
            StreamExchange of = nextNotice();
            while (of != null) {
                tell(of);
                of = nextNotice();
            }
            missed = noticing.addAndGet(-missed);
        }
    }

    /// What one exchange makes of it is kept from the others.
    private void tell(StreamExchange of) {
        try {
            of.outputMoved(io.inLoop());
        } catch (RuntimeException | Error e) {
            context.log.handlerFailed(io.id(), e);
        }
    }

    private @Nullable StreamExchange nextNotice() {
        if (movedCount == 0) {
            return null;
        }
        lock.lock();
        try {
            StreamExchange next = moved.poll();
            movedCount = moved.size();
            return next;
        } finally {
            lock.unlock();
        }
    }

    // The end

    /// The exchange is over. Any thread.
    void completed(StreamExchange of) {
        boolean last;
        lock.lock();
        try {
            StreamExchange moving = live[--liveCount];
            live[of.index] = moving;
            moving.index = of.index;
            boolean _ = of.stream.used(held.discard(of.content.inflow));
            of.response.outflow.drop();
            boolean _ = held.requests(liveCount);
            of.stream.reset(MessageStream.End.DONE);
            of.stream.release();
            of.signal();
            if (liveCount == 0) {
                Arrays.fill(live, null);
                idleSinceNanos = context.now();
            }
            last = liveCount == 0 && leaving;
        } finally {
            lock.unlock();
        }
        if (last) {
            connection.allEnded();
        } else {
            connection.sendOutput();
        }
    }

    /// Every exchange fails.
    public void failAll(IOException cause) {
        StreamExchange[] all;
        lock.lock();
        try {
            all = live();
            for (StreamExchange of : all) {
                if (!of.response.outflow.isFinished()) {
                    of.failed(cause);
                }
            }
            boolean _ = held.head(0);
        } finally {
            lock.unlock();
        }
        for (StreamExchange of : all) {
            of.tasks.failed(false);
        }
    }

    /// The exchanges under way. Under the lock.
    public StreamExchange[] live() {
        return Arrays.copyOf(live, liveCount);
    }

    /// Whether none is under way. Under the lock.
    public boolean isEmpty() {
        return liveCount == 0;
    }

    /// No further requests are taken: the connection ends with the last exchange. Under the lock.
    ///
    /// @return whether that is new
    public boolean leave() {
        boolean isNew = !leaving;
        leaving = true;
        return isNew;
    }

    /// Whether no further requests are taken. Under the lock.
    public boolean isLeaving() {
        return leaving;
    }

    // Time, on the loop

    /// Since when there has been no exchange; only while there is none. Under the lock.
    public long idleSinceNanos() {
        return idleSinceNanos;
    }

    /// Looks at an exchange, which fails where something is wrong with its client.
    public void look(StreamExchange of, long now, long elapsed) {
        boolean awaitsInput = of.tasks.awaitsInput();
        IOException cause;
        lock.lock();
        try {
            cause = of.look(now, elapsed, awaitsInput);
        } finally {
            lock.unlock();
        }
        if (cause != null) {
            context.log.clientFailed(io.id(), cause);
            of.fail(cause, MessageStream.End.CANCELLED);
        } else if (awaitsInput) {
            of.tasks.changed(true);
        }
    }
}
