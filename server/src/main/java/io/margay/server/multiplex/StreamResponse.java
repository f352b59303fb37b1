package io.margay.server.multiplex;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ContentLength;
import io.margay.server.connection.StalledException;
import io.margay.server.connection.TransferRate;
import io.margay.server.multiplex.StreamOutflow.Loan;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The response of one exchange on a stream: its head, its content on the way to the connection,
/// and its end.
///
/// `outflow` and what is put into the stream are guarded by the connection's lock, the rest belongs
/// to whoever works on the exchange.
final class StreamResponse {
    private static final long UNKNOWN = -1;
    private static final FieldList NO_FIELDS = new FieldList();

    final StreamOutflow outflow;

    private final StreamExchange exchange;
    private final StreamExchanges streams;
    private final ConnectionContext context;
    private final MessageStream stream;
    private final RequestHead request;
    private final FieldList fields = new FieldList();
    private int status = 200;
    private boolean bodyless;
    private boolean dropped;
    private boolean raw;
    private volatile boolean committed;
    private long promised = UNKNOWN;
    private volatile long sent;
    private @Nullable Supplier<FieldList> trailers;
    private @Nullable TransferRate rate;

    StreamResponse(StreamExchange exchange, StreamExchanges streams, ConnectionContext context) {
        this.exchange = exchange;
        this.streams = streams;
        this.context = context;
        outflow = new StreamOutflow(context.clock(), streams.held);
        stream = exchange.stream;
        request = exchange.request();
    }

    int status() {
        return status;
    }

    void status(int code) {
        if (committed) {
            throw new IllegalStateException("the response is committed");
        }
        if (code < 200 || code > 999) {
            throw new IllegalArgumentException("status " + code + " is not between 200 and 999");
        }
        status = code;
    }

    FieldList fields() {
        return fields;
    }

    boolean isCommitted() {
        return committed;
    }

    boolean isBodyless() {
        return bodyless;
    }

    long sent() {
        return sent;
    }

    void trailers(Supplier<FieldList> supplier) {
        trailers = supplier;
    }

    /// Forgets what was prepared, for another answer.
    void restart(int code) {
        fields.clear();
        trailers = null;
        status = code;
    }

    /// The same for an answer without content: what is put for it is dropped.
    void replace(int code) {
        restart(code);
        fields.set("Content-Length", "0");
        dropped = true;
    }

    // The head

    /// Lets those who change heads do so. Not under the lock.
    private void beforeHead() {
        if (!committed) {
            exchange.beforeHead();
        }
    }

    /// Sends an interim response.
    void interim(int code, FieldList list) {
        streams.lock.lock();
        try {
            putInterim(code, list);
        } finally {
            streams.lock.unlock();
        }
        streams.flush();
    }

    /// Has the client send the content it holds back. Under the lock.
    void putContinue() {
        if (!committed && !stream.isInputEnded()) {
            putInterim(100, NO_FIELDS);
        }
    }

    private void putInterim(int code, FieldList list) {
        int before = stream.output();
        stream.respond(code, list, UNKNOWN, null, false);
        outflow.wireBytes += stream.output() - before;
    }

    /// Puts the head unless that has been done; more may follow.
    void commit() {
        beforeHead();
        streams.lock.lock();
        try {
            commitNow(UNKNOWN);
        } finally {
            streams.lock.unlock();
        }
    }

