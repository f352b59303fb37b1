package io.margay.server.connection;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request of an HTTP/1.x connection and its response.
///
/// Owned as its connection is: by the loop thread until the first [#dispatch], then by whichever
/// thread works on it ([ExchangeTurns]).
final class Http1Exchange extends ServedExchange {
    private final ExchangeCarrier connection;
    private final ConnectionFlow flow;
    private final RequestFacts facts;
    private final Http1Output output;
    private final ContentSource body;
    private final ResponseFraming response;
    private final ContentReader content;
    final ExchangeTurns turns;
    private final long sentBefore;
    private long wireIn;

    /// Whether the loop is sending a file that the response ends with.
    private volatile boolean tailDue;

    private boolean refused;

    /// @param facts what is known of the request beside its head
    Http1Exchange(
            ExchangeCarrier connection,
            Http1Context context,
            RequestHead head,
            ContentSource body,
            ResponseFraming response,
            RequestFacts facts) {
        super(connection.io, context, head);
        this.connection = connection;
        this.body = body;
        this.response = response;
        this.facts = facts;
        flow = connection.flow;
        output = flow.output;
        sentBefore = output.sent;
        remoteUser(facts.remoteUser());
        content = new ContentReader(this, context, flow, response);
        turns = new ExchangeTurns(this, context, flow, content);
    }

    // Life, as the connection drives it

    /// Hands the exchange to the handler. Loop thread.
    void begin() {
        try {
            context.handler.handle(this);
        } catch (Throwable e) {
            failedBy(e);
        }
    }

    /// Answers a violation of the protocol.
    void refuse(ProtocolError error) {
        refused = true;
        answer(error.status(), error.text());
    }

    boolean hasRefused() {
        return refused;
    }

    ContentSource body() {
        return body;
    }

    /// Whether the connection is to be closed after this response.
    boolean isLast() {
        return response.isLast() || content.isRaw() || refused;
    }

    /// Has the connection closed after this response, though its head did not say so.
    void markLast() {
        response.markLast();
    }

    /// Whether the loop has still to do with it: a handler may go on, or a file is on its way.
    boolean isUnderWay() {
        return isOpen() || tailDue;
    }

    boolean isContentRead() {
        return content.isRead();
    }

    /// Gives the input's array back if nothing is to come: few arrays then serve many requests.
    void spareInput() {
        if (content.isRead()) {
            flow.input.releaseIfEmpty();
        }
    }

    @Override
    boolean isBroken() {
        return io.isClosed();
    }

    @Override
    void restart(int code) {
        response.restart(code);
    }

    @Override
    void endWith(byte[] page) throws IOException {
        end(page, 0, page.length);
    }

