package io.margay.protocol.http;

/// A peer's violation of a protocol, as a value.
///
/// @param status HTTP status to answer with, 400 to 599
/// @param http2Code HTTP/2 error code (RFC 9113 §7)
/// @param section the rule that was broken, such as `RFC 9112 §6.3`
/// @param text one sentence that is safe to show to the peer: it quotes none of the peer's bytes
public record ProtocolError(int status, int http2Code, String section, String text) {
    /// HTTP/2 error code PROTOCOL_ERROR.
    public static final int HTTP2_PROTOCOL_ERROR = 1;

    public ProtocolError {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status " + status + " is not an error status");
        }
    }

    /// An error whose HTTP/2 code is PROTOCOL_ERROR.
    public static ProtocolError of(int status, String section, String text) {
        return new ProtocolError(status, HTTP2_PROTOCOL_ERROR, section, text);
    }
}
