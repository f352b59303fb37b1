package io.margay.protocol.quic.stream;

import io.margay.protocol.quic.QuicError;

/// What a peer can do wrong with streams. Immutable.
final class StreamError {
    static final QuicError WINDOW_EXCEEDED =
            QuicError.of(
                    QuicError.FLOW_CONTROL_ERROR,
                    "RFC 9000 §4.1",
                    "more data than the window of a stream allows");
    static final QuicError CONNECTION_WINDOW_EXCEEDED =
            QuicError.of(
                    QuicError.FLOW_CONTROL_ERROR,
                    "RFC 9000 §4.1",
                    "more data than the window of the connection allows");
    static final QuicError TOO_MANY_STREAMS =
            QuicError.of(
                    QuicError.STREAM_LIMIT_ERROR, "RFC 9000 §4.6", "more streams than are allowed");
    static final QuicError SIZE_CHANGED =
            QuicError.of(
                    QuicError.FINAL_SIZE_ERROR,
                    "RFC 9000 §4.5",
                    "the final size of a stream changes, or data goes beyond it");
    static final QuicError NOT_FOR_SENDING =
            QuicError.of(
                    QuicError.STREAM_STATE_ERROR,
                    "RFC 9000 §19.8",
                    "data came on a stream on which the peer cannot send");
    static final QuicError NOT_FOR_RECEIVING =
            QuicError.of(
                    QuicError.STREAM_STATE_ERROR,
                    "RFC 9000 §19.5",
                    "a frame of receivers came on a stream on which the peer cannot receive");
    static final QuicError NOT_OPEN =
            QuicError.of(
                    QuicError.STREAM_STATE_ERROR,
                    "RFC 9000 §19",
                    "a frame came on a stream that was not opened");
    static final QuicError TOO_MANY_GAPS =
            QuicError.of(
                    QuicError.INTERNAL_ERROR,
                    "RFC 9000 §2.2",
                    "the data of a stream has too many gaps");

    private StreamError() {}
}