    /// The same for content of a known length. Under the lock.
    private void commitNow(long length) {
        if (committed) {
            return;
        }
        if (exchange.content.extended && status / 100 == 2) {
            status = 501; // nobody took it for an upgrade, and 2xx would say so (RFC 8441 §4)
        }
        bodyless = ContentLength.settleBodyless(request, status, fields) || dropped;
        String declared = fields.get("Content-Length");
        long known = declared == null ? length : ContentLength.parse(declared);
        if (!bodyless) {
            promised = known;
        }
        boolean silent =
                status == 204
                        || (bodyless && declared == null && length <= 0)
                        || (trailers != null && declared == null);
        context.addOwn(fields);
        checkSize();
        String told = fields.get("Priority");
        if (told != null) {
            Priority asked = stream.priority();
            streams.sending.change(
                    stream, (asked == null ? Priority.DEFAULT : asked).changedBy(told));
        }
        boolean endsHere = (bodyless || length == 0) && trailers == null;
        int before = stream.output();
        stream.respond(status, fields, silent ? UNKNOWN : known, context.date.text(), endsHere);
        outflow.wireBytes += stream.output() - before;
        committed = true;
        if (endsHere) {
            outflow.endedByHead();
        }
    }

    private void checkSize() {
        long bytes = 0;
        for (int i = 0; i < fields.size(); i++) {
            bytes += fields.nameLength(i) + fields.valueLength(i);
        }
        int most = context.limits.responseHeadBytesMax();
        if (bytes > most) {
            throw new IllegalStateException("the response's head is larger than " + most);
        }
    }

    /// Says that the extended CONNECT is accepted, so that content is another protocol's from now
    /// on (RFC 8441 §5).
    void upgrade() {
        streams.lock.lock();
        try {
            status = 200;
            // It is made of the key, of which there is none here.
            fields.remove("Sec-WebSocket-Accept");
            int before = stream.output();
            stream.respond(200, fields, UNKNOWN, context.date.text(), false);
            outflow.wireBytes += stream.output() - before;
            committed = true;
            raw = true;
        } finally {
            streams.lock.unlock();
        }
        streams.flush();
    }

    // The content

    /// Whether so many more bytes keep the promise made by `Content-Length`.
    boolean accepts(long bytes) {
        return bodyless || raw || promised == UNKNOWN || sent + bytes <= promised;
    }

    /// Whether these bytes more fulfil it.
    boolean isSatisfiedWith(long bytes) {
        return bodyless || raw || promised == UNKNOWN || sent + bytes == promised;
    }

    /// Puts content, with the head before it, and sends what can be sent.
    ///
    /// @return false when it is more than was promised
    boolean put(byte[] source, int offset, int length, Loan loan) throws IOException {
        beforeHead();
        streams.lock.lock();
        try {
            if (exchange.isBroken()) {
                throw new IOException("the exchange has failed", exchange.failure());
            }
            commitNow(UNKNOWN);
            if (!accepts(length)) {
                return false;
            }
            if (!bodyless && length > 0) {
                add(source, offset, length, loan, context.limits.pendingBytesMax());
                streams.enqueue(exchange);
                settle();
            }
        } finally {
            streams.lock.unlock();
        }
        flush();
        if (loan == Loan.WAITED_FOR) {
            awaitGone();
        }
        return true;
    }

