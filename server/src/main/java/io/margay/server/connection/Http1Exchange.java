package io.margay.server.connection;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.Status;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request of an HTTP/1.x connection and its response.
///
/// Owned as its connection is: by the loop thread until the first [#dispatch], then by whichever
/// thread works on it. `state` decides, by compare-and-set, who ends it; `working`, `waiting` and
/// `ends` are guarded by this object, which is never locked during I/O or foreign code.
final class Http1Exchange implements Exchange, Runnable {
    private static final int OPEN = 0;
    private static final int ENDING = 1;
    private static final int OVER = 2;

    private static final VarHandle STATE;
    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EMPTY = new byte[0];

    /// Tasks run in one go on the loop before other connections have their turn.
    private static final int TURNS_MAX = 16;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Http1Exchange.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ExchangeCarrier connection;
    private final Http1Context context;
    private final RequestFacts facts;
    private final Connection io;
    private final Http1Input input;
    private final Http1Output output;
    private final RequestHead head;
    private final ContentSource body;
    private final ResponseWriter response;
    private final long id;
    private final long startNanos = System.nanoTime();
    private final long sentBefore;
    private long wireIn;

    private volatile int state;
    private volatile @Nullable IOException failure;
    private boolean continueDue;
    private boolean tailDue;
    private boolean raw;
    private boolean refused;
    private @Nullable Runnable readTask;
    private @Nullable Runnable writeTask;
    private @Nullable Pace bodyPace;
    private long waitStartNanos;
    private @Nullable CanonicalPath path;
    private @Nullable String remoteUser;

    private volatile boolean offLoop;
    private volatile boolean working;
    private boolean closedMeanwhile;
    private @Nullable Runnable task;
    private @Nullable ArrayDeque<Runnable> waiting;
    private @Nullable List<Runnable> ends;

    /// @param facts what is known of the request beside its head
    Http1Exchange(
            ExchangeCarrier connection,
            Http1Context context,
            RequestHead head,
            ContentSource body,
            ResponseWriter response,
            RequestFacts facts) {
        this.connection = connection;
        this.context = context;
        this.head = head;
        this.body = body;
        this.response = response;
        this.facts = facts;
        io = connection.io();
        input = connection.input();
        output = connection.output();
        id = context.nextExchangeId();
        continueDue = head.expectContinue();
        sentBefore = output.sent;
        remoteUser = facts.remoteUser();
    }

    /// The head that stands for bytes that were none.
    static RequestHead noRequest() {
        return NO_REQUEST;
    }

