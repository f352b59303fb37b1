package io.margay.server.multiplex;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.multiplex.MessageStream;
import io.margay.server.connection.ClientIdentity;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ExchangeTasks;
import io.margay.server.connection.ServedExchange;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.multiplex.StreamOutflow.Loan;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request on a stream of a connection that carries many, and its response.
///
/// Worked on by one thread at a time ([ExchangeTasks]), or by one that reads content while another
/// writes the response. What the connection needs to know of it (`content`, the response's outflow,
/// `failure` when written) is guarded by the connection's lock; the rest belongs to whoever works
/// on it.
public final class StreamExchange extends ServedExchange {
    final MessageStream stream;
    final StreamContent content;
    final StreamResponse response;

    /// Whether there was no room for its content: the stream is to be reset. Under the lock.
    boolean isTooMuch;

    private long wireIn;

    /// Its place among the connection's live exchanges.
    int index;

    private final StreamExchanges streams;
    private final int number;

    private final SocketAddress remote;
    private final boolean misdirected;

    // Made when somebody waits
    private @Nullable Condition changed;

    private @Nullable StreamFileSender sender;
    private boolean tailDue;

    StreamExchange(
            StreamExchanges streams,
            ConnectionContext context,
            MessageStream stream,
            RequestHead head,
            int number,
            long startNanos) {
        super(streams.io, context, head, startNanos);
        this.streams = streams;
        this.stream = stream;
        this.number = number;
        remote = io.remote();
        misdirected = ClientIdentity.isMisdirected(io.tls(), head, context.strictSni);
        content = new StreamContent(this, streams, context, stream);
        response = new StreamResponse(this, streams, context);
    }

    @Override
    public Carrier carrier() {
        return streams.connection.carrier();
    }

    // Life, as the connection drives it

    /// Whether its host, as the client sent it, is not the one that TLS was set up for.
    public boolean isMisdirected() {
        return misdirected;
    }

    /// Whether there was no room for its content: the stream is to be reset. Loop thread.
    public boolean isTooMuch() {
        return isTooMuch;
    }

    /// Content has come, or its end. Loop thread.
    public void arrived() {
        if (isTooMuch) {
            fail(new IOException("no memory for content"), MessageStream.End.TOO_MUCH);
        } else {
            tasks.changed(true);
        }
    }

    /// So many more octets of the request have come on the wire. Under the lock.
    public void received(int octets) {
        wireIn += octets;
    }

    /// Answers what is not to be handled. Loop thread.
    public void refuse(ProtocolError error) {
        answer(error.status(), error.text());
    }

    /// Whether nothing can be sent any more: that content did not come leaves the answer possible.
    @Override
    protected boolean isBroken() {
        IOException cause = failure;
        return cause != null && !(cause instanceof RequestBodyException);
    }

    @Override
    protected void replace(int code) {
        response.replace(code);
    }

    @Override
    protected void restart(int code) {
        response.restart(code);
    }

    @Override
    protected void endWith(byte[] page) throws IOException {
        finish(page, 0, page.length, Loan.FOR_GOOD);
    }

    @Override
    protected void fail(IOException cause) {
        fail(cause, MessageStream.End.FAILED);
    }

    /// The stream is unusable: the peer sees a reset, and the exchange ends as soon as no task is
    /// at work on it. From any thread.
    public void fail(IOException cause, MessageStream.End why) {
        streams.lock.lock();
        try {
            stream.reset(why);
            failed(cause);
        } finally {
            streams.lock.unlock();
        }
        streams.flush();
        tasks.failed(false);
    }

    /// The stream or the connection has ended before its time. Under the lock;
    /// [ExchangeTasks#failed] follows without it.
    public void failed(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        content.failed();
        response.outflow.drop();
        signal();
    }

    /// Ends the exchange, whose response has gone or failed; a second call does nothing.
    void complete() {
        if (beginOver()) {
            conclude();
            closeFile(false);
            streams.completed(this);
        }
    }

    /// Content has gone that was waiting. Any thread, without the lock.
    void outputMoved(boolean inLoop) {
        if (response.outflow.isFinished()) {
            complete();
            return;
        }
        StreamFileSender file = sender;
        if (file != null) {
            if (inLoop) {
                tasks.guard(file);
            } else {
                io.execute(() -> tasks.guard(file));
            }
            return;
        }
        tasks.changed(inLoop);
    }

    /// Wakes threads that wait for content, or for its going. Under the lock.
    void signal() {
        if (changed != null) {
            changed.signalAll();
        }
    }

    // Threads

    /// Streams share the connection's.
    @Override
    protected boolean ownsThread() {
        return false;
    }

    @Override
    protected boolean mayLeaveLoop(ExchangeTasks ofThis) {
        return streams.executions.admits(ofThis);
    }

    @Override
    protected boolean mayStall() {
        return !content.isEnded();
    }

