package io.margay.protocol.http3;

/// A violation of HTTP/3 by the peer that ends the connection, as a value (RFC 9114 §8.1).
///
/// @param code what CONNECTION_CLOSE says
/// @param section the rule that was broken
/// @param text one sentence that is safe to show to the peer
public record Http3Error(long code, String section, String text) {
    public static final long NO_ERROR = 0x100;
    public static final long GENERAL_PROTOCOL_ERROR = 0x101;
    public static final long STREAM_CREATION_ERROR = 0x103;
    public static final long CLOSED_CRITICAL_STREAM = 0x104;
    public static final long FRAME_UNEXPECTED = 0x105;
    public static final long FRAME_ERROR = 0x106;
    public static final long EXCESSIVE_LOAD = 0x107;
    public static final long ID_ERROR = 0x108;
    public static final long SETTINGS_ERROR = 0x109;
    public static final long MISSING_SETTINGS = 0x10a;

    /// Errors of a stream alone.
    public static final long INTERNAL_ERROR = 0x102;

    public static final long REQUEST_REJECTED = 0x10b;
    public static final long REQUEST_CANCELLED = 0x10c;
    public static final long REQUEST_INCOMPLETE = 0x10d;
    public static final long MESSAGE_ERROR = 0x10e;

    /// Errors of QPACK (RFC 9204 §6).
    public static final long QPACK_DECOMPRESSION_FAILED = 0x200;

    public static final long QPACK_ENCODER_STREAM_ERROR = 0x201;
    public static final long QPACK_DECODER_STREAM_ERROR = 0x202;

    static final Http3Error SETTINGS_MISSING =
            new Http3Error(
                    MISSING_SETTINGS,
                    "RFC 9114 §6.2.1",
                    "the control stream does not begin with SETTINGS");
    static final Http3Error SETTINGS_MALFORMED =
            new Http3Error(FRAME_ERROR, "RFC 9114 §7.2.4", "SETTINGS are malformed");
    static final Http3Error SETTING_REPEATED =
            new Http3Error(SETTINGS_ERROR, "RFC 9114 §7.2.4", "a setting came twice");
    static final Http3Error SETTING_OF_HTTP2 =
            new Http3Error(
                    SETTINGS_ERROR,
                    "RFC 9114 §7.2.4.1",
                    "a setting of HTTP/2 is not one of HTTP/3");
    static final Http3Error SETTING_OUT_OF_RANGE =
            new Http3Error(SETTINGS_ERROR, "RFC 9220 §3", "a setting has a value it cannot have");
    static final Http3Error MISPLACED =
            new Http3Error(
                    FRAME_UNEXPECTED, "RFC 9114 §7.2", "a frame came where it is not allowed");
    static final Http3Error MALFORMED =
            new Http3Error(FRAME_ERROR, "RFC 9114 §7.1", "a frame is malformed");
    static final Http3Error TOO_LARGE =
            new Http3Error(EXCESSIVE_LOAD, "RFC 9114 §10.5", "a frame is larger than allowed");
    static final Http3Error TRUNCATED =
            new Http3Error(FRAME_ERROR, "RFC 9114 §7.1", "a stream ends within a frame");
    static final Http3Error STREAM_REPEATED =
            new Http3Error(
                    STREAM_CREATION_ERROR,
                    "RFC 9114 §6.2",
                    "a stream of which there is one came twice");
    static final Http3Error STREAM_FORBIDDEN =
            new Http3Error(
                    STREAM_CREATION_ERROR, "RFC 9114 §6", "a stream is not for this side to open");
    static final Http3Error CRITICAL_CLOSED =
            new Http3Error(
                    CLOSED_CRITICAL_STREAM,
                    "RFC 9114 §6.2.1",
                    "a stream has ended that must not end");
    static final Http3Error NO_STREAMS =
            new Http3Error(
                    GENERAL_PROTOCOL_ERROR,
                    "RFC 9114 §6.2",
                    "the peer allows fewer streams than HTTP/3 needs");
    static final Http3Error NOT_A_REQUEST =
            new Http3Error(ID_ERROR, "RFC 9114 §8.1", "a number is not that of a request");
    static final Http3Error TOO_MUCH_OVERHEAD =
            new Http3Error(EXCESSIVE_LOAD, "RFC 9114 §10.5", "too many requests bring nothing");
    static final Http3Error OUTPUT_NOT_TAKEN =
            new Http3Error(EXCESSIVE_LOAD, "RFC 9114 §10.5", "the peer reads no responses");
    static final Http3Error SECTION_TOO_LARGE =
            new Http3Error(EXCESSIVE_LOAD, "RFC 9114 §10.5.1", "a field section is too large");
    static final Http3Error BAD_SECTION =
            new Http3Error(
                    QPACK_DECOMPRESSION_FAILED,
                    "RFC 9204 §2.2",
                    "a field section cannot be decoded");

    /// A client makes the server hold more than it may.
    public static final Http3Error NO_MEMORY =
            new Http3Error(
                    EXCESSIVE_LOAD,
                    "RFC 9114 §10.5",
                    "there is no memory for what the client sends or does not take");

    static final Http3Error BAD_ENCODER_STREAM =
            new Http3Error(
                    QPACK_ENCODER_STREAM_ERROR,
                    "RFC 9204 §4.3",
                    "an instruction of the encoder cannot be followed");
    static final Http3Error BAD_DECODER_STREAM =
            new Http3Error(
                    QPACK_DECODER_STREAM_ERROR,
                    "RFC 9204 §4.4",
                    "an instruction of the decoder cannot be followed");
}
