package io.margay.server.connection;

import io.margay.protocol.http.ProtocolError;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A connection that carries one exchange after the other, whatever protocol it speaks: its events
/// by phase, reuse, pipelining, and the end.
///
/// Owned by the connection's loop thread, except while an exchange is off the loop
/// ([ExchangeTurns#isOffLoop]): then by whichever thread works on that exchange, up to the
/// exchange's end. `phase` and `current` are volatile because the loop looks at them when a
/// deadline or a close comes while another thread is the owner.
abstract sealed class ExchangeCarrier
        implements ConnectionHandler, ServedConnection, DialingExchange.Carrier, Runnable
        permits AjpConnection, Http1Connection {
    enum Phase {
        /// Nothing has come since the last response.
        IDLE,
        /// A part of a head has come.
        HEAD,
        /// A handler is at work.
        EXCHANGE,
        /// Content of the request that nobody read is skipped.
        SKIP,
        /// The response is complete but not yet taken by the peer.
        FLUSH,
        /// Output is ended; input is thrown away until the peer has read ours.
        LINGER,
        CLOSED
    }

    final Connection io;
    final Http1Context context;
    final ConnectionFlow flow;
    final Http1Input input;
    final Http1Output output;

    volatile Phase phase = Phase.IDLE;
    volatile @Nullable Http1Exchange current;

    /// Bytes thrown away in this phase.
    long skipped;

    /// What a long head takes until it is whole.
    private final MemoryBudget.Share heldHead;

    private final int headBytesMax;
    private final long idleNanos;
    private long lingersUntil;
    private boolean processing;
    private boolean goOn;

    /// @param headBytesMax what the decoder of heads is given at most
    /// @param idleNanos how long the connection is kept between exchanges
    ExchangeCarrier(Connection io, Http1Context context, int headBytesMax, long idleNanos) {
        this.io = io;
        this.context = context;
        this.headBytesMax = headBytesMax;
        this.idleNanos = idleNanos;
        flow = new ConnectionFlow(io, context);
        input = flow.input;
        heldHead = context.memory.share(context.limits.inputBufferBytes());
        output = flow.output;
    }

    // What an exchange sees

    @Override
    public final Dialer dialer() {
        return io.dialer();
    }

    @Override
    public final boolean waits() {
        return io.blocking();
    }

    @Override
    public boolean duplex() {
        return true;
    }

    /// The content of the response is complete in the output.
    abstract void ended(Http1Exchange exchange) throws IOException;

    // Events, on the loop thread

    @Override
    public void onReadable() {
        try {
            switch (phase) {
                case IDLE, HEAD -> receiveHead();
                case EXCHANGE -> inputDuringExchange();
                case SKIP -> skipContent();
                case LINGER -> linger();
                case FLUSH, CLOSED -> flow.lessInterest(Connection.READ);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void onWritable() {
        Http1Exchange exchange = current;
        if (exchange == null) {
            flow.lessInterest(Connection.WRITE);
            return;
        }
        boolean shared = phase == Phase.EXCHANGE;
        if (shared && !exchange.turns.claim()) {
            return; // a task runs, which sends by itself
        }
        try {
            send(exchange);
        } catch (IOException e) {
            failed(e);
        } finally {
            if (shared) {
                exchange.turns.unclaim();
            }
        }
    }

    private void send(Http1Exchange exchange) throws IOException {
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
        Http1Exchange exchange = current;
        if (now == Phase.EXCHANGE && exchange != null && flow.wait.operation() != 0) {
            deadlineInWait(exchange);
            return;
        }
        if (now == Phase.EXCHANGE && (exchange == null || exchange.turns.isWorking())) {
            return;
        }
        if (!flow.isDeadlinePassed()) {
            return;
        }
        switch (now) {
            case IDLE, LINGER -> closeNow();
            case HEAD -> headTimedOut();
            case SKIP -> skippingTimedOut();
            case FLUSH -> stalled();
            case EXCHANGE -> {
                if (exchange != null) {
                    exchange.deadlinePassed(flow.asksFor(Connection.WRITE));
                }
            }
            case CLOSED -> {}
        }
    }

    /// A blocking read or write inside an exchange took too long.
    private void deadlineInWait(Http1Exchange exchange) {
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

    void headTimedOut() {
        closeNow();
    }

    void skippingTimedOut() {
        closeNow();
    }

    @Override
    public void onClosed() {
        Phase before = phase;
        phase = Phase.CLOSED;
        context.closed(this);
        Http1Exchange exchange = current;
        if (exchange == null) {
            heldHead.release();
            // Else the thread that ends an exchange just now uses the array, and gives it back.
            if (before == Phase.IDLE || before == Phase.HEAD || before == Phase.LINGER) {
                input.release();
            }
            output.drop();
        } else {
            exchange.connectionClosed();
        }
    }

    /// Goes on with what waits in the input buffer; posted by another thread.
    @Override
    public final void run() {
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
                decode();
            } while (goOn);
        } catch (IOException e) {
            failed(e);
        } finally {
            processing = false;
        }
    }

    /// Looks at what is buffered, and handles a request if there is one.
    abstract void decode() throws IOException;

    final void awaitMoreOfHead() throws IOException {
        if (input.isFull() && !input.makeRoom(headBytesMax)) {
            throw new IllegalStateException("the decoder wants more than a head may have");
        }
        if (!heldHead.hold(input.bytes.length)) {
            throw new IOException("there is no memory for a longer head");
        }
        if (phase != Phase.HEAD) {
            flow.deadline(context.headNanos);
            phase = Phase.HEAD;
        }
        flow.interest(Connection.READ);
    }

    /// An exchange is under way from now on.
    final void enter(Http1Exchange exchange) {
        heldHead.release();
        context.stats.requestStarted();
        current = exchange;
        phase = Phase.EXCHANGE;
    }

    /// Has the exchange answered.
    ///
    /// @param refusal what is wrong with the request, so that no handler gets it, or null
    final void begin(Http1Exchange exchange, @Nullable ProtocolError refusal) {
        flow.requests++;
        enter(exchange);
        output.pace.reset();
        if (io.blocking()) {
            // Whoever ends the exchange, this thread or another, sets it again.
            flow.interest(0);
        }
        if (refusal != null) {
            exchange.refuse(refusal);
        } else {
            exchange.begin();
        }
        if (!goOn && !exchange.turns.isOffLoop() && phase == Phase.EXCHANGE) {
            exchange.spareInput();
            exchange.turns.settle();
        }
    }

    /// Input while a handler is at work on the loop: content it waits for, or the next request, or
    /// the end.
    private void inputDuringExchange() throws IOException {
        Http1Exchange exchange = current;
        if (exchange == null || !exchange.turns.claim()) {
            return;
        }
        try {
            if (!exchange.turns.inputReady() && (!flow.isWatching(exchange) || input.fill() < 0)) {
                flow.lessInterest(Connection.READ);
            }
        } finally {
            exchange.turns.unclaim();
        }
    }

    // The end of an exchange, on the thread that owns the connection

    /// Sends what is left of the response, to its end.
    final void flush(Http1Exchange exchange) throws IOException {
        if (output.push()) {
            flushed(exchange);
        } else {
            flow.deadline(context.writeNanos);
            phase = Phase.FLUSH;
            flow.interest(Connection.WRITE);
        }
    }

    private void flushed(Http1Exchange exchange) throws IOException {
        exchange.complete();
        if (phase != Phase.CLOSED) {
            answered(exchange);
        }
    }

    /// The response has been taken.
    abstract void answered(Http1Exchange exchange) throws IOException;

    /// Input has come of content that nobody reads.
    abstract void skipContent() throws IOException;

    /// Turns to the next request of the connection.
    final void next() {
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
    final void closeGracefully(boolean unread) throws IOException {
        current = null;
        output.releaseIfEmpty();
        if (input.ended || (!unread && input.isEmpty())) {
            closeNow();
            return;
        }
        input.clear();
        skipped = 0;
        lingersUntil = System.nanoTime() + context.lingerNanos;
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
        long left = lingersUntil - System.nanoTime();
        if (count < 0 || left <= 0 || skipped > context.limits.lingerBytesMax()) {
            closeNow();
        } else if (count > 0) {
            flow.deadline(Math.min(context.lingerPauseNanos, left));
        }
    }

    /// The connection is of no use any more: the exchange, if any, fails, and the peer sees a
    /// reset.
    final void failed(IOException cause) {
        context.log.clientFailed(io.id(), cause);
        Http1Exchange exchange = current;
        if (exchange != null) {
            exchange.fail(cause);
        } else {
            io.close();
        }
    }

    @Override
    public final void closeNow() {
        io.close();
    }

    @Override
    public final void drain() {
        io.execute(() -> {
            if (phase == Phase.IDLE) {
                closeNow();
            }
        });
    }
}
