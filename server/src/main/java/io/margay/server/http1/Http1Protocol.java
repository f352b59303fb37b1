package io.margay.server.http1;

import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http1.Http1RequestDecoder;
import io.margay.protocol.http2.Http2;
import io.margay.server.config.RequestProtocol;
import io.margay.server.connection.ClientIdentity;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.http2.Http2Connection;
import io.margay.server.serial.ContentSource;
import io.margay.server.serial.NoRequest;
import io.margay.server.serial.RequestInfo;
import io.margay.server.serial.SerialConnection;
import io.margay.server.serial.SerialExchange;
import io.margay.server.serial.SerialProtocol;
import io.margay.transport.Connection;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// HTTP/1.x on one connection (RFC 9112): heads in, keep-alive, pipelining, and the change to
/// HTTP/2.
///
/// Owned as its [SerialConnection] is.
///
/// ```
/// IDLE --bytes--> HEAD --complete--> EXCHANGE --end--> FLUSH --sent--> SKIP --skipped--> IDLE
///                  |                                     |                |
///                  +--malformed--> answer ---------------+----------------+--> LINGER --> CLOSED
/// ```
public final class Http1Protocol implements SerialProtocol, RequestInfo {
    private static final ProtocolError HEAD_TIMEOUT =
            ProtocolError.of(408, "RFC 9110 §15.5.9", "the request did not arrive in time");

    private static final ProtocolError NO_ROOM =
            ProtocolError.of(503, "RFC 9110 §15.6.4", "there is no memory for a longer head");

    private final SerialConnection connection;
    private final ConnectionContext context;
    private final Connection io;
    private final ConnectionInput input;

    /// Leased while a head comes in.
    private @Nullable Http1RequestDecoder decoder;

    private @Nullable TlsInfo tls;

    /// Whether the client may begin with the preface of HTTP/2.
    private boolean prefaceDue;

    /// Content of one request that was thrown away, bytes.
    private long skipped;

    private Http1Protocol(SerialConnection connection, ConnectionContext context) {
        this.connection = connection;
        this.context = context;
        io = connection.io;
        input = connection.input;
        prefaceDue = context.http2 && io.tls() == null;
    }

    /// Has a new connection speak it.
    public static SerialConnection open(Connection io, ConnectionContext context) {
        SerialConnection made =
                new SerialConnection(
                        io,
                        context,
                        // One more than a head may have, so that the decoder sees what is too much.
                        context.limits.http1().headBytesMax() + 4,
                        context.idleNanos,
                        on -> new Http1Protocol(on, context));
        made.start(context.headNanos);
        return made;
    }

    @Override
    public boolean duplex() {
        return true;
    }

    // Requests

    @Override
    public RequestProtocol spoken(SerialExchange exchange) {
        return RequestProtocol.of(exchange.request().version());
    }

    @Override
    public SerialExchange headTimedOut() {
        return refused(HEAD_TIMEOUT);
    }

    @Override
    public SerialExchange noRoomForHead() {
        return refused(NO_ROOM);
    }

    @Override
    public @Nullable SerialExchange decode() throws IOException {
        if (prefaceDue && isPreface()) {
            return null;
        }
        Http1RequestDecoder heads = decoder();
        switch (heads.decode(input.bytes, input.from, input.to)) {
            case NEED_MORE -> connection.awaitMoreOfHead();
            case ERROR -> {
                if (!isNoHttp()) {
                    return refused(heads.error());
                }
                connection.closeGracefully(true);
            }
            case HEAD -> {
                input.from = heads.headEnd();
                RequestHead head = heads.head();
                decoder = null;
                context.headDecoders.release(heads);
                return exchange(head);
            }
        }
        return null;
    }

    /// Looks whether the connection begins with the preface of HTTP/2 (RFC 9113 §3.3), in which
    /// case it speaks HTTP/2 from now on; true also when that cannot be told yet.
    private boolean isPreface() throws IOException {
        int match = Http2.prefaceMatch(input.bytes, input.from, input.to);
        if (match == Http2.prefaceBytes()) {
            Http2Connection.takeOver(io, context, input, connection::replacedBy);
            return true;
        }
        if (match == input.available()) {
            connection.awaitMoreOfHead();
            return true;
        }
        prefaceDue = false;
        return false;
    }

    /// Whether a client that may have wanted to speak HTTP/2 has begun with what no version of HTTP
    /// begins with: an answer would be useless.
    private boolean isNoHttp() {
        return context.http2
                && io.tls() == null
                && connection.flow.requests == 0
                && !Http1RequestDecoder.resemblesRequest(input.bytes, input.from, input.to);
    }

    private Http1RequestDecoder decoder() {
        Http1RequestDecoder known = decoder;
        if (known == null) {
            known = context.headDecoders.lease(scheme().equals("https"));
            decoder = known;
        }
        return known;
    }

    private SerialExchange exchange(RequestHead head) {
        boolean misdirected = ClientIdentity.isMisdirected(io.tls(), head, context.strictSni);
        return newExchange(head, misdirected ? ClientIdentity.MISDIRECTED : null);
    }

    /// What answers bytes that are no request, after which the connection ends.
    private SerialExchange refused(ProtocolError error) {
        return newExchange(NoRequest.HEAD, error);
    }

    private SerialExchange newExchange(RequestHead head, @Nullable ProtocolError refusal) {
        return new SerialExchange(
                connection,
                connection.flow,
                head,
                new Http1RequestBody(input, head, context.limits.http1()),
                new Http1Response(head),
                this,
                refusal);
    }

    // The end of an exchange, on the thread that owns the connection

    @Override
    public void ended(SerialExchange exchange) throws IOException {
        connection.flush(exchange);
    }

    @Override
    public void answered(SerialExchange exchange) throws IOException {
        ContentSource body = exchange.body();
        if (exchange.isLast()) {
            connection.closeGracefully(!body.ended() || exchange.refusal() != null);
        } else if (body.ended()) {
            connection.next();
        } else {
            skipped = 0;
            if (isSkipped(body)) {
                connection.next();
            } else {
                connection.skipMore(false);
            }
        }
    }

    @Override
    public void skip(SerialExchange exchange) throws IOException {
        if (isSkipped(exchange.body())) {
            connection.next();
        }
    }

    @Override
    public void skippingTimedOut(SerialExchange exchange) {
        connection.closeNow();
    }

    /// Throws away buffered content; true when it has ended.
    private boolean isSkipped(ContentSource body) throws IOException {
        try {
            skipped += body.discard();
        } catch (RequestBodyException e) {
            context.log.clientFailed(io.id(), e);
            connection.closeGracefully(true);
            return false;
        }
        if (!body.ended() && skipped > context.limits.drainBytesMax()) {
            connection.closeGracefully(true);
            return false;
        }
        return body.ended();
    }

    // What is known of each request

    @Override
    public String scheme() {
        return ClientIdentity.scheme(io);
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
        return ClientIdentity.attribute(io, name);
    }

    @Override
    public Set<String> attributeNames() {
        return ClientIdentity.attributeNames(io);
    }

    @Override
    public @Nullable String remoteUser() {
        return null;
    }

    @Override
    public @Nullable TlsInfo tls() {
        if (tls == null) {
            tls = ClientIdentity.info(io);
        }
        return tls;
    }
}
