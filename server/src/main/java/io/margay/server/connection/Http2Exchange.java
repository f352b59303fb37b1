package io.margay.server.connection;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.Status;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Stream;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request on a stream of an HTTP/2 connection and its response.
///
/// Worked on by one thread at a time ([Http2Turns]). What the connection needs to know of it
/// (`inflow`, `outflow`, `failure` when written) is guarded by the connection's lock; `state`
/// decides, by compare-and-set, who ends it; the rest belongs to whoever works on it.
final class Http2Exchange implements Exchange {
    private static final int OPEN = 0;
    private static final int ENDING = 1;
    private static final int OVER = 2;
    private static final long UNKNOWN = -1;

    private static final VarHandle STATE;
    private static final byte[] EMPTY = new byte[0];
    private static final FieldList NO_FIELDS = new FieldList();

    private static final ProtocolError CLIENT_LEFT =
            ProtocolError.of(400, "RFC 9113 §5.4.2", "the client left while content was awaited");

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Http2Exchange.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Http2Stream stream;
    final Http2Inflow inflow = new Http2Inflow();
    final Http2Outflow outflow = new Http2Outflow();
    final Http2Turns turns;

    /// Octets of this exchange on the wire.
    long wireIn;

    long wireOut;

    /// Its place among the connection's live exchanges.
    int index;

    private final Http2Connection connection;
    private final Http1Context context;
    private final RequestHead head;
    private final long id;
    private final int number;
    private final long startNanos = System.nanoTime();
    private final Condition changed;
    private final Pace inPace;
    private final Pace outPace;
    private final EndTasks ends = new EndTasks();

    private volatile int state;
    private volatile @Nullable IOException failure;
    private volatile boolean committed;
    private final FieldList fields = new FieldList();
    private int status = 200;
    private boolean bodyless;
    private boolean refused;
    private boolean continueDue;
    private volatile boolean raw;
    private long promised = UNKNOWN;
    private volatile long sent;
    private @Nullable Supplier<FieldList> trailers;
    private @Nullable FileSender sender;
    private boolean tailDue;
    private @Nullable CanonicalPath path;
    private @Nullable String remoteUser;

    Http2Exchange(
            Http2Connection connection,
            Http1Context context,
            Http2Stream stream,
            RequestHead head,
            int number) {
        this.connection = connection;
        this.context = context;
        this.stream = stream;
        this.head = head;
        this.number = number;
        id = context.nextExchangeId();
        turns = new Http2Turns(this, connection);
        changed = connection.lock.newCondition();
        continueDue = head.expectContinue();
        long grace = context.limits.rateGrace().toNanos();
        inPace = new Pace(grace, context.limits.bodyRateMin());
        outPace = new Pace(grace, context.limits.writeRateMin());
        if (stream.isInputEnded()) {
            inflow.end();
        }
    }

    // Life, as the connection drives it

