package io.margay.server.connection;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.Status;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.forwarded.ForwardedFields;
import io.margay.server.timing.Phases;
import io.margay.server.timing.RequestPhase;
import io.margay.server.timing.ServerTiming;
import io.margay.transport.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/// One request and its response, as far as the protocol does not matter: who ends it, what becomes
/// of a handler's failure, what is noted of it.
///
/// Owned by whoever works on it; `state` decides, by compare-and-set, who ends it.
public abstract class ServedExchange implements DialingExchange {
    /// What a client did that sends no content.
    public static final ProtocolError CONTENT_TIMEOUT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the content did not arrive in time");

    protected static final byte[] EMPTY = new byte[0];

    private static final int OPEN = 0;
    private static final int ENDING = 1;
    private static final int OVER = 2;

    private static final AtomicIntegerFieldUpdater<ServedExchange> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ServedExchange.class, "state");

    protected final Connection io;
    protected final ConnectionContext context;
    protected RequestHead head;
    protected volatile @Nullable IOException failure;

    public final ExchangeTasks tasks;

    /// The scheme that a front end has told, or null.
    private final @Nullable String toldScheme;

    private final long id;
    private final long startNanos;
    private final EndTasks ends = new EndTasks();
    private volatile int state;
    private @Nullable CanonicalPath path;
    private @Nullable String remoteUser;
    private @Nullable ExchangeNotes notes;
    private @Nullable Phases phases;
    private int headMicros = -1;

    protected ServedExchange(Connection io, ConnectionContext context, RequestHead head) {
        this(io, context, head, context.now());
    }

    /// @param startNanos when the head was complete
    protected ServedExchange(
            Connection io, ConnectionContext context, RequestHead head, long startNanos) {
        this.io = io;
        this.context = context;
        RequestHead addressed = context.address.addressed(head);
        ForwardedFields forwarded = context.forwarded;
        if (forwarded == null) {
            this.head = addressed;
            toldScheme = null;
        } else {
            ForwardedFields.Seen seen = forwarded.read(io.remote(), addressed);
            this.head = seen.head();
            toldScheme = seen.scheme();
            seen.note(notes());
        }
        id = context.nextExchangeId();
        this.startNanos = startNanos;
        tasks = new ExchangeTasks(this);
    }

    // Life

    /// Whether the handler has not ended it.
    public final boolean isOpen() {
        return state == OPEN;
    }

    /// Whether its response has gone, or has failed.
    public final boolean isOver() {
        return state == OVER;
    }

    /// Has the caller end it; false when it has been ended already.
    public final boolean beginEnd() {
        return STATE.compareAndSet(this, OPEN, ENDING);
    }

    /// Has the caller conclude it; false when it is over already.
    public final boolean beginOver() {
        return STATE.getAndSet(this, OVER) != OVER;
    }

    @Override
    public final ExchangeObserver observer() {
        return context.observer == null ? ExchangeObserver.NONE : context.observer;
    }

    /// Whether its client may have gone while this process stood still.
    protected final boolean isInDoubt() {
        return context.standstill.isDoubtful();
    }

    /// Tells those who want to know that a handler gets it.
    final void begun() {
        if (context.observer != null) {
            try {
                context.observer.begun(this);
            } catch (RuntimeException e) {
                context.log.handlerFailed(this, e);
            }
        }
    }

    /// Tells those who want to know that it is over.
    public final void conclude() {
        context.stats.requestEnded(
                status(),
                failure != null,
                wireBytesIn(),
                wireBytesOut(),
                context.now() - startNanos);
        if (context.observer != null) {
            try {
                context.observer.ended(this);
            } catch (RuntimeException e) {
                context.log.handlerFailed(this, e);
            }
        }
        ends.run(this);
    }

    /// The exchange is unusable: the peer sees a reset. From any thread.
    protected abstract void fail(IOException cause);

    @Override
    public final void abort() {
        // The connection may serve another exchange already.
        if (!isOver()) {
            breakOff(new IOException("the exchange was aborted"));
        }
    }

    /// The response will not be completed, by decision of this side: what has been sent of it may
    /// arrive, but the peer must not take it for the whole. From any thread.
    protected void breakOff(IOException cause) {
        fail(cause);
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
                context.log.handlerFailed(this, thrown);
                answer(500, "The server failed to answer.");
            }
        }
    }

    /// Answers with a small text if that is still possible, else aborts.
    public final void answer(int code, String text) {
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
    protected abstract boolean isBroken();

    /// Forgets what was prepared, for another answer. Only before the head has gone.
    protected abstract void restart(int code);

    /// Ends it with content that nobody changes.
    protected abstract void endWith(byte[] content) throws IOException;

    /// Lets those who change heads do so. Where that does not come to an end, what was prepared is
    /// not sent, but 500.
    public final void beforeHead() {
        headMicros = micros();
        if (notes != null && !notes.head(this)) {
            replace(500);
            notes.undecided(this);
        }
        if (notes != null && notes.isTimed()) {
            fields().add("Server-Timing", ServerTiming.of(this::micros, headMicros));
        }
    }

    /// Forgets what was prepared, for an answer without content: what is written for it is dropped.
    /// Only before the head has gone.
    protected abstract void replace(int code);

    /// How long content of the client was waited for, nanoseconds.
    protected abstract long contentWaitedNanos();

    /// How long the client did not take what was there to be sent, nanoseconds.
    protected abstract long clientWaitedNanos();

    // Checks

    protected abstract void requireOpen() throws IOException;

    /// Why nothing can be done with it any more.
    public final IllegalStateException ended() throws IOException {
        IOException cause = failure;
        if (cause != null) {
            throw new IOException("the exchange has failed", cause);
        }
        return new IllegalStateException("the exchange is over");
    }

    public final void requireInterim(int code) throws IOException {
        requireOpen();
        if (code < 100 || code > 199 || code == 101) {
            throw new IllegalArgumentException("status " + code + " is not an interim status");
        }
        if (committed()) {
            throw new IllegalStateException("the response is committed");
        }
    }

    // What is known of it

    /// The scheme that the client has used.
    ///
    /// @param own that of the connection
    protected final String scheme(String own) {
        return toldScheme == null ? context.address.scheme(own) : toldScheme;
    }

    /// Whether the client's connection is secure.
    ///
    /// @param own the scheme of the connection
    protected final boolean isSecure(String own) {
        return toldScheme == null ? context.address.isSecure(own) : toldScheme.equals("https");
    }

    @Override
    public final RequestHead request() {
        return head;
    }

    @Override
    public final void rewrite(RequestTarget target) {
        head = head.withTarget(target);
        path = null;
    }

    @Override
    public final void replaceFields(Fields fields) {
        head = head.withFields(fields);
    }

    /// Forgets what can be found out again: the connection goes on with another protocol, and may
    /// idle for long.
    protected final void forget() {
        path = null;
        phases = null;
    }

    @Override
    public final CanonicalPath path() {
        CanonicalPath known = path;
        PathReading reading = notes == null ? PathReading.STRICT : notes.reading();
        if (known == null || !known.reading().equals(reading)) {
            known = CanonicalPath.of(head.target().rawPath(), reading);
            path = known;
        }
        return known;
    }

    /// Where the client is.
    ///
    /// @param direct the other end of the connection
    public final SocketAddress client(SocketAddress direct) {
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
    public final String requestId() {
        String noted = notes == null ? null : notes.requestId();
        String given = noted != null ? noted : peerRequestId();
        return given != null ? given : context.requestId(id);
    }

    /// What the front end whose connection this is calls the request; null when it is no front end.
    protected @Nullable String peerRequestId() {
        return null;
    }

    @Override
    public final long startNanos() {
        return startNanos;
    }

    @Override
    public final int headMicros() {
        return headMicros;
    }

    /// Microseconds since the whole head, up to 35 minutes.
    final int micros() {
        long passed = TimeUnit.NANOSECONDS.toMicros(context.now() - startNanos);
        return Math.clamp(passed, 0, Integer.MAX_VALUE);
    }

    @Override
    public final Phases phases() {
        Phases known = phases;
        if (known == null) {
            known = new Phases();
            phases = known;
        }
        return known;
    }

    @Override
    public final long micros(RequestPhase phase) {
        Phases noted = phases;
        return switch (phase) {
            case QUEUED -> tasks.queuedMicros();
            case CONTENT -> TimeUnit.NANOSECONDS.toMicros(contentWaitedNanos());
            case CLIENT -> TimeUnit.NANOSECONDS.toMicros(clientWaitedNanos());
            default -> noted == null ? 0 : noted.micros(phase);
        };
    }

    @Override
    public final @Nullable RequestPhase underWay() {
        Phases noted = phases;
        return tasks.underWay(noted == null ? null : noted.underWay());
    }

    @Override
    public final int attempts() {
        Phases noted = phases;
        return noted == null ? 0 : noted.attempts();
    }

    @Override
    public final @Nullable Thread worker() {
        return tasks.worker();
    }

    @Override
    public final @Nullable IOException failure() {
        return failure;
    }

    @Override
    public final SocketAddress peer() {
        return io.remote();
    }

    @Override
    public final boolean mayBeFor(String host) {
        return ClientIdentity.isFor(io.tls(), host, context.strictSni);
    }

    @Override
    public final @Nullable String handshakeHost() {
        return ClientIdentity.handshakeHost(io);
    }

    @Override
    public final @Nullable TlsInfo clientTls() {
        TlsInfo told = notes == null ? null : notes.clientTls();
        return told == null ? tls() : told;
    }

    @Override
    public final long contentBytesMax() {
        return notes == null ? -1 : notes.contentBytesMax();
    }

    @Override
    public final boolean isWhole(@Nullable String type) {
        return notes != null && notes.isWhole(type);
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

    // Threads: what the queue of tasks asks and tells

    /// Whether the calling thread is the exchange's own, so that its tasks run there.
    protected abstract boolean ownsThread();

    /// Readies the exchange for another thread than the loop's.
    ///
    /// @return false when it has to wait for others; [ExchangeTasks#start] follows then
    protected abstract boolean mayLeaveLoop(ExchangeTasks tasks);

    /// Whether who works on it may have to wait for content of the client.
    protected abstract boolean mayStall();

    /// Whether the client has gone, so that work is not to begin any more (CVE-2023-44487).
    protected boolean isAbandoned() {
        return hasClientGone();
    }

    /// The tasks that were handed over have run.
    protected abstract void worked();

    /// Whether the loop has something to do for it though no task waits for an event.
    protected abstract boolean needsLoop();

    /// Whether a task that waits for content would find some, or a failure.
    protected abstract boolean hasInput();

    /// Whether a task that waits for room would find it.
    protected abstract boolean hasRoom();

    /// Asks for the events that are waited for. Loop thread.
    protected abstract void arm();

    /// Ends the exchange, which has failed.
    protected abstract void concludeFailed();

    @Override
    public final void dispatch(Runnable toRun) {
        tasks.dispatch(toRun);
    }

    @Override
    public final boolean isScheduled() {
        return tasks.isScheduled();
    }

    @Override
    public final void execute(Runnable toRun) {
        io.execute(() -> tasks.guard(toRun));
    }

    @Override
    public final void onWritable(Runnable toRun) {
        tasks.onWritable(toRun);
    }

    @Override
    public final void onEnd(Runnable toRun) {
        if (!ends.add(toRun)) {
            EndTasks.run(toRun, this);
        }
    }

    @Override
    public final void onEnd(ExchangeObserver toTell) {
        if (!ends.add(toTell)) {
            EndTasks.run(toTell, this);
        }
    }

    // The response

    @Override
    public final void end() throws IOException {
        end(EMPTY, 0, 0);
    }
}
