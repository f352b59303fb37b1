package io.margay.protocol.quic;

/// A peer's violation of QUIC, as a value, with what CONNECTION_CLOSE says of it.
///
/// @param code the transport's error code (RFC 9000 §20.1)
/// @param frameType the type of the frame that was wrong, or 0 when none was
/// @param section the rule that was broken, such as `RFC 9000 §12.4`
/// @param text one sentence that is safe to show to the peer: it quotes none of its octets
public record QuicError(long code, long frameType, String section, String text) {
    public static final long NO_ERROR = 0x0;
    public static final long INTERNAL_ERROR = 0x1;
    public static final long CONNECTION_REFUSED = 0x2;
    public static final long FLOW_CONTROL_ERROR = 0x3;
    public static final long STREAM_LIMIT_ERROR = 0x4;
    public static final long STREAM_STATE_ERROR = 0x5;
    public static final long FINAL_SIZE_ERROR = 0x6;
    public static final long FRAME_ENCODING_ERROR = 0x7;
    public static final long TRANSPORT_PARAMETER_ERROR = 0x8;
    public static final long CONNECTION_ID_LIMIT_ERROR = 0x9;
    public static final long PROTOCOL_VIOLATION = 0xa;
    public static final long INVALID_TOKEN = 0xb;
    public static final long APPLICATION_ERROR = 0xc;
    public static final long CRYPTO_BUFFER_EXCEEDED = 0xd;
    public static final long KEY_UPDATE_ERROR = 0xe;
    public static final long AEAD_LIMIT_REACHED = 0xf;
    public static final long NO_VIABLE_PATH = 0x10;
    public static final long VERSION_NEGOTIATION_ERROR = 0x11;

    /// Added to the description of a TLS alert (RFC 9001 §4.8).
    public static final long CRYPTO_ERROR = 0x100;

    /// An error that no frame is to blame for.
    public static QuicError of(long code, String section, String text) {
        return new QuicError(code, 0, section, text);
    }

    /// What an alert of TLS says.
    ///
    /// @param alert its description, 0 to 255
    public static QuicError ofAlert(int alert) {
        return new QuicError(
                CRYPTO_ERROR + (alert & 0xff), 0, "RFC 9001 §4.8", "the TLS handshake failed");
    }

    /// The same, with the frame that is to blame.
    public QuicError in(long type) {
        return frameType == type ? this : new QuicError(code, type, section, text);
    }
}
