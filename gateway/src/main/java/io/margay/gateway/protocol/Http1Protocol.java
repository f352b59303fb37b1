package io.margay.gateway.protocol;

import io.margay.gateway.config.PeerLimits;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http1.Http1BodyDecoder;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1RequestEncoder;
import io.margay.protocol.http1.Http1ResponseDecoder;
import io.margay.protocol.http1.Http1ResponseEncoder;
import org.jspecify.annotations.Nullable;

/// HTTP/1.1 to a peer. Confined to the connection's loop.
final class Http1Protocol implements PeerProtocol {
    private static final byte[] CRLF = {'\r', '\n'};
    private static final int HEAD_STEP = 8192;

    private enum State {
        HEAD,
        CONTENT,
        RAW
    }

    private final PeerLimits limits;
    private final Http1Limits messages;
    private final Http1ResponseDecoder decoder;
    private State state = State.HEAD;
    private String method = "";
    private boolean chunkedRequest;
    private boolean upgradeAsked;

    /// What the peer must say to a key of ours, or null where the client looks at that itself.
    private @Nullable String acceptDue;

    private boolean closeAsked;
    private int interims;
    private int rawFrom;
    private int consumed;
    private @Nullable Http1BodyDecoder content;
    private @Nullable ResponseHead head;
    private @Nullable String error;

    Http1Protocol(PeerLimits limits) {
        this.limits = limits;
        messages = limits.responses();
        decoder = new Http1ResponseDecoder(messages);
    }

    @Override
    public void begin(PeerRequest request, SendBuffer out) {
        state = State.HEAD;
        method = request.method();
        chunkedRequest = request.contentLength() == RequestHead.UNKNOWN_LENGTH;
        upgradeAsked = request.upgrade();
        acceptDue = null;
        if (upgradeAsked && request.exchange().request().version().isMultiplexed()) {
            String key = WebSocketKey.make();
            request.fields().set("Sec-WebSocket-Key", key);
            acceptDue = WebSocketKey.accept(key);
        }
        closeAsked = !request.peer().pool().reuse() && !request.upgrade();
        interims = 0;
        content = null;
        head = null;
        error = null;
        decoder.reset(method);
        while (true) {
            int end =
                    Http1RequestEncoder.encodeHead(
                            out.bytes(),
                            out.size(),
                            method,
                            request.target(),
                            request.fields(),
                            framing(request),
                            closeAsked);
            if (end != Http1RequestEncoder.FULL) {
                out.size(end);
                return;
            }
            if (out.room() > limits.requestHeadBytesMax()) {
                throw new LargeHeadException("the head exceeds request-head-bytes-max");
            }
            out.reserve(out.room() + HEAD_STEP);
        }
    }

    private static long framing(PeerRequest request) {
        if (request.contentLength() != RequestHead.NO_BODY) {
            return request.contentLength();
        }
        return request.declaresNoContent() ? 0 : Http1RequestEncoder.NONE;
    }

    @Override
    public int contentRoom() {
        return limits.contentPieceBytes();
    }

    @Override
    public void content(byte[] source, int offset, int length, SendBuffer out) {
        if (!chunkedRequest || state == State.RAW) {
            out.put(source, offset, length);
            return;
        }
        out.reserve(length + Http1ResponseEncoder.CHUNK_HEADER_BYTES_MAX + CRLF.length);
        out.size(Http1ResponseEncoder.encodeChunkHeader(out.bytes(), out.size(), length));
        out.put(source, offset, length);
        out.put(CRLF, 0, CRLF.length);
    }

    @Override
    public void contentEnd(FieldList trailers, SendBuffer out) {
        if (!chunkedRequest) {
            return;
        }
        int end;
        do {
            out.reserve(HEAD_STEP);
            end = Http1ResponseEncoder.encodeTrailers(out.bytes(), out.size(), trailers);
            if (end == Http1ResponseEncoder.FULL) {
                out.reserve(out.bytes().length);
            }
        } while (end == Http1ResponseEncoder.FULL);
        out.size(end);
    }

    @Override
    public boolean ping(SendBuffer out) {
        return false;
    }

