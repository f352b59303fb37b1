package io.margay.server.serial;

import io.margay.protocol.http.ProtocolError;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.connection.ServedConnection;
import io.margay.server.connection.StalledException;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.timing.RequestPhase;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A connection that carries one exchange after the other: its events by phase, reuse, pipelining,
/// deadlines, and the end. What its bytes mean is its [SerialProtocol]'s.
///
/// Owned by the connection's loop thread, except while an exchange is off the loop
/// (`ExchangeTasks.isOffLoop`): then by whichever thread works on that exchange, up to the
/// exchange's end. `phase` and `current` are volatile because the loop looks at them when a
/// deadline or a close comes while another thread is the owner.
public final class SerialConnection
        implements ConnectionHandler,
                ServedConnection,
                SerialExchange.Owner,
                DialingExchange.Carrier,
                Runnable {
    private enum Phase {
        /// Nothing has come since the last response.
        IDLE,
        /// A part of a head has come.
        HEAD,
        /// A handler is at work.
        EXCHANGE,
        /// Content of the request that nobody read is skipped.
        SKIP,
        /// What was put between exchanges is not yet taken by the peer.
        REPLY,
        /// The response is complete but not yet taken by the peer.
        FLUSH,
        /// Output is ended; input is thrown away until the peer has read ours.
        LINGER,
        CLOSED
    }

    public final Connection io;
    public final ConnectionFlow flow;
    public final ConnectionInput input;
    public final SerialOutput output;

    private final ConnectionContext context;
    private final SerialProtocol protocol;
    private volatile Phase phase = Phase.IDLE;
    private volatile @Nullable SerialExchange current;

    /// What a long head takes until it is whole.
    private MemoryBudget.@Nullable Share heldHead;

    private final int headBytesMax;
    private final long idleNanos;

    /// Bytes thrown away since the output was ended.
    private long skipped;

    private long lingersUntil;
    private boolean processing;
    private boolean goOn;

    /// @param headBytesMax what the decoder of heads is given at most
    /// @param idleNanos how long the connection is kept between exchanges
    /// @param protocol makes what it speaks
    public SerialConnection(
            Connection io,
            ConnectionContext context,
            int headBytesMax,
            long idleNanos,
            Function<SerialConnection, SerialProtocol> protocol) {
        this.io = io;
        this.context = context;
        this.headBytesMax = headBytesMax;
        this.idleNanos = idleNanos;
        flow = new ConnectionFlow(io, context);
        input = flow.input;
        output = flow.output;
        this.protocol = protocol.apply(this);
    }

    /// Waits for the first bytes, for so long.
    public void start(long patienceNanos) {
        context.opened(this);
        flow.deadline(patienceNanos);
        flow.interest(Connection.READ);
    }

    // What an exchange sees

    @Override
    public DialingExchange.Carrier carrier() {
        return this;
    }

    @Override
    public Dialer dialer() {
        return io.dialer();
    }

    @Override
    public boolean waits() {
        return io.blocking();
    }

    @Override
    public boolean duplex() {
        return protocol.duplex();
    }

    @Override
    public void ended(SerialExchange exchange) throws IOException {
        protocol.ended(exchange);
    }

    // Events, on the loop thread

    @Override
    public void onReadable() {
        try {
            switch (phase) {
                case IDLE, HEAD -> receiveHead();
                case EXCHANGE -> inputDuringExchange();
                case SKIP -> skipContent();
                case LINGER -> linger();
                case REPLY, FLUSH, CLOSED -> flow.lessInterest(Connection.READ);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void onWritable() {
        SerialExchange exchange = current;
        try {
            if (exchange != null) {
                sendOn(exchange);
            } else if (phase != Phase.REPLY) {
                flow.lessInterest(Connection.WRITE);
            } else if (flow.sendOn()) {
                next();
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private void sendOn(SerialExchange exchange) throws IOException {
        if (phase != Phase.EXCHANGE) {
            send(exchange);
        } else if (exchange.tasks.enter()) {
            try {
                send(exchange);
            } finally {
                exchange.tasks.leave();
            }
        } // else a task runs, which sends by itself
    }

    private void send(SerialExchange exchange) throws IOException {
        if (!flow.sendOn()) {
            return;
        }
        if (phase == Phase.FLUSH) {
            flushed(exchange);
        } else if (phase == Phase.EXCHANGE) {
            exchange.outputTaken();
        }
    }

    @Override
    public void onDeadline() {
        Phase now = phase;
        SerialExchange exchange = current;
        if (now == Phase.EXCHANGE && exchange != null && flow.wait.operation() != 0) {
            deadlineInWait(exchange);
            return;
        }
        if (now == Phase.EXCHANGE && (exchange == null || exchange.tasks.isWorking())) {
            return;
        }
        if (!flow.isDeadlinePassed()) {
            return;
        }
        switch (now) {
            case IDLE, LINGER -> closeNow();
            case HEAD -> endHead(protocol.headTimedOut());
            case SKIP -> skippingTimedOut(exchange);
            case REPLY, FLUSH -> stalled();
            case EXCHANGE -> {
                if (exchange != null) {
                    exchange.deadlinePassed(flow.asksFor(Connection.WRITE));
                }
            }
            case CLOSED -> {}
        }
    }

    /// A blocking read or write inside an exchange took too long.
    private void deadlineInWait(SerialExchange exchange) {
        if (!flow.isWaitPassed()) {
            return;
        }
        if (flow.wait.operation() == Connection.READ) {
            exchange.inputTimedOut();
        } else {
            stalled();
        }
    }

    private void stalled() {
        failed(new StalledException("the client does not take the response"));
    }

    /// @param refusal what answers a head that has not come whole, or null
    private void endHead(@Nullable SerialExchange refusal) {
        if (refusal != null) {
            begin(refusal);
        } else {
            closeNow();
        }
    }

    private void skippingTimedOut(@Nullable SerialExchange exchange) {
        if (exchange == null || flow.wait.operation() != 0) {
            closeNow();
            return;
        }
        try {
            protocol.skippingTimedOut(exchange);
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void onClosed() {
        Phase before = phase;
        phase = Phase.CLOSED;
        context.closed(this);
        SerialExchange exchange = current;
        if (exchange == null) {
            releaseHead();
            // Else the thread that ends an exchange just now uses the array, and gives it back.
            switch (before) {
                case IDLE, HEAD, REPLY, LINGER -> input.release();
                case EXCHANGE, SKIP, FLUSH, CLOSED -> {}
            }
            output.drop();
        } else {
            exchange.connectionClosed();
        }
    }

    /// Goes on with what waits in the input buffer; posted by another thread.
    @Override
    public void run() {
        if (phase == Phase.HEAD && current == null) {
            process();
        }
    }

    // Requests

    private void receiveHead() throws IOException {
        if (input.isFull() && !input.makeRoom(headBytesMax)) {
            return;
        }
        int count = input.fill();
        if (count > 0) {
            process();
        } else if (count < 0) {
            closeNow();
        }
    }

    /// Decodes and handles what is buffered, one request after the other, until there are none or
    /// one has not ended yet.
    private void process() {
        processing = true;
        try {
            do {
                goOn = false;
                SerialExchange next = protocol.decode();
                if (next != null) {
                    begin(next);
                }
            } while (goOn);
        } catch (IOException e) {
            failed(e);
        } finally {
            processing = false;
        }
    }

    private boolean holdHead(long bytes) {
        MemoryBudget.Share share = heldHead;
        if (share == null) {
            int free = context.limits.inputBufferBytes();
            if (bytes <= free) {
                return true;
            }
            share = context.memory.share(free);
            heldHead = share;
        }
        return share.hold(bytes);
    }

    private void releaseHead() {
        MemoryBudget.Share share = heldHead;
        if (share != null) {
            share.release();
        }
    }

    /// The head in the buffer is not complete.
    public void awaitMoreOfHead() throws IOException {
        if (input.isFull() && !input.makeRoom(headBytesMax)) {
            throw new IllegalStateException("the decoder wants more than a head may have");
        }
        if (!holdHead(input.bytes.length)) {
            endHead(protocol.noRoomForHead());
            return;
        }
        if (phase != Phase.HEAD) {
            flow.deadline(context.headNanos);
            phase = Phase.HEAD;
        }
        flow.interest(Connection.READ);
    }

    /// Has an exchange answered.
    private void begin(SerialExchange exchange) {
        if (flow.requests++ == 0) {
            exchange.phases().add(RequestPhase.HEAD, exchange.startNanos() - flow.openedNanos);
        }
        releaseHead();
        context.stats.requestStarted(protocol.spoken(exchange));
        current = exchange;
        phase = Phase.EXCHANGE;
        output.begin();
        if (io.blocking()) {
            // Whoever ends the exchange, this thread or another, sets it again.
            flow.interest(0);
        }
        ProtocolError refusal = exchange.refusal();
        if (refusal != null) {
            exchange.answer(refusal.status(), refusal.text());
        } else if (context.standstill.isDoubtful(exchange.startNanos()) && flow.hasHungUp()) {
            context.standstill.isLeft();
            exchange.answer(503, "The server stood still, and the client has ended its side.");
        } else {
            exchange.tasks.begin(context.handler);
        }
    }

    /// Input while a handler is at work on the loop: content it waits for, or the next request, or
    /// the end.
    private void inputDuringExchange() throws IOException {
        SerialExchange exchange = current;
        if (exchange == null || !exchange.tasks.enter()) {
            return;
        }
        try {
            if (!exchange.inputCame() && (!exchange.watchesInput() || input.fill() < 0)) {
                flow.lessInterest(Connection.READ);
            }
        } finally {
            exchange.tasks.leave();
        }
    }

    // The end of an exchange, on the thread that owns the connection

    /// Sends what is left of the response, to its end.
    public void flush(SerialExchange exchange) throws IOException {
        if (output.push()) {
            flushed(exchange);
        } else {
            flow.deadline(context.writeNanos);
            phase = Phase.FLUSH;
            flow.interest(Connection.WRITE);
        }
    }

    private void flushed(SerialExchange exchange) throws IOException {
        exchange.complete();
        if (phase != Phase.CLOSED) {
            protocol.answered(exchange);
        }
    }

    /// Waits for more of the content that nobody reads.
    ///
    /// @param sends whether what makes the client send it is not yet taken
    public void skipMore(boolean sends) {
        if (phase != Phase.LINGER && phase != Phase.CLOSED) {
            flow.deadline(context.drainNanos);
            phase = Phase.SKIP;
            flow.interest(sends ? Connection.READ | Connection.WRITE : Connection.READ);
        }
    }

    private void skipContent() throws IOException {
        SerialExchange exchange = current;
        if (exchange == null) {
            return;
        }
        int count = input.fill();
        if (count < 0) {
            closeNow();
        } else if (count > 0) {
            protocol.skip(exchange);
        }
    }

    /// Sends what was put between exchanges, then goes on. Whoever does not read it waits.
    public void reply() throws IOException {
        if (output.push()) {
            next();
        } else {
            flow.deadline(context.writeNanos);
            phase = Phase.REPLY;
            flow.interest(Connection.WRITE);
        }
    }

    /// Turns to the next request of the connection.
    public void next() {
        current = null;
        if (!input.isEmpty()) {
            flow.deadline(context.headNanos);
            phase = Phase.HEAD;
            if (!io.inLoop()) {
                io.execute(this);
            } else if (processing) {
                goOn = true;
            } else {
                process();
            }
            return;
        }
        if (input.ended || context.isDraining()) {
            closeNow();
            return;
        }
        input.release();
        output.releaseIfEmpty();
        flow.deadline(idleNanos);
        phase = Phase.IDLE;
        flow.interest(Connection.READ);
    }

    // The end of the connection

    /// Closes so that the peer can read all that was sent: a close with unread input would be a
    /// reset, which destroys what is on its way.
    ///
    /// @param unread whether input may come or has come that nobody will read
    public void closeGracefully(boolean unread) throws IOException {
        current = null;
        output.releaseIfEmpty();
        if (input.ended || (!unread && input.isEmpty())) {
            closeNow();
            return;
        }
        input.clear();
        skipped = 0;
        lingersUntil = context.now() + context.lingerNanos;
        flow.deadline(Math.min(context.lingerPauseNanos, context.lingerNanos));
        phase = Phase.LINGER;
        io.shutdownOutput();
        flow.interest(Connection.READ);
    }

    private void linger() throws IOException {
        input.expectMuch();
        int count = input.fill();
        skipped += Math.max(0, count);
        // Kept by nobody who only waits for the client to look at its answer.
        input.release();
        long left = lingersUntil - context.now();
        if (count < 0 || left <= 0 || skipped > context.limits.lingerBytesMax()) {
            closeNow();
        } else if (count > 0) {
            flow.deadline(Math.min(context.lingerPauseNanos, left));
        }
    }

    /// The connection is unusable: the exchange, if any, fails, and the peer sees a reset.
    @Override
    public void failed(IOException cause) {
        context.log.clientFailed(io.id(), cause);
        SerialExchange exchange = current;
        if (exchange != null) {
            exchange.fail(cause);
        } else {
            io.close();
        }
    }

    /// Another handler has taken the connection over.
    public void replacedBy(ServedConnection next) {
        phase = Phase.CLOSED;
        releaseHead();
        context.replaced(this, next);
    }

    @Override
    public void closeNow() {
        io.close();
    }

    @Override
    public void drain(boolean patient) {
        io.execute(() -> {
            if (phase == Phase.IDLE && patient) {
                flow.deadline(Math.min(idleNanos, context.lingerPauseNanos));
            } else if (phase == Phase.IDLE) {
                closeNow();
            }
        });
    }
}