    /// The connection is of no use: the peer sees a reset, and the rest follows when the transport
    /// has closed it. From any thread.
    @Override
    void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        io.reset();
    }

    /// The transport has closed the connection. Loop thread.
    void connectionClosed() {
        if (failure == null && !isOver()) {
            failure = new ClosedChannelException();
        }
        turns.connectionClosed();
    }

    /// The response has been taken by the connection, or has failed.
    void complete() {
        if (beginOver()) {
            wireIn = flow.takeReceived();
            conclude();
        }
    }

    // Waiting on the loop

    /// Everything that was kept has been taken. Loop thread, or the one that ends the exchange.
    void outputTaken() throws IOException {
        turns.outputTaken();
        if (tailDue) {
            tailDue = false;
            putTail();
            connection.ended(this);
        } else {
            turns.settle();
        }
    }

    /// Nothing moved in time.
    ///
    /// @param sends whether it is the loop that sends: else a thread of the application may be at
    ///   it, which looks after the time itself
    void deadlinePassed(boolean sends) {
        if (sends && output.isPending()) {
            connection.failed(new StalledException("the client does not take the response"));
        } else if (turns.awaitsInput() && !content.isRaw()) {
            failure = content.stalled();
            turns.settle();
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
        ProtocolError timeout = ContentReader.TIMEOUT;
        answer(timeout.status(), timeout.text());
    }

    // The request

    @Override
    public String scheme() {
        return facts.scheme();
    }

    @Override
    public SocketAddress remote() {
        return client(facts.remote());
    }

    @Override
    public SocketAddress local() {
        return facts.local();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return facts.tls();
    }

    @Override
    public Carrier carrier() {
        return connection;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return facts.attribute(name);
    }

    @Override
    public Set<String> attributeNames() {
        return facts.attributeNames();
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
        turns.onReadable(toRun);
    }

    @Override
    public Fields trailers() {
        return body.trailers();
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
        if (head.version() == HttpVersion.HTTP_1_1) {
            if (status == 100) {
                content.continueSent();
            }
            response.encodeInterim(output, status, fields, responseHeadMax());
            pushNow(mayWait());
        }
    }

    private int responseHeadMax() {
        return context.limits.responseHeadBytesMax();
    }

    /// Puts the head into the output buffer.
    ///
    /// @param length of the content, when this is all of it; negative when more may follow
    private void commit(long length) {
        boolean unread = length >= 0 && !body.endsWithin(context.limits.drainBytesMax());
        boolean last =
                flow.isLastRequest()
                        || refused
                        || (content.isContinueDue() && !body.ended())
                        || body.error() != null
                        || unread;
        beforeHead();
        if (context.serverName != null && !response.fields().contains("Server")) {
            response.fields().add("Server", context.serverName);
        }
        response.commit(output, length, last, context.date.bytes(), responseHeadMax());
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        requireWait();
        move(source, offset, length, true);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        move(source, offset, length, io.blocking());
    }

    private void move(byte[] source, int offset, int length, boolean wait) throws IOException {
        requireOpen();
        if (output.isSendingFile()) {
            throw new IllegalStateException("a file is being sent");
        }
        if (content.isRaw()) {
            try {
                output.put(source, offset, length, wait);
            } catch (IOException e) {
                fail(e);
                throw e;
            }
        } else {
            if (!response.isCommitted()) {
                commit(-1);
            }
            putContent(source, offset, length, wait, false);
            response.putFlush(output, length);
        }
        pushNow(wait);
    }

    /// @param constant whether nobody changes it any more, and nothing follows
    private void putContent(byte[] source, int offset, int length, boolean wait, boolean constant)
            throws IOException {
        if (!response.accepts(length)) {
            abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
        try {
            if (constant) {
                response.putConstant(output, source, offset, length, wait);
            } else {
                response.putContent(output, source, offset, length, wait);
            }
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    /// Sends what is in the output, as far as the connection takes it.
    void pushNow(boolean wait) throws IOException {
        try {
            if (wait) {
                output.pushAll();
                turns.outputTaken();
            } else if (output.push()) {
                turns.outputTaken();
            } else {
                turns.awaitOutput();
            }
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    @Override
    public boolean writable() {
        return !output.isPending();
    }

    @Override
    public void onWritable(Runnable toRun) {
        turns.onWritable(toRun);
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        try {
            putFile(file, position, count);
            pushNow(mayWait());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void putFile(FileChannel file, long position, long count) throws IOException {
        requireOpen();
        if (!response.isCommitted()) {
            commit(-1);
        }
        if (!response.accepts(count)) {
            abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
        if (response.isBodyless() || count == 0) {
            file.close();
        } else {
            response.putFile(output, file, position, count);
        }
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        boolean foreign = !turns.isOffLoop() && !io.inLoop();
        if (foreign || io.blocking()) {
            sendFile(file, position, count);
            end();
            return;
        }
        try {
            putFile(file, position, count);
            end();
            if (tailDue) {
                sendTailed();
            }
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /// Sends what the connection takes now of the file that the response ends with; the rest is the
    /// loop's, once a dispatched task has returned.
    private void sendTailed() throws IOException {
        try {
            if (output.push()) {
                outputTaken();
            } else {
                turns.awaitOutput();
            }
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        move(EMPTY, 0, 0, mayWait());
    }

    @Override
    public void trailers(Supplier<FieldList> trailers) {
        response.trailers(trailers);
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        if (!turns.isOffLoop() && !io.inLoop()) {
            byte[] copy = Arrays.copyOfRange(source, offset, offset + length);
            io.execute(() -> endOnLoop(copy));
            return;
        }
        requireOpen();
        boolean wait = mayWait();
        if (!response.isCommitted()) {
            commit(length);
        }
        if (!beginEnd()) {
            throw ended();
        }
        try {
            boolean raw = content.isRaw();
            if (raw) {
                output.put(source, offset, length, wait);
            }
            if (raw || finish(source, offset, length, wait)) {
                connection.ended(this);
            }
        } catch (IOException e) {
            fail(e);
            throw e;
        } catch (RuntimeException e) {
            // Trailers that cannot be sent, for one: nobody else will end it.
            fail(new IOException("the response could not be ended", e));
            throw e;
        }
    }

    @Override
    public void endConstant(byte[] source, int offset, int length) throws IOException {
        boolean later = !turns.isOffLoop() && !io.inLoop();
        if (later || length == 0 || content.isRaw() || output.isSendingFile()) {
            end(source, offset, length);
            return;
        }
        requireOpen();
        if (!response.isCommitted()) {
            commit(length);
        }
        putContent(source, offset, length, mayWait(), true);
        end();
    }

    private void endOnLoop(byte[] content) {
        try {
            end(content, 0, content.length);
        } catch (IOException | IllegalStateException e) {
            fail(e instanceof IOException io1 ? io1 : new IOException(e));
        }
    }

    /// Puts the last content and what tells the end; false when the connection has not come to that
    /// yet, or never will.
    private boolean finish(byte[] source, int offset, int length, boolean wait) throws IOException {
        if (length > 0) {
            if (output.isSendingFile() || !response.accepts(length)) {
                abort();
                throw new IllegalStateException("more content than was announced or can be sent");
            }
            response.putContent(output, source, offset, length, wait);
        }
        if (!response.isSatisfied()) {
            fail(new IOException("the response is shorter than its Content-Length"));
            return false;
        }
        if (output.isSendingFile()) {
            tailDue = true;
            return false;
        }
        putTail();
        return true;
    }

    private void putTail() throws IOException {
        response.putTail(output, responseHeadMax());
    }

    @Override
    public long bytesSent() {
        return response.contentSent();
    }

    @Override
    public void upgrade() throws IOException {
        requireOpen();
        if (!response.mayUpgrade() || response.isCommitted() || !body.ended()) {
            throw new IllegalStateException("this exchange cannot be upgraded");
        }
        response.commitUpgrade(output, context.date.bytes(), responseHeadMax());
        content.switchToRaw();
        pushNow(mayWait());
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
        return output.sent - sentBefore;
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
        if (!io.blocking() && (io.inLoop() || !turns.isOffLoop())) {
            throw new IllegalStateException("only after dispatch may a call wait");
        }
    }

    @Override
    void requireOpen() throws IOException {
        if (!isOpen()) {
            throw ended();
        }
    }
}
