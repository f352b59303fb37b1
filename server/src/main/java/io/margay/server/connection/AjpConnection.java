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
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// AJP13 on one connection: requests and pings in, exchanges to the handler, reuse, deadlines, and
/// the end.
///
/// Owned as [ExchangeCarrier] says.
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
public final class AjpConnection extends ExchangeCarrier {
    private final AjpContext ajp;
    private final AjpLimits limits;
    private final AjpRequestDecoder decoder;
    private boolean reuse;

    AjpConnection(Connection io, AjpContext ajp) {
        super(io, ajp.shared, ajp.config.limits().packetBytesMax(), ajp.idleNanos);
        this.ajp = ajp;
        limits = ajp.config.limits();
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
    public void onWritable() {
        if (current != null) {
            super.onWritable();
            return;
        }
        try {
            if (flow.sendOn() && phase == Phase.HEAD) {
                next(); // the answers to pings have been taken
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    // Requests

    @Override
    void decode() throws IOException {
        AjpRequestDecoder.Result result = decoder.decode(input.bytes, input.from, input.to);
        switch (result) {
            case NEED_MORE -> awaitMoreOfHead();
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

    private void admit(boolean wellFormed) {
        ProtocolError refusal = ajp.gate.check(decoder.attributes());
        if (refusal != null) {
            context.log.clientFailed(io.id(), new IOException(refusal.text()));
            refuse(refusal);
        } else if (!wellFormed) {
            refuse(decoder.error().cause());
        } else {
            AjpForwardRequest request = decoder.request();
            begin(newExchange(request.head(), new AjpFacts(io, request, ajp.config)), null);
        }
    }

    private Http1Exchange newExchange(RequestHead head, RequestFacts facts) {
        reuse = false;
        return new Http1Exchange(
                this,
                context,
                head,
                new AjpRequestBody(input, head, limits),
                new AjpResponse(head, limits),
                facts);
    }

    /// Answers what does not come in, then closes.
    private void refuse(ProtocolError error) {
        Http1Exchange exchange = newExchange(NoRequest.HEAD, new FrontEndFacts(io));
        flow.requests++;
        output.pace.reset();
        enter(exchange);
        exchange.refuse(error);
    }

    // The end of an exchange, on the thread that owns the connection

    @Override
    void ended(Http1Exchange exchange) throws IOException {
        ContentSource content = exchange.body();
        if (content.error() != null
                || exchange.hasRefused()
                || flow.isLastRequest()
                || !content.endsWithin(context.limits.drainBytesMax())) {
            finish(exchange, false);
        } else if (content.ended()) {
            finish(exchange, true);
        } else {
            skipped = 0;
            skip(exchange);
        }
    }

    /// Skips what has come and asks for more, until the content has ended or is too long.
    private void skip(Http1Exchange exchange) throws IOException {
        ContentSource content = exchange.body();
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

    @Override
    void skipContent() throws IOException {
        Http1Exchange exchange = current;
        if (exchange == null) {
            return;
        }
        int count = input.fill();
        if (count < 0) {
            closeNow();
        } else if (count > 0) {
            skip(exchange);
        }
    }

    @Override
    void skippingTimedOut() {
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
        if (!again) {
            exchange.markLast();
        }
        output.reserve(AjpResponseEncoder.END_BYTES);
        output.advance(AjpResponseEncoder.encodeEnd(output.array(), output.mark(), again));
        flush(exchange);
    }

    @Override
    void answered(Http1Exchange exchange) throws IOException {
        if (reuse) {
            next();
        } else {
            closeGracefully(true);
        }
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
