package io.margay.server.connection;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http2.Http2;
import io.margay.protocol.http2.Http2Stream;
import io.margay.server.connection.Http2Outflow.Loan;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request on a stream of an HTTP/2 connection and its response.
///
/// Worked on by one thread at a time ([Http2Turns]), or by one that reads content while another
/// writes the response. What the connection needs to know of it (`inflow`, `outflow`, `failure`
/// when written) is guarded by the connection's lock; the rest belongs to whoever works on it.
final class Http2Exchange extends ServedExchange {
    private static final ProtocolError CLIENT_LEFT =
            ProtocolError.of(400, "RFC 9113 §5.4.2", "the client left while content was awaited");

    final Http2Stream stream;
    final Http2Inflow inflow = new Http2Inflow();

    /// Whether there was no room for its content: the stream is to be reset. Under the lock.
    boolean isTooMuch;

    final Http2Response response;
    final Http2Turns turns;

    /// Octets of the request on the wire. Guarded by the connection's lock.
    long wireIn;

    /// Its place among the connection's live exchanges.
    int index;

    private final Http2Connection connection;
    private final int number;

    // Made when somebody waits
    private @Nullable Condition changed;
    private @Nullable Pace inPace;
    private @Nullable Pace outPace;

    private volatile boolean continueDue;

    /// Whether this is an extended CONNECT, which stands here as an upgrade (RFC 8441).
    final boolean extended;

    private volatile boolean raw;
    private @Nullable Http2FileSender sender;
    private boolean tailDue;

    Http2Exchange(
            Http2Connection connection,
            Http1Context context,
            Http2Stream stream,
            RequestHead head,
            int number) {
        super(connection.io, context, head);
        this.connection = connection;
        this.stream = stream;
        this.number = number;
        turns = new Http2Turns(this, connection);
        response = new Http2Response(this, connection, context);
        continueDue = head.expectContinue();
        extended = head.fields().contains("upgrade");
        if (stream.isInputEnded()) {
            inflow.end();
        }
    }

    @Override
    public Carrier carrier() {
        return connection;
    }

    // Life, as the connection drives it

