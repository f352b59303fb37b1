package io.margay.server.connection;

import io.margay.protocol.ajp.AjpError;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpRequestDecoder;
import io.margay.protocol.ajp.AjpResponseEncoder;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// AJP13 on one connection: requests and pings in, exchanges to the handler, reuse, deadlines, and
/// the end.
///
/// Owned by the connection's loop thread, except while an exchange is off the loop: then by
/// whichever thread works on that exchange, up to the exchange's end. `phase` and `current` are
/// volatile because the loop looks at them when a deadline or a close comes while another thread is
/// the owner.
///
/// A connection is offered for reuse only when the request has been taken to its end: what nobody
/// read is asked for and skipped, within limits, before END_RESPONSE (CVE-2008-5519,
/// CVE-2009-1191).
///
/// ```
/// IDLE --bytes--> HEAD --request--> EXCHANGE --end--> SKIP --skipped--> FLUSH --sent--> IDLE
///                  |                                                     |
///                  +--refused--> answer ---------------------------------+--> LINGER --> CLOSED
///                  +--not AJP13--> CLOSED
/// ```
public final class AjpConnection implements ConnectionHandler, ExchangeCarrier, Runnable {
    private enum Phase {
        /// Nothing has come since the last response.
        IDLE,
        /// A part of a packet has come.
        HEAD,
        /// A handler is at work.
        EXCHANGE,
        /// The response is out but for its end; content that nobody read is skipped.
        SKIP,
        /// The response is complete but not yet taken by the front end.
        FLUSH,
        /// Output is ended; input is thrown away until the front end has read ours.
        LINGER,
        CLOSED
    }

    private final Connection io;
    private final AjpContext ajp;
    private final Http1Context context;
    private final AjpLimits limits;
    private final Http1Input input;
    private final Http1Output output;
    private final ConnectionFlow flow;
    private final AjpRequestDecoder decoder;

    private volatile Phase phase = Phase.IDLE;
    private volatile @Nullable Http1Exchange current;
    private @Nullable AjpRequestBody body;
    private @Nullable AjpResponse response;
    private boolean reuse;
    private long skipped;
    private boolean processing;
    private boolean goOn;

    AjpConnection(Connection io, AjpContext ajp) {
        this.io = io;
        this.ajp = ajp;
        context = ajp.shared;
        limits = ajp.config.limits();
        flow = new ConnectionFlow(io, context);
        input = flow.input;
        output = flow.output;
        decoder = new AjpRequestDecoder(limits);
    }

    void start() {
        flow.deadline(ajp.idleNanos);
        flow.interest(Connection.READ);
    }

    /// Content is asked for by packets among those of the response.
    @Override
    public boolean duplex() {
        return false;
    }

    // Events, on the loop thread

