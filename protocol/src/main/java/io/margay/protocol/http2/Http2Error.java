package io.margay.protocol.http2;

import io.margay.protocol.http.ProtocolError;

/// What a peer can do wrong in HTTP/2. Immutable.
final class Http2Error {
    static final ProtocolError BAD_PREFACE =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §3.4", "the connection preface is malformed");
    static final ProtocolError SETTINGS_MISSING =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §3.4", "the first frame is not SETTINGS");
    static final ProtocolError FRAME_TOO_LONG =
            error(Http2.FRAME_SIZE_ERROR, "RFC 9113 §4.2", "a frame is longer than was allowed");
    static final ProtocolError BAD_LENGTH =
            error(Http2.FRAME_SIZE_ERROR, "RFC 9113 §4.2", "a frame has a length it cannot have");
    static final ProtocolError BLOCK_INTERRUPTED =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §4.3", "a header block is interrupted");
    static final ProtocolError BAD_BLOCK =
            error(Http2.COMPRESSION_ERROR, "RFC 9113 §4.3", "a header block cannot be decoded");
    static final ProtocolError BLOCK_TOO_LARGE =
            error(Http2.ENHANCE_YOUR_CALM, "RFC 9113 §10.5.1", "a header block is too large");
    static final ProtocolError BAD_STREAM =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §5.1.1", "a stream has a number it cannot have");
    static final ProtocolError IDLE_STREAM =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §5.1", "a frame came on an idle stream");
    static final ProtocolError CLOSED_STREAM =
            error(Http2.STREAM_CLOSED, "RFC 9113 §5.1", "a frame came on a closed stream");
    static final ProtocolError NOT_ON_STREAM =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §6", "a frame came on a stream, or on none");
    static final ProtocolError BAD_PADDING =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §6.1", "the padding is longer than its frame");
    static final ProtocolError BAD_SETTING =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §6.5.2", "a setting has a value it cannot have");
    static final ProtocolError BAD_WINDOW_SETTING =
            error(Http2.FLOW_CONTROL_ERROR, "RFC 9113 §6.5.2", "the window setting is too large");
    static final ProtocolError PUSHED =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §8.4", "PUSH_PROMISE was not allowed");
    static final ProtocolError NO_INCREMENT =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §6.9", "a window grows by nothing");
    static final ProtocolError WINDOW_OVERFLOW =
            error(Http2.FLOW_CONTROL_ERROR, "RFC 9113 §6.9.1", "a window grows beyond its limit");
    static final ProtocolError WINDOW_EXCEEDED =
            error(Http2.FLOW_CONTROL_ERROR, "RFC 9113 §6.9", "more content than the window allows");
    static final ProtocolError STRAY_CONTINUATION =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §6.10", "CONTINUATION follows no header block");
    static final ProtocolError TOO_MUCH_OVERHEAD =
            error(Http2.ENHANCE_YOUR_CALM, "RFC 9113 §10.5", "too many frames bring nothing");
    static final ProtocolError OUTPUT_NOT_TAKEN =
            error(Http2.ENHANCE_YOUR_CALM, "RFC 9113 §10.5", "the peer reads no responses");
    static final ProtocolError SELF_DEPENDENCY =
            error(Http2.PROTOCOL_ERROR, "RFC 7540 §5.3.1", "a stream depends on itself");
    static final ProtocolError TOO_MANY_STREAMS =
            error(Http2.REFUSED_STREAM, "RFC 9113 §5.1.2", "too many streams at a time");
    static final ProtocolError GOING_AWAY =
            error(Http2.REFUSED_STREAM, "RFC 9113 §6.8", "the connection is about to end");
    static final ProtocolError HEAD_REPEATED =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §8.1", "a second head came");
    static final ProtocolError MALFORMED =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §8.1.1", "a message is malformed");
    static final ProtocolError LENGTH_DIFFERS =
            error(
                    Http2.PROTOCOL_ERROR,
                    "RFC 9113 §8.1.1",
                    "the content is not as long as Content-Length says");
    static final ProtocolError HEAD_MISSING =
            error(Http2.PROTOCOL_ERROR, "RFC 9113 §8.1", "content came before the head");
    static final ProtocolError CONTENT_GREW_TOO_LARGE =
            new ProtocolError(
                    413, Http2.CANCEL, "RFC 9110 §15.5.14", "the content is larger than allowed");

    static final ProtocolError HEAD_TOO_LARGE =
            ProtocolError.of(431, "RFC 6585 §5", "the head of the request is too large");
    static final ProtocolError TARGET_TOO_LONG =
            ProtocolError.of(414, "RFC 9110 §15.5.15", "the request target is too long");
    static final ProtocolError CONTENT_TOO_LARGE =
            ProtocolError.of(413, "RFC 9110 §15.5.14", "the content is larger than allowed");
    static final ProtocolError EXPECTATION_UNKNOWN =
            ProtocolError.of(417, "RFC 9110 §10.1.1", "only 100-continue can be expected");
    static final ProtocolError HOST_MISSING =
            ProtocolError.of(400, "RFC 9113 §8.3.1", "the request names no host");
    static final ProtocolError BAD_HOST =
            ProtocolError.of(400, "RFC 9113 §8.3.1", "the host is malformed or contradicted");
    static final ProtocolError BAD_TARGET =
            ProtocolError.of(400, "RFC 9113 §8.3.1", "the request target is malformed");
    static final ProtocolError PROTOCOL_UNKNOWN =
            ProtocolError.of(501, "RFC 8441 §4", "this protocol cannot be connected to");

    private Http2Error() {}

    private static ProtocolError error(int code, String section, String text) {
        return new ProtocolError(400, code, section, text);
    }
}
