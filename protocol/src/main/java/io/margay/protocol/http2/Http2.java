package io.margay.protocol.http2;

import java.nio.charset.StandardCharsets;

/// The numbers of HTTP/2: frame types, flags, settings, error codes (RFC 9113 §6, §7). Stateless.
public final class Http2 {
    /// Octets of a frame's header.
    public static final int FRAME_HEADER_BYTES = 9;

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    /// Says how urgently a response is wanted (RFC 9218 §7.1).
    public static final int PRIORITY_UPDATE = 0x10;

    public static final int FLAG_ACK = 1;
    public static final int FLAG_END_STREAM = 1;
    public static final int FLAG_END_HEADERS = 4;
    public static final int FLAG_PADDED = 8;
    public static final int FLAG_PRIORITY = 0x20;

    public static final int SETTINGS_HEADER_TABLE_SIZE = 1;
    public static final int SETTINGS_ENABLE_PUSH = 2;
    public static final int SETTINGS_MAX_CONCURRENT_STREAMS = 3;
    public static final int SETTINGS_INITIAL_WINDOW_SIZE = 4;
    public static final int SETTINGS_MAX_FRAME_SIZE = 5;
    public static final int SETTINGS_MAX_HEADER_LIST_SIZE = 6;

    /// Extended CONNECT may be used (RFC 8441 §3).
    public static final int SETTINGS_ENABLE_CONNECT_PROTOCOL = 8;

    /// The priorities of RFC 7540 are not used (RFC 9218 §2.1).
    public static final int SETTINGS_NO_RFC7540_PRIORITIES = 9;

    public static final int NO_ERROR = 0;
    public static final int PROTOCOL_ERROR = 1;
    public static final int INTERNAL_ERROR = 2;
    public static final int FLOW_CONTROL_ERROR = 3;
    public static final int SETTINGS_TIMEOUT = 4;
    public static final int STREAM_CLOSED = 5;
    public static final int FRAME_SIZE_ERROR = 6;
    public static final int REFUSED_STREAM = 7;
    public static final int CANCEL = 8;
    public static final int COMPRESSION_ERROR = 9;
    public static final int CONNECT_ERROR = 10;
    public static final int ENHANCE_YOUR_CALM = 11;

    /// The window of a connection and of a stream before anything was agreed, octets.
    public static final int WINDOW_DEFAULT = 65_535;

    /// The largest window, octets.
    public static final int WINDOW_MAX = Integer.MAX_VALUE;

    /// The largest payload of a frame before anything was agreed, octets.
    public static final int FRAME_SIZE_DEFAULT = 16_384;

    static final int FRAME_SIZE_LIMIT = 16_777_215;

    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Http2() {}

    /// What a client sends first (RFC 9113 §3.4): how many octets of it `bytes[from,to)` begins
    /// with, which may be all that there are; -1 when it begins otherwise.
    public static int prefaceMatch(byte[] bytes, int from, int to) {
        int length = Math.min(PREFACE.length, to - from);
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != PREFACE[i]) {
                return -1;
            }
        }
        return length;
    }

    /// Octets of the preface.
    public static int prefaceBytes() {
        return PREFACE.length;
    }

    static void putPreface(Http2Buffer out) {
        out.put(PREFACE, 0, PREFACE.length);
    }
}