    @Override
    public Step decode(byte[] buffer, int from, int to) {
        consumed = from;
        return switch (state) {
            case HEAD -> from == to ? Step.NEED_MORE : decodeHead(buffer, from, to);
            case CONTENT -> decodeContent(buffer, from, to);
            case RAW -> {
                rawFrom = from;
                consumed = to;
                yield from == to ? Step.NEED_MORE : Step.DATA;
            }
        };
    }

    private Step decodeHead(byte[] buffer, int from, int to) {
        switch (decoder.decode(buffer, from, to)) {
            case NEED_MORE -> {
                return Step.NEED_MORE;
            }
            case ERROR -> {
                return fail(decoder.error());
            }
            case HEAD -> {}
        }
        ResponseHead found = decoder.head();
        consumed = decoder.headEnd();
        head = found;
        if (found.isInterim()) {
            decoder.reset(method);
            return ++interims > limits.interimsMax() ? fail(TOO_MANY_INTERIMS) : Step.INTERIM;
        }
        if (found.status() == 101) {
            state = State.RAW;
            if (acceptDue != null && !acceptDue.equals(found.field("Sec-WebSocket-Accept"))) {
                return fail(OTHER_KEY);
            }
            return upgradeAsked ? Step.HEAD : fail(UNASKED_UPGRADE);
        }
        state = State.CONTENT;
        long length = found.contentLength();
        if (length == ResponseHead.UNKNOWN_LENGTH) {
            content = Http1BodyDecoder.chunked(messages);
        } else if (length == ResponseHead.UNTIL_CLOSE) {
            content = Http1BodyDecoder.untilClose();
        } else {
            content = Http1BodyDecoder.fixed(length);
        }
        return Step.HEAD;
    }

    private static final ProtocolError TOO_MANY_INTERIMS =
            ProtocolError.of(502, "RFC 9110 §15.2", "there are too many interim responses");

    private static final ProtocolError UNASKED_UPGRADE =
            ProtocolError.of(502, "RFC 9110 §15.2.2", "the protocol was switched unasked");

    private static final ProtocolError OTHER_KEY =
            ProtocolError.of(502, "RFC 6455 §4.1", "the key of the WebSocket was not understood");

    private Step decodeContent(byte[] buffer, int from, int to) {
        Http1BodyDecoder body = body();
        if (body.ended()) {
            return Step.END;
        }
        if (from == to) {
            return Step.NEED_MORE;
        }
        Http1BodyDecoder.Result result = body.decode(buffer, from, to);
        consumed = body.consumed();
        return step(body, result);
    }

    private Step step(Http1BodyDecoder body, Http1BodyDecoder.Result result) {
        return switch (result) {
            case NEED_MORE -> Step.NEED_MORE;
            case DATA -> Step.DATA;
            case END -> Step.END;
            case ERROR -> fail(body.error());
        };
    }

    private Http1BodyDecoder body() {
        if (content == null) {
            throw new IllegalStateException("no head yet");
        }
        return content;
    }

    private Step fail(ProtocolError cause) {
        error = cause.text() + " (" + cause.section() + ")";
        return Step.ERROR;
    }

    @Override
    public Step inputEnded() {
        return switch (state) {
            case HEAD -> {
                error = "the member closed the connection before its response";
                yield Step.ERROR;
            }
            case CONTENT -> step(body(), body().endOfInput());
            case RAW -> Step.END;
        };
    }

    @Override
    public int consumed() {
        return consumed;
    }

    @Override
    public ResponseHead head() {
        if (head == null) {
            throw new IllegalStateException("no head yet");
        }
        return head;
    }

    @Override
    public int dataFrom() {
        return raw() ? rawFrom : body().dataFrom();
    }

    @Override
    public int dataTo() {
        return raw() ? consumed : body().dataTo();
    }

    @Override
    public Fields trailers() {
        return state == State.CONTENT ? body().trailers() : Fields.EMPTY;
    }

    @Override
    public boolean reusable() {
        return state == State.CONTENT && !closeAsked && head().keepAlive();
    }

    @Override
    public boolean raw() {
        return state == State.RAW;
    }

    @Override
    public String error() {
        return error == null ? "unknown" : error;
    }
}
