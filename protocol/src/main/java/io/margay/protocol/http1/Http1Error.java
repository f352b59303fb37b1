package io.margay.protocol.http1;

import io.margay.protocol.http.ProtocolError;

/// Every violation of HTTP/1 that the decoders tell apart: status, section and sentence.
final class Http1Error {
    // Request line
    static final ProtocolError BAD_METHOD =
            of(400, "RFC 9112 §3.1", "The method is not a token followed by one space.");
    static final ProtocolError METHOD_TOO_LONG =
            of(501, "RFC 9112 §3", "The method is longer than any that is implemented.");
    static final ProtocolError BAD_TARGET =
            of(400, "RFC 9112 §3.2", "The request target is empty or holds an invalid character.");
    static final ProtocolError TARGET_TOO_LONG =
            of(414, "RFC 9110 §15.5.15", "The request line is too long.");
    static final ProtocolError BAD_TARGET_FORM =
            of(400, "RFC 9112 §3.2", "The method does not go with this form of request target.");
    static final ProtocolError BAD_SCHEME =
            of(400, "RFC 9112 §3.2.2", "The scheme of the request target is not http or https.");
    static final ProtocolError HTTPS_IN_CLEAR =
            of(421, "RFC 9110 §7.4", "An https resource was asked for over an open connection.");
    static final ProtocolError BAD_AUTHORITY =
            of(400, "RFC 9110 §4.2", "The authority of the request target is invalid.");
    static final ProtocolError BAD_VERSION =
            of(400, "RFC 9112 §2.3", "The request line does not end with an HTTP version.");
    static final ProtocolError VERSION_UNSUPPORTED =
            of(505, "RFC 9110 §15.6.6", "This HTTP version is not supported on this connection.");
    static final ProtocolError BAD_LINE_END =
            of(400, "RFC 9112 §2.2", "A line does not end with CR LF.");

    // Fields
    static final ProtocolError BAD_FIELD_NAME =
            of(400, "RFC 9112 §5.1", "A field name is not a token followed by a colon.");
    static final ProtocolError FOLDED_FIELD =
            of(400, "RFC 9112 §5.2", "A field line begins with white space.");
    static final ProtocolError BAD_FIELD_VALUE =
            of(400, "RFC 9110 §5.5", "A field value holds a control character.");
    static final ProtocolError HEAD_TOO_LARGE =
            of(431, "RFC 6585 §5", "The header fields are too large.");
    static final ProtocolError TOO_MANY_FIELDS =
            of(431, "RFC 6585 §5", "There are too many header fields.");
    static final ProtocolError HOST_MISSING =
            of(400, "RFC 9112 §3.2", "The Host field is missing.");
    static final ProtocolError HOST_REPEATED =
            of(400, "RFC 9112 §3.2", "There is more than one Host field.");
    static final ProtocolError BAD_HOST = of(400, "RFC 9110 §7.2", "The Host field is invalid.");
    static final ProtocolError HOST_DIFFERS =
            of(400, "RFC 9112 §3.2.2", "Host and the authority of the request target differ.");
    static final ProtocolError BAD_CONNECTION =
            of(400, "RFC 9110 §7.6.1", "The Connection field is not a list of tokens.");
    static final ProtocolError EXPECTATION_UNKNOWN =
            of(417, "RFC 9110 §10.1.1", "The only expectation supported is 100-continue.");

    // Framing
    static final ProtocolError BAD_CONTENT_LENGTH =
            of(400, "RFC 9110 §8.6", "The Content-Length field is not one decimal number.");
    static final ProtocolError CONTENT_LENGTH_REPEATED =
            of(400, "RFC 9112 §6.3", "There is more than one Content-Length field.");
    static final ProtocolError LENGTH_AND_CODING =
            of(400, "RFC 9112 §6.1", "Content-Length and Transfer-Encoding exclude each other.");
    static final ProtocolError CODING_REPEATED =
            of(400, "RFC 9112 §6.1", "There is more than one Transfer-Encoding field.");
    static final ProtocolError BAD_CODING =
            of(400, "RFC 9112 §6.1", "The Transfer-Encoding field is malformed.");
    static final ProtocolError CODING_UNKNOWN =
            of(501, "RFC 9112 §6.1", "The only transfer coding supported is chunked.");
    static final ProtocolError CODING_IN_1_0 =
            of(400, "RFC 9112 §6.1", "HTTP/1.0 has no Transfer-Encoding.");
    static final ProtocolError CONTENT_TOO_LARGE =
            of(413, "RFC 9110 §15.5.14", "The content is too large.");

    // Content
    static final ProtocolError BAD_CHUNK_SIZE =
            of(400, "RFC 9112 §7.1", "A chunk size is not a hexadecimal number in range.");
    static final ProtocolError BAD_CHUNK_END =
            of(400, "RFC 9112 §7.1", "A chunk does not end with CR LF.");
    static final ProtocolError BAD_CHUNK_EXTENSION =
            of(400, "RFC 9112 §7.1.1", "A chunk extension is malformed.");
    static final ProtocolError CHUNK_EXTENSIONS_TOO_LARGE =
            of(400, "RFC 9112 §7.1.1", "The chunk extensions are too large.");
    static final ProtocolError TRAILERS_TOO_LARGE =
            of(400, "RFC 9112 §7.1.2", "The trailer section is too large.");
    static final ProtocolError TOO_MANY_TRAILERS =
            of(400, "RFC 9112 §7.1.2", "There are too many trailer fields.");
    static final ProtocolError TRUNCATED =
            of(400, "RFC 9112 §8", "The connection was closed before the message was complete.");

    // Responses
    static final ProtocolError BAD_STATUS_LINE =
            of(502, "RFC 9112 §4", "The status line is malformed.");
    static final ProtocolError STATUS_LINE_TOO_LONG =
            of(502, "RFC 9112 §4", "The status line is too long.");
    static final ProtocolError UNEXPECTED_CONTENT =
            of(502, "RFC 9112 §6.3", "A response that has no content declares some.");

    private Http1Error() {}

    /// The same violation by an upstream server: a gateway answers 502.
    static ProtocolError byUpstream(ProtocolError error) {
        return error.status() == 502 ? error : of(502, error.section(), error.text());
    }

    private static ProtocolError of(int status, String section, String text) {
        return ProtocolError.of(status, section, text);
    }
}
