package io.margay.server.connection;

import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http1.Http1RequestDecoder;
import io.margay.protocol.http2.Http2;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// HTTP/1.x on one connection (RFC 9112): heads in, exchanges to the handler, keep-alive,
/// pipelining, deadlines, and the end.
///
/// Owned by the connection's loop thread, except while an exchange is off the loop
/// ([Http1Exchange#isOffLoop]): then by whichever thread works on that exchange, up to the
/// exchange's end. `phase` and `current` are volatile because the loop looks at them when a
/// deadline or a close comes while another thread is the owner.
///
/// ```
/// IDLE --bytes--> HEAD --complete--> EXCHANGE --end--> FLUSH --sent--> DRAIN --skipped--> IDLE
///                  |                                     |                |
///                  +--malformed--> answer ---------------+----------------+--> LINGER --> CLOSED
/// ```
public final class Http1Connection
        implements ConnectionHandler, ExchangeCarrier, RequestFacts, Runnable {
    private enum Phase {
        /// Nothing has come since the last response.
        IDLE,
        /// A part of a head has come.
        HEAD,
        /// A handler is at work.
        EXCHANGE,
        /// The response is complete but not yet taken by the peer.
        FLUSH,
        /// The response is out; content of the request that nobody read is skipped.
        DRAIN,
        /// Output is ended; input is thrown away until the peer has read ours.
        LINGER,
        CLOSED
    }

    final Connection io;
    final Http1Context context;
    final Http1Input input;
    final Http1Output output;

    private final ConnectionFlow flow;
    private @Nullable Http1RequestDecoder decoder;
    private volatile Phase phase = Phase.IDLE;
    private volatile @Nullable Http1Exchange current;
    private long skipped;
    private boolean processing;
    private boolean goOn;
    private @Nullable TlsInfo tls;

    /// Whether the client may begin with the preface of HTTP/2.
    private boolean prefaceDue;

    /// What the connection has turned into; all events are its own then.
    private @Nullable Http2Connection successor;

    Http1Connection(Connection io, Http1Context context) {
        this.io = io;
        this.context = context;
        flow = new ConnectionFlow(io, context);
        input = flow.input;
        output = flow.output;
        prefaceDue = context.http2 && io.tls() == null;
    }

    void start() {
        flow.deadline(context.headNanos);
        flow.interest(Connection.READ);
    }

    // Events, on the loop thread

    @Override
    public void onReadable() {
        if (successor != null) {
            successor.onReadable();
            return;
        }
        try {
            switch (phase) {
                case IDLE, HEAD -> readHead();
                case EXCHANGE -> inputDuringExchange();
                case DRAIN -> skipContent();
                case LINGER -> linger();
                case FLUSH, CLOSED -> flow.lessInterest(Connection.READ);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void onWritable() {
        if (successor != null) {
            successor.onWritable();
            return;
        }
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
        } else {
            exchange.outputTaken();
        }
    }

    @Override
    public void onDeadline() {
        if (successor != null) {
            successor.onDeadline();
            return;
        }
        Phase now = phase;
        Http1Exchange exchange = current;
        if (flow.wait.operation() != 0 && exchange != null && now != Phase.LINGER) {
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
            case HEAD -> refuse(HEAD_TIMEOUT);
            case FLUSH -> failed(new StalledException("the client does not take the response"));
            case IDLE, DRAIN, LINGER -> closeNow();
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
            failed(new StalledException("the client does not take the response"));
        }
    }

    private static final ProtocolError HEAD_TIMEOUT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the request did not arrive in time");

    @Override
    public void onClosed() {
        if (successor != null) {
            successor.onClosed();
            return;
        }
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

    /// Goes on with requests that wait in the input buffer; posted by another thread.
    @Override
    public void run() {
        if (phase == Phase.HEAD && current == null) {
            process();
        }
    }

    // Requests

    private void readHead() throws IOException {
        if (input.isFull() && !input.makeRoom(headRoomMax())) {
            return;
        }
        int count = input.fill();
        if (count > 0) {
            process();
        } else if (count < 0) {
            closeNow();
        }
    }

    /// One more than a head may have, so that the decoder sees what is too much.
    private int headRoomMax() {
        return context.limits.http1().headBytesMax() + 4;
    }

    /// Decodes and handles buffered requests, one after the other, until there are none or one has
    /// not ended yet.
    private void process() {
        if (prefaceDue && isPreface()) {
            return;
        }
        processing = true;
        try {
            do {
                goOn = false;
                Http1RequestDecoder heads = decoder();
                switch (heads.decode(input.bytes, input.from, input.to)) {
                    case NEED_MORE -> awaitMoreOfHead();
                    case ERROR -> {
                        if (isNoHttp()) {
                            closeSilently();
                        } else {
                            refuse(heads.error());
                        }
                    }
                    case HEAD -> {
                        input.from = heads.headEnd();
                        RequestHead head = heads.head();
                        heads.reset();
                        begin(head);
                    }
                }
            } while (goOn);
        } finally {
            processing = false;
        }
    }

    /// Looks whether the connection begins with the preface of HTTP/2 (RFC 9113 §3.3), in which
    /// case it speaks HTTP/2 from now on; true also when that cannot be told yet.
    private boolean isPreface() {
        int match = Http2.prefaceMatch(input.bytes, input.from, input.to);
        if (match == Http2.prefaceBytes()) {
            Http2Connection next = new Http2Connection(io, context, input);
            successor = next;
            context.replaced(this, next);
            next.start();
            return true;
        }
        if (match == input.available()) {
            awaitMoreOfHead();
            return true;
        }
        prefaceDue = false;
        return false;
    }

    /// Whether a client that may have wanted to speak HTTP/2 has begun with what no version of HTTP
    /// begins with, since it names neither a path nor a version: an answer would be of no use.
    private boolean isNoHttp() {
        if (!context.http2 || io.tls() != null || flow.requests > 0) {
            return false;
        }
        for (int i = input.from; i < input.to; i++) {
            if (input.bytes[i] == '/') {
                return false;
            }
        }
        return true;
    }

    private void closeSilently() {
        try {
            closeGracefully(true);
        } catch (IOException e) {
            failed(e);
        }
    }

    private Http1RequestDecoder decoder() {
        Http1RequestDecoder known = decoder;
        if (known == null) {
            known = context.newDecoder(io.tls() != null);
            decoder = known;
        }
        return known;
    }

    private void awaitMoreOfHead() {
        if (input.isFull() && !input.makeRoom(headRoomMax())) {
            throw new IllegalStateException("the decoder wants more than a head may have");
        }
        if (phase != Phase.HEAD) {
            flow.deadline(context.headNanos);
            phase = Phase.HEAD;
        }
        flow.interest(Connection.READ);
    }

    private Http1Exchange newExchange(RequestHead head) {
        return new Http1Exchange(
                this,
                context,
                head,
                new RequestBody(input, head, context.limits.http1()),
                new ResponseFraming(head),
                this);
    }

    private void begin(RequestHead head) {
        flow.requests++;
        context.stats.requestStarted();
        Http1Exchange exchange = newExchange(head);
        current = exchange;
        phase = Phase.EXCHANGE;
        output.pace.reset();
        if (io.blocking()) {
            // Whoever ends the exchange, this thread or another, sets it again.
            flow.interest(0);
        }
        if (context.strictSni && ClientIdentity.isMisdirected(io.tls(), head)) {
            exchange.refuse(ClientIdentity.MISDIRECTED);
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

    /// Answers what is no request, then closes.
    private void refuse(ProtocolError error) {
        if (phase == Phase.HEAD || phase == Phase.IDLE) {
            context.stats.requestStarted();
            Http1Exchange exchange = newExchange(NoRequest.HEAD);
            current = exchange;
            phase = Phase.EXCHANGE;
            exchange.refuse(error);
        }
    }

    // The end of an exchange, on the thread that owns the connection

    @Override
    public void ended(Http1Exchange exchange) throws IOException {
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
        ContentSource body = exchange.body();
        if (exchange.isLast()) {
            closeGracefully(!body.ended() || exchange.hasRefused());
        } else if (body.ended()) {
            next();
        } else {
            beginSkipping(body);
        }
    }

    private void beginSkipping(ContentSource body) throws IOException {
        skipped = 0;
        if (skip(body)) {
            next();
        } else if (phase != Phase.LINGER && phase != Phase.CLOSED) {
            flow.deadline(context.drainNanos);
            phase = Phase.DRAIN;
            flow.interest(Connection.READ);
        }
    }

    /// Throws away buffered content; true when it has ended.
    private boolean skip(ContentSource body) throws IOException {
        try {
            skipped += body.discard();
        } catch (RequestBodyException e) {
            context.log.clientFailed(io.id(), e);
            closeGracefully(true);
            return false;
        }
        if (!body.ended() && skipped > context.limits.drainBytesMax()) {
            closeGracefully(true);
            return false;
        }
        return body.ended();
    }

    private void skipContent() throws IOException {
        Http1Exchange exchange = current;
        if (exchange == null) {
            return;
        }
        int count = input.fill();
        if (count < 0) {
            closeNow();
        } else if (count > 0 && skip(exchange.body())) {
            next();
        }
    }

    /// Turns to the next request of the connection.
    private void next() {
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
        flow.deadline(context.idleNanos);
        phase = Phase.IDLE;
        flow.interest(Connection.READ);
    }

    /// Closes so that the peer can read all that was sent: a close with unread input would be a
    /// reset, which destroys what is on its way.
    ///
    /// @param unread whether input may come or has come that nobody will read
    private void closeGracefully(boolean unread) throws IOException {
        current = null;
        output.releaseIfEmpty();
        if (input.ended || (!unread && input.isEmpty())) {
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

    // What is known of each request

    @Override
    public String scheme() {
        return io.tls() == null ? "http" : "https";
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
    public @Nullable Object attribute(String name) {
        return null;
    }

    @Override
    public @Nullable String remoteUser() {
        return null;
    }

    @Override
    public @Nullable TlsInfo tls() {
        if (tls == null) {
            tls = ClientIdentity.info(io.tls());
        }
        return tls;
    }

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
}