    /// Puts content that nobody changes until it has gone, without a copy. Nothing else may wait.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void runAsLeader(byte[] source, int length) {
        streams.lock.lock();
        try {
            if (!exchange.isBroken()) {
                outflow.runAsLeader(source, 0, length, Loan.LEASED);
                sent += length;
                streams.enqueue(exchange);
                settle();
            }
        } finally {
            streams.lock.unlock();
        }
        flush();
    }

    /// Keeps what does not go at once. Where there is no memory for it, the response ends here.
    /// Under the lock.
    private void settle() {
        outflow.settle();
        if (outflow.isTooMuch() && !exchange.isBroken()) {
            IOException cause =
                    new IOException("there is no memory for what the client does not take");
            context.log.clientFailed(streams.io.id(), cause);
            stream.reset(MessageStream.End.CANCELLED);
            exchange.failed(cause);
        }
    }

    /// Sends what was put. Without the lock.
    private void flush() {
        streams.flush();
        if (outflow.isTooMuch()) {
            exchange.tasks.failed(false);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void add(byte[] source, int offset, int length, Loan loan, int pendingMax)
            throws IOException {
        if (loan == Loan.WAITED_FOR) {
            awaitGoneLocked();
        }
        if (outflow.waiting() == 0) {
            outflow.runAsLeader(source, offset, length, loan);
        } else {
            outflow.append(source, offset, length, pendingMax);
        }
        sent += length;
    }

    /// Looks whether the client takes what waits. Under the lock.
    ///
    /// @param elapsed since the last look
    /// @return what is wrong, or null
    @Nullable IOException look(long now, long elapsed) {
        if (outflow.waiting() == 0) {
            return null;
        }
        TransferRate known = rate;
        if (known == null) {
            known = context.outputRate();
            rate = known;
        }
        known.waited(elapsed);
        known.moved(outflow.moved);
        outflow.moved = 0;
        if (now - outflow.progressNanos > context.writeNanos) {
            return new StalledException("the client does not take the response");
        }
        return known.isTooSlow()
                ? new StalledException("the client takes the response too slowly")
                : null;
    }

    /// How long the client did not take what was there to be sent, nanoseconds. After the end.
    long waitedNanos() {
        return outflow.waitedNanos;
    }

    /// Waits until nothing waits to go.
    void awaitGone() throws IOException {
        streams.lock.lock();
        try {
            awaitGoneLocked();
        } finally {
            streams.lock.unlock();
        }
    }

    /// The same under the lock, which is free meanwhile.
    private void awaitGoneLocked() throws IOException {
        try {
            while (outflow.waiting() > 0 && !exchange.isBroken()) {
                exchange.changed().await();
            }
        } catch (InterruptedException e) {
            // The array is the caller's again.
            outflow.drop();
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while waiting");
        }
        if (exchange.isBroken()) {
            throw new IOException("the exchange has failed", exchange.failure());
        }
    }

    /// Whether nothing waits to go.
    boolean isWritable() {
        streams.lock.lock();
        try {
            return outflow.waiting() == 0;
        } finally {
            streams.lock.unlock();
        }
    }

    // The end

    /// Puts the head of a response whose content is all here, unless it has been put.
    void commitAll(int length) {
        beforeHead();
        streams.lock.lock();
        try {
            if (!exchange.isBroken()) {
                commitNow(length);
            }
        } finally {
            streams.lock.unlock();
        }
    }

    /// Puts head, content and end of a response of which nothing has been put, and sends what can
    /// be sent.
    ///
    /// @return false where it takes more steps than that; then at most the head has been put
    boolean putWhole(byte[] source, int offset, int length, Loan loan) throws IOException {
        if (committed || trailers != null) {
            return false;
        }
        beforeHead();
        RuntimeException broken = null;
        streams.lock.lock();
        try {
            if (exchange.isBroken()) {
                return false;
            }
            commitNow(length);
            if (trailers != null || !isSatisfiedWith(length) || !exchange.beginEnd()) {
                return false;
            }
            try {
                putLast(source, offset, length, loan, null);
            } catch (RuntimeException e) {
                broken = e;
            }
        } finally {
            streams.lock.unlock();
        }
        if (broken != null) {
            exchange.failToEnd(broken);
            throw broken;
        }
        flush();
        return true;
    }

    /// Under the lock.
    private void putLast(byte[] source, int offset, int length, Loan loan, @Nullable FieldList last)
            throws IOException {
        if (!outflow.isFinished()) {
            if (length > 0 && !bodyless) {
                add(source, offset, length, loan, Integer.MAX_VALUE);
            }
            outflow.end(last);
        }
        streams.enqueue(exchange);
        settle();
    }

    /// Puts the last content, and the end.
    void putEnd(byte[] source, int offset, int length, Loan loan) throws IOException {
        FieldList last = trailers == null || raw ? null : trailers.get();
        if (last != null && last.size() == 0) {
            last = null;
        }
        streams.lock.lock();
        try {
            putLast(source, offset, length, loan, last);
        } finally {
            streams.lock.unlock();
        }
        flush();
    }
}