    /// Hands the exchange to the handler. Loop thread.
    void begin() {
        turns.begin(
                () -> {
                    try {
                        context.handler.handle(this);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /// Answers what is not to be handled. Loop thread.
    void refuse(ProtocolError error) {
        refused = true;
        answer(error.status(), error.text());
    }

    boolean isOver() {
        return state == OVER;
    }

    /// Whether nothing can be sent any more: that content did not come leaves the answer possible.
    boolean isBroken() {
        IOException cause = failure;
        return cause != null && !(cause instanceof RequestBodyException);
    }

    /// The one catch ladder: what leaves a handler or a task of it.
    private void failedBy(Throwable thrown) {
        Throwable cause = thrown instanceof UncheckedIOException ? thrown.getCause() : thrown;
        switch (cause) {
            case RequestBodyException e -> answer(e.error().status(), e.error().text());
            case IOException e -> {
                if (state == OPEN) {
                    fail(e, Http2.INTERNAL_ERROR);
                }
            }
            case null, default -> {
                context.log.handlerFailed(connection.io.id(), thrown);
                answer(500, "The server failed to answer.");
            }
        }
    }

    /// Runs what belongs to the handler.
    void guard(Runnable foreign) {
        try {
            foreign.run();
        } catch (Throwable e) {
            failedBy(e);
        }
    }

    /// Answers with a small text if that is still possible, else aborts.
    void answer(int code, String text) {
        if (state != OPEN || isBroken()) {
            return;
        }
        if (committed) {
            abort();
            return;
        }
        byte[] page =
                (code + " " + Status.reason(code) + "\n" + text + "\n")
                        .getBytes(StandardCharsets.UTF_8);
        fields.clear();
        trailers = null;
        status = code;
        if (code == 503) {
            fields.add("Retry-After", "1");
        }
        fields.add("Content-Type", "text/plain;charset=utf-8");
        try {
            finish(page, 0, page.length, false);
        } catch (IOException e) {
            context.log.clientFailed(connection.io.id(), e);
        }
    }

    /// The stream is of no use: the peer sees a reset, and the exchange ends as soon as no task is
    /// at work on it. From any thread.
    void fail(IOException cause, int code) {
        connection.lock.lock();
        try {
            connection.session.reset(stream, code);
            failed(cause);
        } finally {
            connection.lock.unlock();
        }
        connection.flush();
        turns.failed();
    }

    /// The stream or the connection has ended before its time. Under the lock; [Http2Turns#failed]
    /// follows without it.
    void failed(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        if (!inflow.isEnded()) {
            inflow.fail(CLIENT_LEFT);
        }
        outflow.drop();
        changed.signalAll();
    }

    /// Ends the exchange: the response has gone, or has failed. Called once it is so; what comes
    /// later does nothing.
    void complete() {
        if ((int) STATE.getAndSet(this, OVER) == OVER) {
            return;
        }
        context.stats.requestEnded(
                status, failure != null, wireIn, wireOut, System.nanoTime() - startNanos);
        if (context.observer != null) {
            try {
                context.observer.ended(this);
            } catch (RuntimeException e) {
                context.log.handlerFailed(connection.io.id(), e);
            }
        }
        ends.run(context.log, connection.io.id());
        FileSender unfinished = sender;
        if (unfinished != null) {
            unfinished.close();
        }
        connection.completed(this);
    }

    /// Content has gone that was waiting. Any thread, without the lock.
    void outputMoved(boolean inLoop) {
        if (outflow.isFinished()) {
            complete();
            return;
        }
        FileSender file = sender;
        if (file != null) {
            if (inLoop) {
                guard(file);
            } else {
                connection.io.execute(() -> guard(file));
            }
            return;
        }
        turns.changed(inLoop);
    }

    /// Wakes threads that wait for content, or for its going. Under the lock.
    void signal() {
        changed.signalAll();
    }

    /// Whether [#poll] would say something.
    boolean isReadable() {
        connection.lock.lock();
        try {
            return inflow.isReady() || (isExtended() && !raw);
        } finally {
            connection.lock.unlock();
        }
    }

    /// Looks whether the client moves. Under the lock.
    ///
    /// @param elapsed since the last look
    /// @param awaitsInput whether a task waits for content
    /// @return what is wrong with it, or null
    @Nullable IOException look(long now, long elapsed, boolean awaitsInput) {
        boolean awaited = inflow.awaitedNanos != 0 || awaitsInput;
        if (awaited && !inflow.isReady() && !raw) {
            if (inflow.awaitedNanos == 0) {
                inflow.awaitedNanos = now;
            }
            inPace.waited(elapsed);
            if (now - inflow.awaitedNanos > context.bodyNanos || inPace.isTooSlow()) {
                RequestBodyException late = inflow.fail(ContentReader.TIMEOUT);
                if (failure == null) {
                    failure = late;
                }
                changed.signalAll();
                return null;
            }
        }
        if (outflow.waiting() > 0) {
            outPace.waited(elapsed);
            outPace.moved(outflow.moved);
            outflow.moved = 0;
            if (now - outflow.progressNanos > context.writeNanos) {
                return new StalledException("the client does not take the response");
            }
            if (outPace.isTooSlow()) {
                return new StalledException("the client takes the response too slowly");
            }
        }
        return null;
    }

    // The request

    @Override
    public RequestHead request() {
        return head;
    }

    @Override
    public CanonicalPath path() {
        CanonicalPath known = path;
        if (known == null) {
            known = CanonicalPath.of(head.target().rawPath());
            path = known;
        }
        return known;
    }

    @Override
    public String scheme() {
        return connection.io.tls() == null ? "http" : "https";
    }

    @Override
    public SocketAddress remote() {
        return connection.io.remote();
    }

    @Override
    public SocketAddress local() {
        return connection.io.local();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return connection.tls();
    }

    @Override
    public long connectionId() {
        return connection.io.id();
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long startNanos() {
        return startNanos;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return null;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        requireWait();
        return take(target, offset, length, true);
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return take(target, offset, length, false);
    }

    private int take(byte[] target, int offset, int length, boolean waits) throws IOException {
        requireOpen();
        if (isExtended() && !raw) {
            return -1;
        }
        boolean tell = false;
        int count;
        connection.lock.lock();
        try {
            count = takeNow(target, offset, length);
            if (count == 0 && length > 0 && continueDue) {
                askForContent();
                tell = true;
            }
        } finally {
            connection.lock.unlock();
        }
        if (tell || (count > 0 && used(count))) {
            connection.flush();
        }
        if (count != 0 || length == 0 || !waits) {
            return count;
        }
        count = await(target, offset, length);
        if (count > 0 && used(count)) {
            connection.flush();
        }
        return count;
    }

    private int takeNow(byte[] target, int offset, int length) throws IOException {
        RequestBodyException error = inflow.error;
        if (error != null) {
            throw error;
        }
        int count = inflow.take(target, offset, length);
        if (count > 0) {
            inPace.moved(count);
        }
        return count;
    }

    private boolean used(int count) {
        connection.lock.lock();
        try {
            return connection.session.used(stream, count);
        } finally {
            connection.lock.unlock();
        }
    }

    private void askForContent() {
        continueDue = false;
        if (!committed && !stream.isInputEnded()) {
            connection.session.respond(stream, 100, NO_FIELDS, UNKNOWN, null, false);
        }
    }

    private int await(byte[] target, int offset, int length) throws IOException {
        connection.lock.lock();
        try {
            inflow.awaitedNanos = System.nanoTime();
            while (true) {
                int count = takeNow(target, offset, length);
                if (count != 0) {
                    return count;
                }
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while waiting");
        } finally {
            inflow.awaitedNanos = 0;
            connection.lock.unlock();
        }
    }

    @Override
    public boolean inputEnded() {
        connection.lock.lock();
        try {
            return isExtended() && !raw ? true : inflow.isEnded();
        } finally {
            connection.lock.unlock();
        }
    }

    @Override
    public void onReadable(Runnable toRun) {
        connection.lock.lock();
        try {
            if (continueDue && !inflow.isReady()) {
                askForContent();
            }
            inflow.awaitedNanos = 0;
        } finally {
            connection.lock.unlock();
        }
        connection.flush();
        turns.onReadable(toRun);
    }

    @Override
    public Fields trailers() {
        connection.lock.lock();
        try {
            return inflow.isEnded() ? inflow.trailers : Fields.EMPTY;
        } finally {
            connection.lock.unlock();
        }
    }

    // The response

    @Override
    public int status() {
        return status;
    }

    @Override
    public void status(int code) {
        if (committed) {
            throw new IllegalStateException("the response is committed");
        }
        if (code < 200 || code > 599) {
            throw new IllegalArgumentException("status " + code + " is not between 200 and 599");
        }
        status = code;
    }

    @Override
    public FieldList fields() {
        return fields;
    }

    @Override
    public boolean committed() {
        return committed;
    }

    @Override
    public void interim(int code, FieldList list) throws IOException {
        requireOpen();
        if (code < 100 || code > 199 || code == 101) {
            throw new IllegalArgumentException("status " + code + " is no interim status");
        }
        if (committed) {
            throw new IllegalStateException("the response is committed");
        }
        connection.lock.lock();
        try {
            if (code == 100) {
                continueDue = false;
            }
            connection.session.respond(stream, code, list, UNKNOWN, null, false);
        } finally {
            connection.lock.unlock();
        }
        connection.flush();
    }

    /// Puts the head. Under the lock.
    ///
    /// @param length of the content when this is all of it; negative when more may follow
    private void commit(long length) {
        String declared = fields.get("Content-Length");
        long known = declared == null ? length : ResponseFraming.decimal(declared);
        bodyless = head.isHead() || status == 204 || status == 304;
        if (!bodyless) {
            promised = known;
        }
        if (trailers != null && declared == null) {
            known = UNKNOWN;
        }
        boolean silent = status == 204 || (bodyless && declared == null && length <= 0);
        if (context.serverName != null && !fields.contains("Server")) {
            fields.add("Server", context.serverName);
        }
        checkSize();
        boolean endsHere = (bodyless || length == 0) && trailers == null;
        int before = connection.session.output().size();
        connection.session.respond(
                stream, status, fields, silent ? UNKNOWN : known, context.date.text(), endsHere);
        wireOut += connection.session.output().size() - before;
        committed = true;
        if (endsHere) {
            outflow.endedByHead();
        }
    }

    private void checkSize() {
        long bytes = 0;
        for (int i = 0; i < fields.size(); i++) {
            bytes += fields.name(i).length() + fields.value(i).length();
        }
        int most = context.limits.responseHeadBytesMax();
        if (bytes > most) {
            throw new IllegalStateException("the response's head is larger than " + most);
        }
    }

    private boolean accepts(long bytes) {
        return bodyless || raw || promised == UNKNOWN || sent + bytes <= promised;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        requireWait();
        move(source, offset, length, true);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        move(source, offset, length, false);
    }

    private void move(byte[] source, int offset, int length, boolean waits) throws IOException {
        requireOpen();
        if (sender != null && !waits) {
            throw new IllegalStateException("a file is being sent");
        }
        put(source, offset, length, waits);
    }

    private void put(byte[] source, int offset, int length, boolean waits) throws IOException {
        boolean tooMuch = false;
        connection.lock.lock();
        try {
            if (!committed) {
                commit(UNKNOWN);
            }
            tooMuch = !accepts(length);
            if (!tooMuch && !bodyless && length > 0) {
                if (waits) {
                    awaitGone(false);
                    outflow.lend(source, offset, length);
                } else {
                    outflow.keep(source, offset, length, context.limits.pendingBytesMax());
                }
                sent += length;
                connection.enqueue(this);
            }
        } finally {
            connection.lock.unlock();
        }
        if (tooMuch) {
            abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
        connection.flush();
        if (waits) {
            awaitAllGone();
        }
    }

    private void awaitAllGone() throws IOException {
        connection.lock.lock();
        try {
            awaitGone(true);
        } finally {
            connection.lock.unlock();
        }
    }

    /// Waits until nothing waits to go. Under the lock, which is free meanwhile.
    ///
    /// @param lent whether what waits is the caller's array, of which the outflow must let go
    private void awaitGone(boolean lent) throws IOException {
        try {
            while (outflow.waiting() > 0 && !isBroken()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            if (lent) {
                outflow.drop();
            }
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while waiting");
        }
        if (isBroken()) {
            throw new IOException("the exchange has failed", failure);
        }
    }

    @Override
    public boolean writable() {
        connection.lock.lock();
        try {
            return outflow.waiting() == 0 && sender == null;
        } finally {
            connection.lock.unlock();
        }
    }

    @Override
    public void onWritable(Runnable toRun) {
        turns.onWritable(toRun);
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        try {
            requireOpen();
            connection.lock.lock();
            try {
                if (!committed) {
                    commit(UNKNOWN);
                }
            } finally {
                connection.lock.unlock();
            }
            if (!accepts(count)) {
                abort();
                throw new IllegalStateException("more content than Content-Length says");
            }
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        FileSender made = new FileSender(file, position, bodyless ? 0 : count);
        if (mayWait()) {
            try (file) {
                made.sendAll();
            }
        } else {
            sender = made;
            made.run();
        }
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        connection.lock.lock();
        try {
            if (!committed) {
                commit(UNKNOWN);
            }
        } finally {
            connection.lock.unlock();
        }
        connection.flush();
    }

    @Override
    public void trailers(Supplier<FieldList> supplier) {
        trailers = supplier;
    }

    @Override
    public void end() throws IOException {
        end(EMPTY, 0, 0);
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        requireOpen();
        finish(source, offset, length, mayWait());
    }

    private void finish(byte[] source, int offset, int length, boolean waits) throws IOException {
        connection.lock.lock();
        try {
            if (state == OPEN && !isBroken() && !committed) {
                commit(length);
            }
        } finally {
            connection.lock.unlock();
        }
        if (!STATE.compareAndSet(this, OPEN, ENDING)) {
            throw ended();
        }
        try {
            if (length > 0 && (sender != null || !accepts(length))) {
                throw new IllegalStateException(
                        "more content than was announced or can be sent");
            }
            if (!bodyless && !raw && promised != UNKNOWN && sent + length != promised) {
                fail(
                        new IOException("the response is shorter than its Content-Length"),
                        Http2.INTERNAL_ERROR);
                return;
            }
            if (sender != null) {
                tailDue = true;
                return;
            }
            putEnd(source, offset, length, waits);
        } catch (RuntimeException e) {
            // Trailers that cannot be sent, for one: nobody else will end it.
            fail(new IOException("the response could not be ended", e), Http2.INTERNAL_ERROR);
            throw e;
        }
        connection.flush();
        if (waits && outflow.waiting() > 0) {
            awaitAllGone();
        }
    }

    private void putEnd(byte[] source, int offset, int length, boolean waits) throws IOException {
        FieldList last = trailers == null || raw ? null : trailers.get();
        if (last != null && last.size() == 0) {
            last = null;
        }
        connection.lock.lock();
        try {
            if (!outflow.isFinished()) {
                if (length > 0) {
                    if (waits) {
                        awaitGone(false);
                        outflow.lend(source, offset, length);
                    } else {
                        outflow.keep(source, offset, length, Integer.MAX_VALUE);
                    }
                }
                outflow.end(last);
            }
            sent += bodyless ? 0 : length;
            connection.enqueue(this);
        } finally {
            connection.lock.unlock();
        }
    }

    @Override
    public void abort() {
        if (!isOver()) {
            fail(new IOException("the exchange was aborted"), Http2.INTERNAL_ERROR);
        }
    }

    @Override
    public long bytesSent() {
        return sent;
    }

    /// Whether this is an extended CONNECT, which stands here as an upgrade (RFC 8441).
    private boolean isExtended() {
        return head.fields().contains("upgrade");
    }

    @Override
    public void upgrade() throws IOException {
        requireOpen();
        if (!isExtended() || committed) {
            throw new IllegalStateException("this exchange cannot be upgraded");
        }
        connection.lock.lock();
        try {
            status = 200;
            fields.remove("Sec-WebSocket-Accept");
            connection.session.respond(
                    stream, 200, fields, UNKNOWN, context.date.text(), false);
            committed = true;
            raw = true;
        } finally {
            connection.lock.unlock();
        }
        connection.flush();
    }

    // Threads and life

    @Override
    public void dispatch(Runnable toRun) {
        turns.dispatch(toRun);
    }

    @Override
    public void execute(Runnable toRun) {
        connection.io.execute(() -> guard(toRun));
    }

    @Override
    public void onEnd(Runnable toRun) {
        if (!ends.add(toRun)) {
            EndTasks.run(toRun, context.log, connection.io.id());
        }
    }

    @Override
    public @Nullable IOException failure() {
        return failure;
    }

    @Override
    public @Nullable String remoteUser() {
        return remoteUser;
    }

    @Override
    public void remoteUser(@Nullable String user) {
        remoteUser = user;
    }

    @Override
    public long wireBytesIn() {
        return wireIn;
    }

    @Override
    public long wireBytesOut() {
        return wireOut;
    }

    @Override
    public int requestNumber() {
        return number;
    }

    @Override
    public boolean connectionKept() {
        return connection.isKept();
    }

    // Checks

    /// Whether the calling thread may wait for the peer.
    private boolean mayWait() {
        return !connection.io.inLoop();
    }

    private void requireWait() {
        if (connection.io.inLoop()) {
            throw new IllegalStateException("only after dispatch may a call wait");
        }
    }

    private void requireOpen() throws IOException {
        if (state != OPEN || isBroken()) {
            throw ended();
        }
    }

    private IllegalStateException ended() throws IOException {
        IOException cause = failure;
        if (cause != null) {
            throw new IOException("the exchange has failed", cause);
        }
        return new IllegalStateException("the exchange is over");
    }

    /// Sends a part of a file piece by piece. Owned as the exchange is.
    private final class FileSender implements Runnable {
        private static final int PIECE = 32_768;
        private static final int PIECES_AT_ONCE = 8;

        private final FileChannel file;
        private final java.nio.ByteBuffer piece;
        private long position;
        private long left;

        FileSender(FileChannel file, long position, long count) {
            this.file = file;
            this.position = position;
            left = count;
            piece = java.nio.ByteBuffer.allocate((int) Math.min(PIECE, Math.max(1, count)));
        }

        /// Sends on as far as there is room. Loop thread.
        @Override
        public void run() {
            try {
                for (int i = 0; left > 0 && failure == null && outflow.waiting() == 0; i++) {
                    if (i == PIECES_AT_ONCE) {
                        connection.io.execute(() -> guard(this));
                        return;
                    }
                    put(piece.array(), 0, next(), false);
                }
                if (left == 0 && outflow.waiting() == 0) {
                    sent();
                }
            } catch (IOException e) {
                fail(e, Http2.INTERNAL_ERROR);
            }
        }

        private void sent() throws IOException {
            sender = null;
            close();
            if (tailDue) {
                tailDue = false;
                putEnd(EMPTY, 0, 0, false);
                connection.flush();
            } else {
                turns.changed(true);
            }
        }

        /// Sends all, waiting.
        void sendAll() throws IOException {
            while (left > 0) {
                put(piece.array(), 0, next(), true);
            }
        }

        private int next() throws IOException {
            piece.clear().limit((int) Math.min(piece.capacity(), left));
            int count = file.read(piece, position);
            if (count <= 0) {
                throw new IOException("a file became shorter while it was sent");
            }
            position += count;
            left -= count;
            return count;
        }

        void close() {
            try {
                file.close();
            } catch (IOException e) {
                context.log.clientFailed(connection.io.id(), e);
            }
        }
    }
}
