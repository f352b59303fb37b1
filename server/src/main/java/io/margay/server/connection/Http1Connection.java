package io.margay.server.connection;

import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http1.Http1RequestDecoder;
import io.margay.protocol.http2.Http2;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// HTTP/1.x on one connection (RFC 9112): heads in, exchanges to the handler, keep-alive,
/// pipelining, deadlines, and the end.
///
/// Owned as [ExchangeCarrier] says.
///
/// ```
/// IDLE --bytes--> HEAD --complete--> EXCHANGE --end--> FLUSH --sent--> SKIP --skipped--> IDLE
///                  |                                     |                |
///                  +--malformed--> answer ---------------+----------------+--> LINGER --> CLOSED
/// ```
public final class Http1Connection extends ExchangeCarrier implements RequestFacts {
    private static final ProtocolError HEAD_TIMEOUT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the request did not arrive in time");

    private @Nullable Http1RequestDecoder decoder;
    private @Nullable TlsInfo tls;

    /// Whether the client may begin with the preface of HTTP/2.
    private boolean prefaceDue;

    /// What the connection has turned into; all events are its own then.
    private @Nullable Http2Connection successor;

    Http1Connection(Connection io, Http1Context context) {
        // One more than a head may have, so that the decoder sees what is too much.
        super(io, context, context.limits.http1().headBytesMax() + 4, context.idleNanos);
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
        } else {
            super.onReadable();
        }
    }

    @Override
    public void onWritable() {
        if (successor != null) {
            successor.onWritable();
        } else {
            super.onWritable();
        }
    }

    @Override
    public void onDeadline() {
        if (successor != null) {
            successor.onDeadline();
        } else {
            super.onDeadline();
        }
    }

    @Override
    public void onClosed() {
        if (successor != null) {
            successor.onClosed();
        } else {
            super.onClosed();
        }
    }

    // Requests

    @Override
    void headTimedOut() {
        refuse(HEAD_TIMEOUT);
    }

    @Override
    void decode() throws IOException {
        if (prefaceDue && isPreface()) {
            return;
        }
        Http1RequestDecoder heads = decoder();
        switch (heads.decode(input.bytes, input.from, input.to)) {
            case NEED_MORE -> awaitMoreOfHead();
            case ERROR -> {
                if (isNoHttp()) {
                    closeGracefully(true);
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
    }

    /// Looks whether the connection begins with the preface of HTTP/2 (RFC 9113 §3.3), in which
    /// case it speaks HTTP/2 from now on; true also when that cannot be told yet.
    private boolean isPreface() throws IOException {
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

    private Http1RequestDecoder decoder() {
        Http1RequestDecoder known = decoder;
        if (known == null) {
            known = context.newDecoder(io.tls() != null);
            decoder = known;
        }
        return known;
    }

    private Http1Exchange newExchange(RequestHead head) {
        return new Http1Exchange(
                this,
                context,
                head,
                new Http1RequestBody(input, head, context.limits.http1()),
                new Http1Response(head),
                this);
    }

    private void begin(RequestHead head) {
        boolean misdirected = ClientIdentity.isMisdirected(io.tls(), head, context.strictSni);
        begin(newExchange(head), misdirected ? ClientIdentity.MISDIRECTED : null);
    }

    /// Answers what is no request, then closes.
    private void refuse(ProtocolError error) {
        if (phase == Phase.HEAD || phase == Phase.IDLE) {
            Http1Exchange exchange = newExchange(NoRequest.HEAD);
            enter(exchange);
            exchange.refuse(error);
        }
    }

    // The end of an exchange, on the thread that owns the connection

    @Override
    void ended(Http1Exchange exchange) throws IOException {
        flush(exchange);
    }

    @Override
    void answered(Http1Exchange exchange) throws IOException {
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
            phase = Phase.SKIP;
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

    @Override
    void skipContent() throws IOException {
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
}