    @Override
    public void onReadable() {
        try {
            switch (phase) {
                case IDLE, HEAD -> readPacket();
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
        Http1Exchange shared = phase == Phase.EXCHANGE ? exchange : null;
        if (shared != null && !shared.turns.claim()) {
            return; // a task runs, which sends by itself
        }
        try {
            send(exchange);
        } catch (IOException e) {
            failed(e);
        } finally {
            if (shared != null) {
                shared.turns.unclaim();
            }
        }
    }

    private void send(@Nullable Http1Exchange exchange) throws IOException {
        if (!flow.sendOn()) {
            return;
        }
        if (exchange == null) {
            pongsTaken();
        } else if (phase == Phase.FLUSH) {
            flushed(exchange);
        } else if (phase == Phase.EXCHANGE) {
            exchange.outputTaken();
        }
    }

    @Override
    public void onDeadline() {
        Phase now = phase;
        Http1Exchange exchange = current;
        if (flow.wait.operation() != 0 && exchange != null && now == Phase.EXCHANGE) {
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
            case IDLE, HEAD, LINGER -> closeNow();
            case FLUSH -> failed(new StalledException("the front end does not take the response"));
            case SKIP -> skippingTimedOut();
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
            failed(new StalledException("the front end does not take the response"));
        }
    }

    @Override
    public void onClosed() {
        Phase before = phase;
        phase = Phase.CLOSED;
        context.closed(this);
        Http1Exchange exchange = current;
        if (exchange == null) {
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
    public void run() {
        if (phase == Phase.HEAD && current == null) {
            process();
        }
    }

    // Requests

    private void readPacket() throws IOException {
        if (input.isFull() && !input.makeRoom(limits.packetBytesMax())) {
            throw new IllegalStateException("the decoder wants more than a packet may have");
        }
        int count = input.fill();
        if (count > 0) {
            process();
        } else if (count < 0) {
            closeNow();
        }
    }

    /// Decodes and handles buffered packets, one after the other, until there are none or a request
    /// has not ended yet.
    private void process() {
        processing = true;
        try {
            do {
                goOn = false;
                AjpRequestDecoder.Result result = decoder.decode(input.bytes, input.from, input.to);
                switch (result) {
                    case NEED_MORE -> awaitMore();
                    case ERROR -> closeOn(decoder.error());
                    case PING -> ping();
                    case IGNORED -> {
                        input.from = decoder.packetEnd();
                        next();
                    }
                    case REFUSED, REQUEST -> {
                        input.from = decoder.packetEnd();
                        admit(result == AjpRequestDecoder.Result.REQUEST);
                    }
                }
            } while (goOn);
        } catch (IOException e) {
            failed(e);
        } finally {
            processing = false;
        }
    }

    private void awaitMore() {
        if (input.isFull() && !input.makeRoom(limits.packetBytesMax())) {
            throw new IllegalStateException("the decoder wants more than a packet may have");
        }
        if (phase != Phase.HEAD) {
            flow.deadline(context.headNanos);
            phase = Phase.HEAD;
        }
        flow.interest(Connection.READ);
    }

    /// Bytes that are not AJP13 have no answer.
    private void closeOn(AjpError error) {
        context.log.clientFailed(io.id(), new IOException(error.cause().text()));
        closeNow();
    }

    private void ping() throws IOException {
        input.from = decoder.packetEnd();
        output.reserve(AjpResponseEncoder.CHUNK_PREFIX_BYTES);
        output.advance(AjpResponseEncoder.encodePong(output.array(), output.mark()));
        if (output.push()) {
            next();
        } else {
            // Whoever pings without reading the answers waits.
            flow.deadline(context.writeNanos);
            phase = Phase.HEAD;
            flow.interest(Connection.WRITE);
        }
    }

    private void pongsTaken() {
        if (phase == Phase.HEAD) {
            next();
        }
    }

    private void admit(boolean wellFormed) {
        ProtocolError refusal = ajp.gate.check(decoder.attributes());
        if (refusal != null) {
            context.log.clientFailed(io.id(), new IOException(refusal.text()));
            refuse(refusal);
        } else if (!wellFormed) {
            refuse(decoder.error().cause());
        } else {
            begin(decoder.request());
        }
    }

    private Http1Exchange newExchange(RequestHead head, RequestFacts facts) {
        flow.requests++;
        context.stats.requestStarted();
        AjpRequestBody content = new AjpRequestBody(input, head, limits);
        AjpResponse answer = new AjpResponse(head, limits);
        body = content;
        response = answer;
        reuse = false;
        Http1Exchange exchange = new Http1Exchange(this, context, head, content, answer, facts);
        current = exchange;
        phase = Phase.EXCHANGE;
        output.pace.reset();
        return exchange;
    }

    private void begin(AjpForwardRequest request) {
        Http1Exchange exchange = newExchange(request.head(), new AjpFacts(io, request, ajp.config));
        if (io.blocking()) {
            // Whoever ends the exchange, this thread or another, sets it again.
            flow.interest(0);
        }
        exchange.begin();
        if (!goOn && !exchange.turns.isOffLoop() && phase == Phase.EXCHANGE) {
            exchange.turns.settle();
        }
    }

    /// Answers what does not come in, then closes.
    private void refuse(ProtocolError error) {
        Http1Exchange exchange = newExchange(NoRequest.HEAD, new FrontEndFacts(io));
        exchange.refuse(error);
    }

    /// Input while a handler is at work on the loop: content it waits for, or the end.
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

    @Override
    public void ended(Http1Exchange exchange) throws IOException {
        AjpRequestBody content = body;
        if (content == null
                || content.error() != null
                || exchange.hasRefused()
                || flow.isLastRequest()
                || !content.endsWithin(context.limits.drainBytesMax())) {
            finish(exchange, false);
        } else if (content.ended()) {
            finish(exchange, true);
        } else {
            skipped = 0;
            skip(exchange, content);
        }
    }

    /// Skips what has come and asks for more, until the content has ended or is too long.
    private void skip(Http1Exchange exchange, AjpRequestBody content) throws IOException {
        try {
            skipped += content.discard();
        } catch (RequestBodyException e) {
            context.log.clientFailed(io.id(), e);
            finish(exchange, false);
            return;
        }
        if (content.ended() || skipped > context.limits.drainBytesMax()) {
            finish(exchange, content.ended());
            return;
        }
        boolean _ = content.ask(output);
        boolean sent = output.push();
        flow.deadline(context.drainNanos);
        phase = Phase.SKIP;
        flow.interest(sent ? Connection.READ : Connection.READ | Connection.WRITE);
    }

    private void skipContent() throws IOException {
        Http1Exchange exchange = current;
        AjpRequestBody content = body;
        if (exchange == null || content == null) {
            return;
        }
        int count = input.fill();
        if (count < 0) {
            closeNow();
        } else if (count > 0) {
            skip(exchange, content);
        }
    }

    private void skippingTimedOut() {
        Http1Exchange exchange = current;
        if (exchange == null || flow.wait.operation() != 0) {
            closeNow();
        } else {
            try {
                finish(exchange, false);
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    /// Puts END_RESPONSE.
    private void finish(Http1Exchange exchange, boolean again) throws IOException {
        reuse = again;
        AjpResponse answer = response;
        if (!again && answer != null) {
            answer.last();
        }
        output.reserve(AjpResponseEncoder.END_BYTES);
        output.advance(AjpResponseEncoder.encodeEnd(output.array(), output.mark(), again));
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
        if (phase == Phase.CLOSED) {
            return;
        }
        if (reuse) {
            next();
        } else {
            closeGracefully();
        }
    }

    /// Turns to the next packet of the connection.
    private void next() {
        current = null;
        body = null;
        response = null;
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
        flow.deadline(ajp.idleNanos);
        phase = Phase.IDLE;
        flow.interest(Connection.READ);
    }

    /// Closes so that the front end can read all that was sent: a close with unread input would be
    /// a reset, which destroys what is on its way.
    private void closeGracefully() throws IOException {
        current = null;
        output.releaseIfEmpty();
        if (input.ended) {
            closeNow();
            return;
        }
        input.clear();
        skipped = 0;
        flow.deadline(context.lingerNanos);
        phase = Phase.LINGER;
        io.shutdownOutput();
        flow.interest(Connection.READ);
    }

    private void linger() throws IOException {
        int count = input.fill();
        skipped += Math.max(0, count);
        input.clear();
        if (count < 0 || skipped > context.limits.lingerBytesMax()) {
            closeNow();
        }
    }

    // What an exchange sees

    @Override
    public ConnectionFlow flow() {
        return flow;
    }

    @Override
    public void failed(IOException cause) {
        context.log.clientFailed(io.id(), cause);
        Http1Exchange exchange = current;
        if (exchange != null) {
            exchange.fail(cause);
        } else {
            io.close();
        }
    }

    @Override
    public void closeNow() {
        io.close();
    }

    @Override
    public void drain() {
        io.execute(() -> {
            if (phase == Phase.IDLE) {
                closeNow();
            }
        });
    }

    /// What is known of bytes that were no request: the front end's own addresses.
    private record FrontEndFacts(Connection io) implements RequestFacts {
        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public SocketAddress remote() {
            return io.remote();
        }

        @Override
        public SocketAddress local() {
            return io.local();
        }

        @Override
        public @Nullable TlsInfo tls() {
            return null;
        }

        @Override
        public @Nullable Object attribute(String name) {
            return null;
        }

        @Override
        public @Nullable String remoteUser() {
            return null;
        }
    }
}
