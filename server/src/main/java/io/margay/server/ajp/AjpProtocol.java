package io.margay.server.ajp;

import io.margay.protocol.ajp.AjpError;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpRequestDecoder;
import io.margay.protocol.ajp.AjpResponseEncoder;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.server.config.RequestProtocol;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.serial.ContentSource;
import io.margay.server.serial.NoRequest;
import io.margay.server.serial.RequestInfo;
import io.margay.server.serial.SerialConnection;
import io.margay.server.serial.SerialExchange;
import io.margay.server.serial.SerialOutput;
import io.margay.server.serial.SerialProtocol;
import io.margay.transport.Connection;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// AJP13 on one connection: requests and pings in, and what becomes of the connection after each.
///
/// Owned as its [SerialConnection] is.
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
final class AjpProtocol implements SerialProtocol {
    private final SerialConnection connection;
    private final AjpContext ajp;
    private final ConnectionContext context;
    private final Connection io;
    private final ConnectionInput input;
    private final SerialOutput output;
    private final AjpLimits limits;
    private final AjpRequestDecoder decoder;
    private boolean reuse;

    /// Content of one request that was thrown away, bytes.
    private long skipped;

    AjpProtocol(SerialConnection connection, AjpContext ajp) {
        this.connection = connection;
        this.ajp = ajp;
        context = ajp.shared;
        io = connection.io;
        input = connection.input;
        output = connection.output;
        limits = ajp.config.limits();
        decoder = new AjpRequestDecoder(limits, context.characters);
    }

    /// Content is asked for by packets among those of the response.
    @Override
    public boolean duplex() {
        return false;
    }

    // Requests

    @Override
    public RequestProtocol spoken(SerialExchange exchange) {
        return RequestProtocol.AJP;
    }

    @Override
    public @Nullable SerialExchange headTimedOut() {
        return null;
    }

    @Override
    public @Nullable SerialExchange noRoomForHead() {
        return null;
    }

    @Override
    public @Nullable SerialExchange decode() throws IOException {
        AjpRequestDecoder.Result result = decoder.decode(input.bytes, input.from, input.to);
        switch (result) {
            case NEED_MORE -> connection.awaitMoreOfHead();
            case ERROR -> closeOn(decoder.error());
            case PING -> ping();
            case IGNORED -> {
                input.from = decoder.packetEnd();
                connection.next();
            }
            case REFUSED, REQUEST -> {
                input.from = decoder.packetEnd();
                return admit(result == AjpRequestDecoder.Result.REQUEST);
            }
        }
        return null;
    }

    /// Bytes that are not AJP13 have no answer.
    private void closeOn(AjpError error) {
        context.log.clientFailed(io.id(), new IOException(error.cause().text()));
        connection.closeNow();
    }

    private void ping() throws IOException {
        input.from = decoder.packetEnd();
        output.reserve(AjpResponseEncoder.CHUNK_PREFIX_BYTES);
        output.advance(AjpResponseEncoder.encodePong(output.array(), output.mark()));
        connection.reply();
    }

    private SerialExchange admit(boolean wellFormed) {
        ProtocolError refusal = ajp.gate.check(decoder.attributes());
        if (refusal != null) {
            context.log.clientFailed(io.id(), new IOException(refusal.text()));
            return refused(refusal);
        }
        if (!wellFormed) {
            return refused(decoder.error().cause());
        }
        AjpForwardRequest request = decoder.request();
        return newExchange(request.head(), new AjpRequestInfo(io, request, ajp.config), null);
    }

    /// What answers a request that does not come in, after which the connection ends.
    private SerialExchange refused(ProtocolError error) {
        return newExchange(NoRequest.HEAD, new FrontEndInfo(io), error);
    }

    private SerialExchange newExchange(
            RequestHead head, RequestInfo info, @Nullable ProtocolError refusal) {
        reuse = false;
        return new SerialExchange(
                connection,
                connection.flow,
                head,
                new AjpRequestBody(input, head, limits),
                new AjpResponse(head, limits),
                info,
                refusal);
    }

    // The end of an exchange, on the thread that owns the connection

    @Override
    public void ended(SerialExchange exchange) throws IOException {
        ContentSource content = exchange.body();
        if (content.error() != null
                || exchange.refusal() != null
                || connection.flow.isLastRequest()
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
    @Override
    public void skip(SerialExchange exchange) throws IOException {
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
        connection.skipMore(!output.push());
    }

    @Override
    public void skippingTimedOut(SerialExchange exchange) throws IOException {
        finish(exchange, false);
    }

    /// Puts END_RESPONSE.
    private void finish(SerialExchange exchange, boolean again) throws IOException {
        reuse = again;
        if (!again) {
            exchange.markLast();
        }
        output.reserve(AjpResponseEncoder.END_BYTES);
        output.advance(AjpResponseEncoder.encodeEnd(output.array(), output.mark(), again));
        connection.flush(exchange);
    }

    @Override
    public void answered(SerialExchange exchange) throws IOException {
        if (reuse) {
            connection.next();
        } else {
            connection.closeGracefully(true);
        }
    }

    /// What is known of bytes that were no request: the front end's own addresses.
    private record FrontEndInfo(Connection io) implements RequestInfo {
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
