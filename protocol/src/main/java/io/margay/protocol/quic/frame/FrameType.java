package io.margay.protocol.quic.frame;

/// The types of frames (RFC 9000 §19).
public final class FrameType {
    public static final int PADDING = 0x00;
    public static final int PING = 0x01;
    public static final int ACK = 0x02;
    public static final int ACK_ECN = 0x03;
    public static final int RESET_STREAM = 0x04;
    public static final int STOP_SENDING = 0x05;
    public static final int CRYPTO = 0x06;
    public static final int NEW_TOKEN = 0x07;
    public static final int STREAM = 0x08;
    public static final int STREAM_LAST = 0x0f;
    public static final int MAX_DATA = 0x10;
    public static final int MAX_STREAM_DATA = 0x11;
    public static final int MAX_STREAMS_BIDI = 0x12;
    public static final int MAX_STREAMS_UNI = 0x13;
    public static final int DATA_BLOCKED = 0x14;
    public static final int STREAM_DATA_BLOCKED = 0x15;
    public static final int STREAMS_BLOCKED_BIDI = 0x16;
    public static final int STREAMS_BLOCKED_UNI = 0x17;
    public static final int NEW_CONNECTION_ID = 0x18;
    public static final int RETIRE_CONNECTION_ID = 0x19;
    public static final int PATH_CHALLENGE = 0x1a;
    public static final int PATH_RESPONSE = 0x1b;
    public static final int CONNECTION_CLOSE = 0x1c;
    public static final int APPLICATION_CLOSE = 0x1d;
    public static final int HANDSHAKE_DONE = 0x1e;

    /// Bits of the type of a STREAM frame: its data ends the stream, has a length, has an offset.
    static final int STREAM_FIN = 0x01;

    static final int STREAM_LENGTH = 0x02;
    static final int STREAM_OFFSET = 0x04;

    /// The largest number of streams that can be allowed (RFC 9000 §4.6).
    public static final long STREAMS_MAX = 1L << 60;

    private FrameType() {}
}
