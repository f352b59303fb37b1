package io.margay.server.serial;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.server.connection.ExchangeTasks;
import io.margay.server.connection.ServedExchange;
import io.margay.server.connection.StalledException;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request of a connection that carries one after the other, and its response.
///
/// Owned as its connection is: by the loop thread until the first [#dispatch], then by whichever
/// thread works on it ([ExchangeTasks]).
public final class SerialExchange extends ServedExchange {
    private final Owner connection;
    private final ConnectionFlow flow;
    private final RequestInfo info;
    private final ResponseFraming response;
    private final ResponseWriter writer;
    private final ContentReader content;
    private final @Nullable ProtocolError refusal;
    private final long sentBefore;
    private long wireIn;

    /// What carries it. Called by whoever owns the exchange.
    public interface Owner {
        /// The content of the response is complete in the output.
        void ended(SerialExchange exchange) throws IOException;

        /// The connection is unusable.
        void failed(IOException cause);

        /// See [#carrier].
        Carrier carrier();
    }

    /// @param info what is known of the request beside its head
    /// @param refusal what is wrong with the request, so that no handler gets it, or null
    public SerialExchange(
            Owner connection,
            ConnectionFlow flow,
            RequestHead head,
            ContentSource body,
            ResponseFraming response,
            RequestInfo info,
            @Nullable ProtocolError refusal) {
        super(flow.io, flow.context, head);
        this.connection = connection;
        this.flow = flow;
        this.response = response;
        this.info = info;
        this.refusal = refusal;
        sentBefore = flow.output.sent;
        remoteUser(info.remoteUser());
        writer = new ResponseWriter(this, connection, flow, response);
        content = new ContentReader(this, flow, body, writer);
    }

    // Life, as the connection drives it

    /// What is wrong with the request, so that no handler gets it, or null.
    public @Nullable ProtocolError refusal() {
        return refusal;
    }

    public ContentSource body() {
        return content.body();
    }

    /// Whether the connection is to be closed after this response.
    public boolean isLast() {
        return response.isLast() || content.isRaw() || refusal != null;
    }

    /// Has the connection closed after this response, though its head did not say so.
    public void markLast() {
        response.markLast();
    }

    /// Whether the loop has still to do with it: a handler may go on, or a file is on its way.
    boolean isUnderWay() {
        return isOpen() || writer.isTailDue();
    }

    @Override
    protected boolean isBroken() {
        return io.isClosed();
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
        end(page, 0, page.length);
    }