    @Override
    public boolean hasClientGone() {
        return isBroken();
    }

    @Override
    protected void worked() {
        streams.executions.ended();
    }

    @Override
    protected boolean needsLoop() {
        return false;
    }

    @Override
    protected boolean hasInput() {
        return failure != null || content.isReady();
    }

    @Override
    protected boolean hasRoom() {
        return isBroken() || writable();
    }

    /// The connection reads all streams anyway.
    @Override
    protected void arm() {}

    @Override
    protected void concludeFailed() {
        complete();
    }

    /// Looks whether the client moves. Under the lock.
    ///
    /// @param elapsed since the last look
    /// @param awaitsInput whether a task waits for content
    /// @return what is wrong with it, or null
    @Nullable IOException look(long now, long elapsed, boolean awaitsInput) {
        RequestBodyException late = content.look(now, elapsed, awaitsInput);
        if (late != null) {
            if (failure == null) {
                failure = late;
            }
            signal();
            return null;
        }
        return response.look(now, elapsed);
    }

    @Override
    protected long contentWaitedNanos() {
        return content.waitedNanos();
    }

    @Override
    protected long clientWaitedNanos() {
        return response.waitedNanos();
    }

    // The request

    @Override
    public String scheme() {
        return scheme(ownScheme());
    }

    @Override
    public boolean secure() {
        return isSecure(ownScheme());
    }

    private String ownScheme() {
        return ClientIdentity.scheme(io);
    }

    @Override
    public SocketAddress remote() {
        return client(remote);
    }

    @Override
    public SocketAddress local() {
        return io.local();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return streams.connection.tlsInfo();
    }

    @Override
    public String protocolRequestId() {
        return Long.toString(stream.number());
    }

    @Override
    public @Nullable Object attribute(String name) {
        return ClientIdentity.attribute(io, name);
    }

    @Override
    public Set<String> attributeNames() {
        return ClientIdentity.attributeNames(io);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        requireWait();
        requireOpen();
        return content.take(target, offset, length, true);
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        requireOpen();
        return content.take(target, offset, length, false);
    }

    void requireNotOver() throws IOException {
        if (isOver()) {
            throw ended();
        }
    }

    /// What is signalled when something came or went, or the exchange failed. Under the lock.
    Condition changed() {
        Condition known = changed;
        if (known == null) {
            known = streams.lock.newCondition();
            changed = known;
        }
        return known;
    }

    @Override
    public boolean inputEnded() {
        return content.isEnded();
    }

    @Override
    public void onReadable(Runnable toRun) {
        content.beginWait();
        tasks.onReadable(toRun);
    }

    @Override
    public Fields trailers() {
        return content.trailers();
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
            content.continueSent();
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
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        StreamFileSender made = newSender(file, position, count);
        if (mayWait()) {
            made.sendAll();
        } else {
            sender = made;
            made.run();
        }
    }

    private StreamFileSender newSender(FileChannel file, long position, long count)
            throws IOException {
        return StreamFileSender.of(this, response, context.largeBuffers, file, position, count);
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        StreamFileSender made = newSender(file, position, count);
        if (io.blocking()) {
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
    boolean isSending(StreamFileSender file) {
        return file.equals(sender) && !isBroken();
    }

    /// The file has gone. Loop thread.
    void fileSent() throws IOException {
        closeFile(true);
        if (tailDue) {
            tailDue = false;
            putEnd(EMPTY, 0, 0, Loan.FOR_GOOD);
        } else {
            tasks.changed(true);
        }
    }

    private void closeFile(boolean gone) {
        StreamFileSender file = sender;
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
        streams.flush();
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
        if (sender != null || !response.putWhole(source, offset, length, loan)) {
            finishBySteps(source, offset, length, loan);
        }
        if (loan == Loan.WAITED_FOR && length > 0 && sender == null && !isBroken()) {
            response.awaitGone();
        }
    }

    private void finishBySteps(byte[] source, int offset, int length, Loan loan)
            throws IOException {
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
            } else {
                putEnd(source, offset, length, loan);
            }
        } catch (RuntimeException e) {
            failToEnd(e);
            throw e;
        }
    }

    /// Trailers cannot be sent, for one: nobody else will end it.
    void failToEnd(RuntimeException cause) {
        fail(new IOException("the response could not be ended", cause));
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
        if (!content.extended || response.isCommitted()) {
            throw new IllegalStateException("this exchange cannot be upgraded");
        }
        response.upgrade();
        content.switchToRaw();
    }

    @Override
    public long wireBytesIn() {
        return wireIn;
    }

    @Override
    public long wireBytesOut() {
        return response.outflow.wireBytes;
    }

    @Override
    public int requestNumber() {
        return number;
    }

    @Override
    public boolean connectionKept() {
        return streams.connection.isKept();
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
    protected void requireOpen() throws IOException {
        if (!isOpen() || isBroken()) {
            throw ended();
        }
    }
}