    /// Hands the exchange to the handler. Loop thread.
    void begin() {
        turns.begin(() -> {
            try {
                context.handler.handle(this);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /// Answers what is not to be handled. Loop thread.
    void refuse(ProtocolError error) {
        answer(error.status(), error.text());
    }

    /// Whether nothing can be sent any more: that content did not come leaves the answer possible.
    @Override
    boolean isBroken() {
        IOException cause = failure;
        return cause != null && !(cause instanceof RequestBodyException);
    }

    @Override
    void restart(int code) {
        response.restart(code);
    }

    @Override
    void endWith(byte[] page) throws IOException {
        finish(page, 0, page.length, Loan.FOR_GOOD);
    }

    @Override
    void fail(IOException cause) {
        fail(cause, Http2.INTERNAL_ERROR);
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
        response.outflow.drop();
        signal();
    }

    /// Ends the exchange: the response has gone, or has failed. Called once it is so; what comes
    /// later does nothing.
    void complete() {
        if (beginOver()) {
            conclude();
            closeFile(false);
            connection.completed(this);
        }
    }

    /// Content has gone that was waiting. Any thread, without the lock.
    void outputMoved(boolean inLoop) {
        if (response.outflow.isFinished()) {
            complete();
            return;
        }
        Http2FileSender file = sender;
        if (file != null) {
            if (inLoop) {
                guard(file);
            } else {
                io.execute(() -> guard(file));
            }
            return;
        }
        turns.changed(inLoop);
    }

    /// Wakes threads that wait for content, or for its going. Under the lock.
    void signal() {
        if (changed != null) {
            changed.signalAll();
        }
    }

    /// Whether [#poll] would say something.
    boolean isReadable() {
        connection.lock.lock();
        try {
            return inflow.isReady() || (extended && !raw);
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
            inPace = inPace == null ? pace(context.limits.bodyRateMin()) : inPace;
            inPace.waited(elapsed);
            if (now - inflow.awaitedNanos > context.bodyNanos || inPace.isTooSlow()) {
                RequestBodyException late = inflow.fail(ContentReader.TIMEOUT);
                if (failure == null) {
                    failure = late;
                }
                signal();
                return null;
            }
        }
        if (response.outflow.waiting() > 0) {
            outPace = outPace == null ? pace(context.limits.writeRateMin()) : outPace;
            outPace.waited(elapsed);
            outPace.moved(response.outflow.moved);
            response.outflow.moved = 0;
            if (now - response.outflow.progressNanos > context.writeNanos) {
                return new StalledException("the client does not take the response");
            }
            if (outPace.isTooSlow()) {
                return new StalledException("the client takes the response too slowly");
            }
        }
        return null;
    }

    private Pace pace(int bytesPerSecondMin) {
        return new Pace(context.limits.rateGrace().toNanos(), bytesPerSecondMin);
    }

    // The request

    @Override
    public String scheme() {
        return io.tls() == null ? "http" : "https";
    }

    @Override
    public SocketAddress remote() {
        return client(io.remote());
    }

    @Override
    public SocketAddress local() {
        return io.local();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return connection.tls();
    }

    @Override
    public String protocolRequestId() {
        return Integer.toString(stream.id());
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
        if (extended && !raw) {
            return -1;
        }
        boolean tell = false;
        int count;
        connection.lock.lock();
        try {
            count = takeNow(target, offset, length);
            if (count > 0) {
                tell = connection.session.used(stream, count);
            } else if (count == 0 && length > 0 && continueDue) {
                askForContent();
                tell = true;
            }
        } finally {
            connection.lock.unlock();
        }
        if (tell) {
            connection.flush();
        }
        return count == 0 && length > 0 && waits ? await(target, offset, length) : count;
    }

    private int takeNow(byte[] target, int offset, int length) throws IOException {
        RequestBodyException error = inflow.error;
        if (error != null) {
            throw error;
        }
        int count = connection.unread.take(inflow, target, offset, length);
        Pace pace = inPace;
        if (count > 0 && pace != null) {
            pace.moved(count);
        }
        return count;
    }

    private void askForContent() {
        continueDue = false;
        response.putContinue();
    }

    private int await(byte[] target, int offset, int length) throws IOException {
        boolean tell = false;
        int count = 0;
        connection.lock.lock();
        try {
            inflow.awaitedNanos = System.nanoTime();
            while (count == 0) {
                if (isOver()) {
                    throw ended();
                }
                count = takeNow(target, offset, length);
                if (count == 0) {
                    changed().await();
                }
            }
            tell = count > 0 && connection.session.used(stream, count);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while waiting");
        } finally {
            inflow.awaitedNanos = 0;
            connection.lock.unlock();
        }
        if (tell) {
            connection.flush();
        }
        return count;
    }

    /// What is signalled when something came or went, or the exchange failed. Under the lock.
    Condition changed() {
        Condition known = changed;
        if (known == null) {
            known = connection.lock.newCondition();
            changed = known;
        }
        return known;
    }

    @Override
    public boolean inputEnded() {
        connection.lock.lock();
        try {
            return (extended && !raw) || inflow.isEnded();
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
        return response.status();
    }

    @Override
    public void status(int code) {
        response.status(code);
    }

    @Override
    public FieldList fields() {
        return response.fields();
    }

    @Override
    public boolean committed() {
        return response.isCommitted();
    }

    @Override
    public void interim(int code, FieldList list) throws IOException {
        requireInterim(code);
        if (code == 100) {
            continueDue = false;
        }
        response.interim(code, list);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        requireWait();
        move(source, offset, length, Loan.WAITED_FOR);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        move(source, offset, length, Loan.COPIED);
    }

    private void move(byte[] source, int offset, int length, Loan loan) throws IOException {
        requireOpen();
        if (sender != null) {
            throw new IllegalStateException("a file is being sent");
        }
        if (!response.put(source, offset, length, loan)) {
            abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
    }

    @Override
    public boolean writable() {
        return sender == null && response.isWritable();
    }

    @Override
    public void onWritable(Runnable toRun) {
        turns.onWritable(toRun);
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        Http2FileSender made = newSender(file, position, count);
        if (mayWait()) {
            made.sendAll();
        } else {
            sender = made;
            made.run();
        }
    }

    private Http2FileSender newSender(FileChannel file, long position, long count)
            throws IOException {
        return Http2FileSender.of(this, response, context.largeBuffers, file, position, count);
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        Http2FileSender made = newSender(file, position, count);
        if (connection.io.blocking()) {
            made.sendAll();
            end();
        } else if (beginEnd()) {
            tailDue = true;
            sender = made;
            execute(made);
        } else {
            made.close(true);
            throw ended();
        }
    }

    /// Whether that file is being sent still.
    boolean isSending(Http2FileSender file) {
        return file.equals(sender) && !isBroken();
    }

    /// The file has gone. Loop thread.
    void fileSent() throws IOException {
        closeFile(true);
        if (tailDue) {
            tailDue = false;
            putEnd(EMPTY, 0, 0, Loan.FOR_GOOD);
        } else {
            turns.changed(true);
        }
    }

    private void closeFile(boolean gone) {
        Http2FileSender file = sender;
        sender = null;
        if (file != null) {
            try {
                file.close(gone);
            } catch (IOException e) {
                context.log.clientFailed(io.id(), e);
            }
        }
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        response.commit();
        connection.flush();
    }

    @Override
    public void trailers(Supplier<FieldList> supplier) {
        response.trailers(supplier);
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        requireOpen();
        finish(source, offset, length, mayWait() ? Loan.WAITED_FOR : Loan.COPIED);
    }

    @Override
    public void endConstant(byte[] source, int offset, int length) throws IOException {
        requireOpen();
        finish(source, offset, length, Loan.FOR_GOOD);
    }

    private void finish(byte[] source, int offset, int length, Loan loan) throws IOException {
        response.commitAll(length);
        if (!beginEnd()) {
            throw ended();
        }
        try {
            if (length > 0 && (sender != null || !response.accepts(length))) {
                throw new IllegalStateException("more content than was announced or can be sent");
            }
            if (sender != null) {
                tailDue = true;
                return;
            }
            putEnd(source, offset, length, loan);
        } catch (RuntimeException e) {
            // Trailers that cannot be sent, for one: nobody else will end it.
            fail(new IOException("the response could not be ended", e));
            throw e;
        }
        if (loan == Loan.WAITED_FOR && length > 0 && !isBroken()) {
            response.awaitGone();
        }
    }

    private void putEnd(byte[] source, int offset, int length, Loan loan) throws IOException {
        if (response.isSatisfiedWith(length)) {
            response.putEnd(source, offset, length, loan);
        } else {
            fail(new IOException("the response is shorter than its Content-Length"));
        }
    }

    @Override
    public long bytesSent() {
        return response.sent();
    }

    @Override
    public void upgrade() throws IOException {
        requireOpen();
        if (!extended || response.isCommitted()) {
            throw new IllegalStateException("this exchange cannot be upgraded");
        }
        response.upgrade();
        raw = true;
    }

    // Threads and life

    @Override
    public void dispatch(Runnable toRun) {
        turns.dispatch(toRun);
    }

    @Override
    public long wireBytesIn() {
        return wireIn;
    }

    @Override
    public long wireBytesOut() {
        return response.wireBytes;
    }

    @Override
    public int requestNumber() {
        return number;
    }

    @Override
    public boolean connectionKept() {
        return connection.isKept();
    }

    /// Whether the calling thread may wait for the peer.
    private boolean mayWait() {
        return !io.inLoop();
    }

    private void requireWait() {
        if (io.inLoop()) {
            throw new IllegalStateException("only after dispatch may a call wait");
        }
    }

    @Override
    void requireOpen() throws IOException {
        if (!isOpen() || isBroken()) {
            throw ended();
        }
    }
}
