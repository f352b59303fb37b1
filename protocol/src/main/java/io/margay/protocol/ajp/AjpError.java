package io.margay.protocol.ajp;

import io.margay.protocol.http.ProtocolError;

/// A violation of AJP13, or of HTTP within a well-formed packet, as a value. Immutable.
///
/// @param answerable whether the packets themselves are sound, so that the violation can be
///   answered; otherwise nobody knows who is at the other end, and the connection is closed without
///   an answer
/// @param cause what to answer, or to log
public record AjpError(boolean answerable, ProtocolError cause) {
    private static final String SECTION = "AJP13";

    // Packets that cannot be trusted
    static final AjpError BAD_MAGIC = broken("A packet does not begin with AJP13's two bytes.");
    static final AjpError PACKET_TOO_LONG = broken("A packet is longer than agreed.");
    static final AjpError UNKNOWN_TYPE = broken("A packet's type is unknown or out of place.");
    static final AjpError SHORT_PACKET = broken("A packet is shorter than what it announces.");
    static final AjpError LONG_PACKET = broken("A packet goes on after its end.");
    static final AjpError BAD_STRING = broken("A string is not ended by NUL, or holds one.");
    static final AjpError BAD_BOOLEAN = broken("A boolean is neither 0 nor 1.");
    static final AjpError NULL_STRING = broken("A string that must be there is missing.");
    static final AjpError UNKNOWN_METHOD = broken("A method code is unknown.");
    static final AjpError UNKNOWN_FIELD = broken("A field name's code is unknown.");
    static final AjpError UNKNOWN_ATTRIBUTE = broken("An attribute's code is unknown.");
    static final AjpError NO_METHOD = broken("The stored method is missing or superfluous.");
    static final AjpError REPEATED_ATTRIBUTE = broken("An attribute is given twice.");
    static final AjpError BAD_DATA_LENGTH =
            broken("A data packet's length and its content's length differ.");
    static final AjpError TOO_MUCH_DATA =
            broken("A data packet holds more than the request declared.");
    static final AjpError TOO_MANY_ATTRIBUTES = broken("There are too many attributes.");

    // Requests that are wrong in a sound packet
    static final AjpError BAD_METHOD = http(400, "RFC 9110 §9.1", "The method is not a token.");
    static final AjpError BAD_TARGET =
            http(
                    400,
                    "RFC 9112 §3.2",
                    "The request target is empty or holds an invalid character.");
    static final AjpError TARGET_TOO_LONG =
            http(414, "RFC 9110 §15.5.15", "The request target is too long.");
    static final AjpError BAD_VERSION =
            http(505, "RFC 9110 §15.6.6", "This HTTP version is not supported.");
    static final AjpError BAD_FIELD_NAME =
            http(400, "RFC 9112 §5.1", "A field name is not a token.");
    static final AjpError BAD_FIELD_VALUE =
            http(400, "RFC 9110 §5.5", "A field value holds a control character.");
    static final AjpError TOO_MANY_FIELDS =
            http(431, "RFC 6585 §5", "There are too many header fields.");
    static final AjpError HOST_MISSING = http(400, "RFC 9112 §3.2", "The Host field is missing.");
    static final AjpError HOST_REPEATED =
            http(400, "RFC 9112 §3.2", "There is more than one Host field.");
    static final AjpError BAD_HOST = http(400, "RFC 9110 §7.2", "The Host field is invalid.");
    static final AjpError EXPECTATION_UNKNOWN =
            http(417, "RFC 9110 §10.1.1", "The only expectation supported is 100-continue.");
    static final AjpError BAD_CONTENT_LENGTH =
            http(400, "RFC 9110 §8.6", "The Content-Length field is not one decimal number.");
    static final AjpError CONTENT_LENGTH_REPEATED =
            http(400, "RFC 9112 §6.3", "There is more than one Content-Length field.");
    static final AjpError LENGTH_AND_CODING =
            http(400, "RFC 9112 §6.1", "Content-Length and Transfer-Encoding exclude each other.");
    static final AjpError BAD_CODING =
            http(400, "RFC 9112 §6.1", "The Transfer-Encoding field is not exactly chunked.");
    static final AjpError CODING_IN_1_0 =
            http(400, "RFC 9112 §6.1", "HTTP/1.0 has no Transfer-Encoding.");
    static final AjpError CONTENT_TOO_LARGE =
            http(413, "RFC 9110 §15.5.14", "The content is too large.");

    /// The front end ended the content before its declared length.
    public static final AjpError TRUNCATED =
            http(400, "RFC 9112 §8", "The content ended before its declared length.");

    // Responses of a container
    static final AjpError BAD_STATUS = broken("A response's status is not 200 to 599.");
    static final AjpError HEAD_OUT_OF_PLACE =
            broken("A response has content or its end before its head, or two heads.");
    static final AjpError UNEXPECTED_CONTENT =
            broken("A response's content differs from the length it declared.");
    static final AjpError BAD_RESPONSE_FIELD = broken("A response has a malformed field.");

    private static AjpError broken(String text) {
        return new AjpError(false, ProtocolError.of(400, SECTION, text));
    }

    private static AjpError http(int status, String section, String text) {
        return new AjpError(true, ProtocolError.of(status, section, text));
    }

    /// The same violation by an upstream container: a gateway answers 502.
    AjpError byUpstream() {
        return new AjpError(false, ProtocolError.of(502, cause.section(), cause.text()));
    }
}