    /// The connection is unusable: the peer sees a reset, and the rest follows when the transport
    /// has closed it. From any thread.
    @Override
    protected void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        io.reset();
    }

    /// A close without the last chunk, or before the announced length, says enough, and lets the
    /// client have what was sent before; a reset may take that away.
    @Override
    protected void breakOff(IOException cause) {
        if (!response.isEndTold()) {
            fail(cause);
            return;
        }
        if (failure == null) {
            failure = cause;
        }
        io.close();
    }

    /// The transport has closed the connection. Loop thread.
    void connectionClosed() {
        if (failure == null && !isOver()) {
            failure = new ClosedChannelException();
        }
        tasks.failed(true);
    }

    @Override
    protected void concludeFailed() {
        // The input's array goes to the garbage collector, not to others: a thread of the
        // application may be reading into it.
        flow.output.drop();
        complete();
    }

    @Override
    protected long contentWaitedNanos() {
        return content.waitedNanos();
    }

    @Override
    protected long clientWaitedNanos() {
        return flow.output.waitedNanos();
    }

    /// The response has been taken by the connection, or has failed.
    void complete() {
        if (beginOver()) {
            wireIn = flow.takeReceived();
            conclude();
        }
    }

    // Threads

    @Override
    protected boolean ownsThread() {
        return io.blocking() && io.inLoop();
    }

    @Override
    protected boolean mayLeaveLoop(ExchangeTasks ofThis) {
        if (isUnderWay()) {
            flow.interest(0); // else the loop is sending the end
            spareInput();
        }
        return true;
    }

    /// Gives the input's array back if nothing is to come: few arrays then serve many requests.
    private void spareInput() {
        if (content.isRead()) {
            flow.input.releaseIfEmpty();
        }
    }

    @Override
    protected boolean mayStall() {
        return content.mayStall();
    }

    @Override
    public boolean hasClientGone() {
        return flow.hasHungUp();
    }

    /// Its task runs though the client may have gone meanwhile, unless this process stood still.
    @Override
    protected boolean isAbandoned() {
        if (!isInDoubt() || !hasClientGone()) {
            return false;
        }
        context.standstill.isLeft();
        fail(new ClosedChannelException());
        return true;
    }

    @Override
    protected void worked() {}

    // Waiting on the loop

    @Override
    protected boolean needsLoop() {
        return writer.isOutputDue() && isUnderWay();
    }

    @Override
    protected boolean hasInput() {
        return failure != null || content.isReady();
    }

    @Override
    protected boolean hasRoom() {
        return !flow.output.isPending();
    }

    @Override
    protected void arm() {
        if (!isUnderWay()) {
            return;
        }
        if (!tasks.isOffLoop()) {
            spareInput();
        }
        if (content.isRaw()) {
            // It is written to in tasks alone, of which none runs now.
            flow.output.releaseIfEmpty();
        }
        boolean awaitsInput = tasks.awaitsInput();
        boolean awaitsContent = awaitsInput && !content.isRaw();
        if (awaitsContent && !askedForContent()) {
            return;
        }
        int operations = awaitsInput || watchesInput() ? Connection.READ : 0;
        if (writer.isOutputDue()) {
            operations |= Connection.WRITE;
            flow.deadline(context.writeNanos);
        } else if (awaitsContent) {
            flow.deadline(context.bodyNanos);
        }
        flow.interest(operations);
    }

    /// Asks for the content that is waited for; false when the connection failed.
    private boolean askedForContent() {
        try {
            content.ask();
            return true;
        } catch (IOException e) {
            context.log.clientFailed(io.id(), e);
            return false;
        }
    }

    /// Input came while the loop owns the exchange, within an event.
    ///
    /// @return false when nobody waits for it
    boolean inputCame() {
        if (!tasks.awaitsInput()) {
            return false;
        }
        content.awaited();
        tasks.inputCame();
        return true;
    }

    /// Whether input that comes while it is at work is of interest: the next request, or the end.
    boolean watchesInput() {
        return content.isRead() && !flow.input.isFull() && !flow.input.ended && !io.blocking();
    }

    /// Everything that was kept has been taken. Loop thread.
    void outputTaken() throws IOException {
        writer.outputTaken();
    }

    /// Nothing moved in time.
    ///
    /// @param sends whether it is the loop that sends: else a thread of the application may be at
    ///   it, which looks after the time itself
    void deadlinePassed(boolean sends) {
        if (sends && flow.output.isPending()) {
            connection.failed(new StalledException("the client does not take the response"));
        } else if (tasks.awaitsInput() && !content.isRaw()) {
            failure = content.stalled();
            tasks.settle();
        }
    }

    /// Remembers why content cannot be had.
    void contentFailed(RequestBodyException cause) {
        failure = cause;
    }

    /// A blocking read inside this exchange found no bytes in time. The thread that reads sees it
    /// when its read returns.
    void inputTimedOut() {
        if (content.isRaw()) {
            return;
        }
        failure = content.stalled();
        ProtocolError timeout = CONTENT_TIMEOUT;
        answer(timeout.status(), timeout.text());
    }

    // The request

    @Override
    public String scheme() {
        return scheme(info.scheme());
    }

    @Override
    public boolean secure() {
        return isSecure(info.scheme());
    }

    @Override
    public SocketAddress remote() {
        return client(info.remote());
    }

    @Override
    protected @Nullable String peerRequestId() {
        return info.requestId();
    }

    @Override
    public SocketAddress local() {
        return info.local();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return info.tls();
    }

    @Override
    public Carrier carrier() {
        return connection.carrier();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return info.attribute(name);
    }

    @Override
    public Set<String> attributeNames() {
        return info.attributeNames();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        requireWait();
        return content.read(target, offset, length);
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return content.poll(target, offset, length);
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
        return body().trailers();
    }

    // The response

    @Override
    public int status() {
        return response.status();
    }

    @Override
    public void status(int status) {
        response.status(status);
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
    public void interim(int status, FieldList fields) throws IOException {
        requireInterim(status);
        if (status == 100) {
            content.continueSent();
        }
        writer.interim(status, fields);
    }

    /// Whether the connection cannot be kept after this response, for a reason of the request.
    ///
    /// @param ends whether nothing more is read of its content
    boolean mustBeLast(boolean ends) {
        return refusal != null
                || (content.isContinueDue() && !body().ended())
                || body().error() != null
                || (ends && !body().endsWithin(context.limits.drainBytesMax()));
    }

    /// Whether the protocol was switched.
    boolean isRaw() {
        return content.isRaw();
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        requireWait();
        requireOpen();
        writer.move(source, offset, length, true);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        requireOpen();
        writer.move(source, offset, length, io.blocking());
    }

    @Override
    public boolean writable() {
        return !flow.output.isPending();
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        writer.sendFile(file, position, count);
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        if (isForeign() || io.blocking()) {
            sendFile(file, position, count);
            end();
        } else {
            writer.endFile(file, position, count);
        }
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        writer.move(EMPTY, 0, 0, mayWait());
    }

    @Override
    public void trailers(Supplier<FieldList> trailers) {
        response.trailers(trailers);
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        if (isForeign()) {
            writer.endLater(source, offset, length);
        } else {
            writer.end(source, offset, length);
        }
    }

    @Override
    public void endConstant(byte[] source, int offset, int length) throws IOException {
        if (isForeign() || length == 0 || content.isRaw() || flow.output.isSendingFile()) {
            end(source, offset, length);
        } else {
            writer.endConstant(source, offset, length);
        }
    }

    /// Whether the caller is a thread to which the loop has not given the exchange.
    private boolean isForeign() {
        return !tasks.isOffLoop() && !io.inLoop();
    }

    @Override
    public long bytesSent() {
        return response.contentSent();
    }

    @Override
    public void upgrade() throws IOException {
        requireOpen();
        if (!response.mayUpgrade() || response.isCommitted() || !body().ended()) {
            throw new IllegalStateException("this exchange cannot be upgraded");
        }
        writer.upgrade();
        content.switchToRaw();
        response.settle();
        forget();
        writer.pushNow(mayWait());
    }

    @Override
    public long wireBytesIn() {
        return wireIn;
    }

    @Override
    public long wireBytesOut() {
        return flow.output.sent - sentBefore;
    }

    @Override
    public int requestNumber() {
        return flow.requests;
    }

    @Override
    public boolean connectionKept() {
        return !isLast() && failure == null;
    }

    // Checks

    /// Whether the calling thread may wait for the peer.
    boolean mayWait() {
        return io.blocking() || !io.inLoop();
    }

    private void requireWait() {
        if (!io.blocking() && (io.inLoop() || !tasks.isOffLoop())) {
            throw new IllegalStateException("only after dispatch may a call wait");
        }
    }

    @Override
    protected void requireOpen() throws IOException {
        if (!isOpen()) {
            throw ended();
        }
    }
}
