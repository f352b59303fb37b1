package io.margay.server.connection;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.Status;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.RequestBodyException;
import io.margay.transport.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/// One request and its response, as far as the protocol does not matter: who ends it, what becomes
/// of a handler's failure, what is noted of it.
///
/// Owned by whoever works on it; `state` decides, by compare-and-set, who ends it.
abstract sealed class ServedExchange implements DialingExchange
        permits Http1Exchange, Http2Exchange {
    static final byte[] EMPTY = new byte[0];

    private static final int OPEN = 0;
    private static final int ENDING = 1;
    private static final int OVER = 2;

    private static final AtomicIntegerFieldUpdater<ServedExchange> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ServedExchange.class, "state");

    final Connection io;
    final Http1Context context;
    final RequestHead head;
    volatile @Nullable IOException failure;

    private final long id;
    private final long startNanos = System.nanoTime();
    private final EndTasks ends = new EndTasks();
    private volatile int state;
    private @Nullable CanonicalPath path;
    private @Nullable String remoteUser;
    private @Nullable ExchangeNotes notes;

    ServedExchange(Connection io, Http1Context context, RequestHead head) {
        this.io = io;
        this.context = context;
        this.head = head;
        id = context.nextExchangeId();
    }

    // Life

    /// Whether the handler has not ended it.
    final boolean isOpen() {
        return state == OPEN;
    }

    /// Whether its response has gone, or has failed.
    final boolean isOver() {
        return state == OVER;
    }

    /// Has the caller end it; false when it has been ended already.
    final boolean beginEnd() {
        return STATE.compareAndSet(this, OPEN, ENDING);
    }

    /// Has the caller conclude it; false when it is over already.
    final boolean beginOver() {
        return STATE.getAndSet(this, OVER) != OVER;
    }

    /// Tells those who want to know that it is over.
    final void conclude() {
        context.stats.requestEnded(
                status(),
                failure != null,
                wireBytesIn(),
                wireBytesOut(),
                System.nanoTime() - startNanos);
        if (context.observer != null) {
            try {
                context.observer.ended(this);
            } catch (RuntimeException e) {
                context.log.handlerFailed(io.id(), e);
            }
        }
        ends.run(context.log, io.id());
    }

    /// The exchange is of no use: the peer sees a reset. From any thread.
    abstract void fail(IOException cause);

    @Override
    public final void abort() {
        // The connection may serve another exchange already.
        if (!isOver()) {
            fail(new IOException("the exchange was aborted"));
        }
    }

    /// Runs what belongs to the handler.
    final void guard(Runnable foreign) {
        try {
            foreign.run();
        } catch (Throwable e) {
            failedBy(e);
        }
    }

    /// The one catch ladder: what leaves a handler or a task of it.
    final void failedBy(Throwable thrown) {
        Throwable cause = thrown instanceof UncheckedIOException ? thrown.getCause() : thrown;
        switch (cause) {
            case RequestBodyException e -> answer(e.error().status(), e.error().text());
            case IOException e -> {
                // After the end the connection is not this exchange's any more.
                if (isOpen()) {
                    fail(e);
                }
            }
            case null, default -> {
                context.log.handlerFailed(io.id(), thrown);
                answer(500, "The server failed to answer.");
            }
        }
    }

    /// Answers with a small text if that is still possible, else aborts.
    final void answer(int code, String text) {
        if (!isOpen() || isBroken()) {
            return;
        }
        if (committed()) {
            abort();
            return;
        }
        String reason = Status.reason(code);
        byte[] page = (code + " " + reason + "\n" + text + "\n").getBytes(StandardCharsets.UTF_8);
        restart(code);
        if (code == 503) {
            fields().add("Retry-After", "1");
        }
        fields().add("Content-Type", "text/plain;charset=utf-8");
        try {
            endWith(page);
        } catch (IOException e) {
            context.log.clientFailed(io.id(), e);
        }
    }

    /// Whether nothing can be sent any more.
    abstract boolean isBroken();

    /// Forgets what was prepared, for another answer. Only before the head has gone.
    abstract void restart(int code);

    /// Ends it with content that nobody changes.
    abstract void endWith(byte[] content) throws IOException;

    /// Lets those who change heads do so.
    final void beforeHead() {
        if (notes != null) {
            notes.head(this);
        }
    }

    // Checks

    abstract void requireOpen() throws IOException;

    /// Why nothing can be done with it any more.
    final IllegalStateException ended() throws IOException {
        IOException cause = failure;
        if (cause != null) {
            throw new IOException("the exchange has failed", cause);
        }
        return new IllegalStateException("the exchange is over");
    }

    final void requireInterim(int code) throws IOException {
        requireOpen();
        if (code < 100 || code > 199 || code == 101) {
            throw new IllegalArgumentException("status " + code + " is no interim status");
        }
        if (committed()) {
            throw new IllegalStateException("the response is committed");
        }
    }

    // What is known of it

    @Override
    public final RequestHead request() {
        return head;
    }

    @Override
    public final CanonicalPath path() {
        CanonicalPath known = path;
        if (known == null) {
            known = CanonicalPath.of(head.target().rawPath());
            path = known;
        }
        return known;
    }

    /// Where the client is.
    ///
    /// @param direct the other end of the connection
    final SocketAddress client(SocketAddress direct) {
        return notes == null ? direct : notes.clientOr(direct);
    }

    @Override
    public final long connectionId() {
        return io.id();
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final long startNanos() {
        return startNanos;
    }

    @Override
    public final @Nullable IOException failure() {
        return failure;
    }

    @Override
    public final ExchangeNotes notes() {
        ExchangeNotes known = notes;
        if (known == null) {
            known = new ExchangeNotes();
            notes = known;
        }
        return known;
    }

    @Override
    public final @Nullable String remoteUser() {
        return remoteUser;
    }

    @Override
    public final void remoteUser(@Nullable String user) {
        remoteUser = user;
    }

    // Threads

    @Override
    public final void execute(Runnable toRun) {
        io.execute(() -> guard(toRun));
    }

    @Override
    public final void onEnd(Runnable toRun) {
        if (!ends.add(toRun)) {
            EndTasks.run(toRun, context.log, io.id());
        }
    }

    // The response

    @Override
    public final void end() throws IOException {
        end(EMPTY, 0, 0);
    }
}