    private static final RequestHead NO_REQUEST =
            new RequestHead(
                    "-",
                    new RequestTarget(RequestTarget.Form.ORIGIN, "-", "/", null, null, null),
                    HttpVersion.HTTP_1_1,
                    Fields.EMPTY,
                    RequestHead.NO_BODY,
                    false,
                    false);

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
        return response.isLast() || raw || refused;
    }

    /// Whether threads other than the loop work on it.
    boolean isOffLoop() {
        return offLoop;
    }

    /// Whether a dispatched task runs now.
    boolean isWorking() {
        return working;
    }

    private boolean isOver() {
        return state == OVER;
    }

    boolean isContentRead() {
        return !raw && body.ended();
    }

    /// The one catch ladder: what leaves a handler or a task of it.
    private void failedBy(Throwable thrown) {
        Throwable cause = thrown instanceof UncheckedIOException ? thrown.getCause() : thrown;
        switch (cause) {
            case RequestBodyException e -> answer(e.error().status(), e.error().text());
            case IOException e -> fail(e);
            case null, default -> {
                context.log.handlerFailed(io.id(), thrown);
                answer(500, "The server failed to answer.");
            }
        }
    }

    private void guard(Runnable foreign) {
        try {
            foreign.run();
        } catch (Throwable e) {
            failedBy(e);
        }
    }

    /// Answers with a small text if that is still possible, else aborts.
    private void answer(int code, String text) {
        if (state != OPEN || io.isClosed()) {
            return;
        }
        if (response.isCommitted()) {
            abort();
            return;
        }
        String reason = Status.reason(code);
        byte[] page = (code + " " + reason + "\n" + text + "\n").getBytes(StandardCharsets.UTF_8);
        response.restart(code);
        response.fields().add("Content-Type", "text/plain;charset=utf-8");
        try {
            end(page, 0, page.length);
        } catch (IOException e) {
            context.log.clientFailed(io.id(), e);
        }
    }

    /// The connection is of no use: the peer sees a reset, and the rest follows when the transport
    /// has closed it. From any thread.
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
        synchronized (this) {
            closedMeanwhile = true;
            if (working) {
                return;
            }
        }
        endInFailure();
    }

    private void endInFailure() {
        output.drop();
        input.release();
        Runnable reader = readTask;
        Runnable writer = writeTask;
        readTask = null;
        writeTask = null;
        complete();
        if (reader != null) {
            guard(reader);
        }
        if (writer != null) {
            guard(writer);
        }
    }

    /// The response has been taken by the connection, or has failed.
    void complete() {
        if ((int) STATE.getAndSet(this, OVER) == OVER) {
            return;
        }
        wireIn = connection.takeReceived();
        context.stats.requestEnded(
                response.status(),
                failure != null,
                wireIn,
                output.sent - sentBefore,
                System.nanoTime() - startNanos);
        if (context.observer != null) {
            try {
                context.observer.ended(this);
            } catch (RuntimeException e) {
                context.log.handlerFailed(io.id(), e);
            }
        }
        List<Runnable> tasks;
        synchronized (this) {
            tasks = ends;
            ends = null;
        }
        if (tasks != null) {
            tasks.forEach(this::runQuietly);
        }
    }

    private void runQuietly(Runnable foreign) {
        try {
            foreign.run();
        } catch (Throwable e) {
            context.log.handlerFailed(io.id(), e);
        }
    }

    // Waiting on the loop

    /// Runs tasks whose event has come, and asks the connection for the events of the others. Loop
    /// thread.
    void settle() {
        int turns = 0;
        while (state != OVER && !working && runReady()) {
            if (++turns == TURNS_MAX) {
                io.execute(this::settleLater);
                return;
            }
        }
        if (state == OPEN && !working) {
            arm();
        }
    }

    private void settleLater() {
        if (state != OVER && !working) {
            settle();
        }
    }

    private boolean runReady() {
        Runnable reader = readTask;
        if (reader != null && canRead()) {
            readTask = null;
            guard(reader);
            return true;
        }
        Runnable writer = writeTask;
        if (writer != null && !output.isPending()) {
            writeTask = null;
            guard(writer);
            return true;
        }
        return false;
    }

    private boolean canRead() {
        return failure != null
                || body.error() != null
                || !input.isEmpty()
                || (raw ? input.ended : body.ended());
    }

    private void arm() {
        if (readTask != null && !raw && !askedForContent()) {
            return;
        }
        boolean watch = isContentRead() && !input.isFull() && !input.ended && !io.blocking();
        int operations = readTask != null || watch ? Connection.READ : 0;
        if (output.isPending()) {
            operations |= Connection.WRITE;
            connection.deadline(context.writeNanos);
        } else if (readTask != null && !raw) {
            connection.deadline(context.bodyNanos);
        }
        connection.interest(operations);
    }

    /// Asks for the content that is waited for; false when the connection failed.
    private boolean askedForContent() {
        try {
            askForContent();
            return true;
        } catch (IOException e) {
            context.log.clientFailed(io.id(), e);
            return false;
        }
    }

    /// Input came while the loop owns the exchange; false when nobody waits for it.
    boolean inputReady() {
        if (readTask == null) {
            return false;
        }
        Runnable reader = readTask;
        readTask = null;
        if (!raw) {
            pace().waited(System.nanoTime() - waitStartNanos);
        }
        guard(reader);
        settle();
        return true;
    }

    /// Everything that was kept has been taken. Loop thread.
    void outputTaken() throws IOException {
        if (tailDue) {
            tailDue = false;
            putTail();
            connection.ended(this);
        } else {
            settle();
        }
    }

    /// Nothing moved in time while the loop owns the exchange.
    void deadlinePassed() {
        if (output.isPending()) {
            connection.failed(new StalledException("the client does not take the response"));
        } else if (readTask != null && !raw) {
            failure = body.fail(BODY_TIMEOUT);
            settle();
        }
    }

    /// A blocking read inside this exchange found no bytes in time. The thread that reads sees it
    /// when its read returns.
    void inputTimedOut() {
        if (raw) {
            return;
        }
        failure = body.fail(BODY_TIMEOUT);
        try {
            answer(BODY_TIMEOUT.status(), BODY_TIMEOUT.text());
        } catch (IllegalStateException e) {
            // TLS cannot write while another thread waits in a read: no answer then.
            fail(new StalledException(BODY_TIMEOUT.text()));
        }
    }

    private static final ProtocolError BODY_TIMEOUT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the content did not arrive in time");

    private static final ProtocolError CLIENT_LEFT =
            ProtocolError.of(400, "RFC 9112 §8", "the client left while content was awaited");

    private Pace pace() {
        Pace known = bodyPace;
        if (known == null) {
            known = new Pace(context.limits.rateGrace().toNanos(), context.limits.bodyRateMin());
            bodyPace = known;
        }
        return known;
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
        return facts.scheme();
    }

    @Override
    public SocketAddress remote() {
        return facts.remote();
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
    public long connectionId() {
        return io.id();
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
        return facts.attribute(name);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        requireWait();
        while (true) {
            int count = receive(target, offset, length);
            if (count != 0 || length == 0) {
                return count;
            }
            long start = System.nanoTime();
            long patience = raw ? Long.MAX_VALUE : context.bodyNanos;
            boolean came;
            try {
                came = io.await(Connection.READ, patience);
            } catch (IOException e) {
                throw left(e);
            }
            if (!came) {
                throw stalled();
            }
            if (!raw) {
                pace().waited(System.nanoTime() - start);
            }
        }
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return receive(target, offset, length);
    }

    /// Gives what can be had now: bytes, 0 for nothing, -1 for the end.
    private int receive(byte[] target, int offset, int length) throws IOException {
        requireOpen();
        if (raw) {
            return receiveRaw(target, offset, length);
        }
        try {
            int count = body.take(target, offset, length);
            while (count == 0 && length > 0) {
                askForContent();
                int received = receiveMore(target, offset, length);
                if (received == 0) {
                    return 0;
                }
                count = received > 0 ? received : body.take(target, offset, length);
                checkPace(count);
            }
            return count;
        } catch (RequestBodyException e) {
            failure = e;
            throw e;
        } catch (IOException e) {
            throw left(e);
        }
    }

    private int receiveMore(byte[] target, int offset, int length) throws IOException {
        long start = io.blocking() ? System.nanoTime() : 0;
        awaitAlien();
        int received = body.receive(target, offset, length);
        if (io.blocking()) {
            pace().waited(System.nanoTime() - start);
        }
        RequestBodyException error = body.error();
        if (error != null) {
            throw error;
        }
        return received;
    }

    /// On a blocking connection a read is bounded in time by the deadline; but that belongs to the
    /// connection's own thread, so others wait before they read.
    private void awaitAlien() throws IOException {
        if (io.blocking() && !io.inLoop()) {
            long patience = context.bodyNanos;
            if (!io.await(Connection.READ, patience)) {
                throw stalled();
            }
        }
    }

    private void checkPace(int count) throws RequestBodyException {
        Pace known = bodyPace;
        if (known != null && count > 0) {
            known.moved(count);
            if (known.isTooSlow()) {
                throw stalled();
            }
        }
    }

    private int receiveRaw(byte[] target, int offset, int length) throws IOException {
        if (!input.isEmpty()) {
            int count = Math.min(length, input.available());
            System.arraycopy(input.bytes, input.from, target, offset, count);
            input.from += count;
            return count;
        }
        if (input.ended) {
            return -1;
        }
        input.releaseIfEmpty();
        return input.readDirect(target, offset, length);
    }

    private RequestBodyException stalled() {
        RequestBodyException e = body.fail(BODY_TIMEOUT);
        failure = e;
        return e;
    }

    private RequestBodyException left(IOException cause) {
        RequestBodyException e = body.fail(CLIENT_LEFT);
        e.addSuppressed(cause);
        fail(e);
        return e;
    }

    /// Makes the client send content where it waits to be asked.
    private void askForContent() throws IOException {
        sendContinue();
        if (body.ask(output)) {
            pushNow(mayWait());
        }
    }

    private void sendContinue() throws IOException {
        if (!continueDue) {
            return;
        }
        continueDue = false;
        if (!response.isCommitted() && input.isEmpty()) {
            output.put(CONTINUE, 0, CONTINUE.length, mayWait());
            pushNow(mayWait());
        }
    }

    @Override
    public boolean inputEnded() {
        return raw ? input.ended && input.isEmpty() : body.ended();
    }

    @Override
    public void onReadable(Runnable toRun) {
        if (readTask != null) {
            throw new IllegalStateException("a task waits for input already");
        }
        readTask = toRun;
        waitStartNanos = System.nanoTime();
        awaitEvents();
    }

    /// Has the loop look at what is waited for, unless a dispatched task runs: its end will.
    private void awaitEvents() {
        if (!working) {
            io.execute(this::settleLater);
        }
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
        requireOpen();
        if (status < 100 || status > 199 || status == 101) {
            throw new IllegalArgumentException("status " + status + " is no interim status");
        }
        if (response.isCommitted()) {
            throw new IllegalStateException("the response is committed");
        }
        if (head.version() == HttpVersion.HTTP_1_1) {
            continueDue &= status != 100;
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
                connection.isLastRequest()
                        || refused
                        || (continueDue && !body.ended())
                        || body.error() != null
                        || unread;
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
        if (raw) {
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
            putContent(source, offset, length, wait);
            response.putFlush(output, length);
        }
        pushNow(wait);
    }

    private void putContent(byte[] source, int offset, int length, boolean wait)
            throws IOException {
        if (!response.accepts(length)) {
            abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
        try {
            response.putContent(output, source, offset, length, wait);
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    private void pushNow(boolean wait) throws IOException {
        try {
            if (wait) {
                output.pushAll();
            } else if (!output.push() && !working) {
                if (io.inLoop()) {
                    connection.deadline(context.writeNanos);
                    connection.moreInterest(Connection.WRITE);
                } else {
                    io.execute(this::settleLater);
                }
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
        if (writeTask != null) {
            throw new IllegalStateException("a task waits for output already");
        }
        writeTask = toRun;
        awaitEvents();
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        try {
            requireOpen();
            boolean wait = mayWait();
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
            pushNow(wait);
        } catch (IOException | RuntimeException e) {
            file.close();
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
    public void end() throws IOException {
        end(EMPTY, 0, 0);
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        if (!offLoop && !io.inLoop()) {
            byte[] copy = Arrays.copyOfRange(source, offset, offset + length);
            io.execute(() -> endOnLoop(copy));
            return;
        }
        requireOpen();
        boolean wait = mayWait();
        if (!response.isCommitted()) {
            commit(length);
        }
        if (!STATE.compareAndSet(this, OPEN, ENDING)) {
            throw ended();
        }
        try {
            if (raw) {
                output.put(source, offset, length, wait);
            }
            if (raw || finish(source, offset, length, wait)) {
                connection.ended(this);
            }
        } catch (IOException e) {
            fail(e);
            throw e;
        }
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
    public void abort() {
        fail(new IOException("the exchange was aborted"));
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
        raw = true;
        pushNow(mayWait());
    }

    // Threads and life

    @Override
    public void dispatch(Runnable toRun) {
        if (isOver()) {
            throw new IllegalStateException("the exchange is over");
        }
        if (!offLoop && !io.inLoop()) {
            io.execute(() -> guard(() -> dispatch(toRun)));
            return;
        }
        synchronized (this) {
            if (working) {
                if (waiting == null) {
                    waiting = new ArrayDeque<>();
                }
                waiting.add(toRun);
                return;
            }
            working = true;
            task = toRun;
        }
        boolean before = offLoop;
        offLoop = true;
        if (io.blocking() && io.inLoop()) {
            run();
            return;
        }
        connection.interest(0);
        if (!context.dispatcher.submit(this)) {
            offLoop = before;
            working = false;
            response.restart(503);
            response.retryAfterSeconds(1);
            answerOverload();
        }
    }

    private void answerOverload() {
        if (response.isCommitted()) {
            abort();
            return;
        }
        byte[] page =
                "503 Service Unavailable\nThe server is busy.\n".getBytes(StandardCharsets.UTF_8);
        response.fields().add("Content-Type", "text/plain;charset=utf-8");
        try {
            end(page, 0, page.length);
        } catch (IOException e) {
            context.log.clientFailed(io.id(), e);
        }
    }

    /// Runs the dispatched tasks, on a worker.
    @Override
    public void run() {
        Runnable next = task;
        while (next != null) {
            guard(next);
            next = nextTask();
        }
    }

    private @Nullable Runnable nextTask() {
        synchronized (this) {
            Runnable next = waiting == null ? null : waiting.poll();
            if (next != null) {
                return next;
            }
            if (state == OPEN && !closedMeanwhile) {
                boolean armed = readTask != null || writeTask != null || output.isPending();
                working = false;
                if (armed) {
                    io.execute(this::settleLater);
                }
                return null;
            }
            working = false;
            if (!closedMeanwhile || isOver()) {
                return null;
            }
        }
        endInFailure();
        return null;
    }

    @Override
    public void execute(Runnable toRun) {
        io.execute(() -> guard(toRun));
    }

    @Override
    public void onEnd(Runnable toRun) {
        synchronized (this) {
            if (!isOver()) {
                if (ends == null) {
                    ends = new ArrayList<>(2);
                }
                ends.add(toRun);
                return;
            }
        }
        runQuietly(toRun);
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
        return output.sent - sentBefore;
    }

    @Override
    public int requestNumber() {
        return connection.requests();
    }

    @Override
    public boolean connectionKept() {
        return !isLast() && failure == null;
    }

    // Checks

    private boolean mayWait() {
        return io.blocking() || !io.inLoop();
    }

    private void requireWait() {
        if (!io.blocking() && (io.inLoop() || !offLoop)) {
            throw new IllegalStateException("only after dispatch may a call wait");
        }
    }

    private void requireOpen() throws IOException {
        if (state != OPEN) {
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
}
