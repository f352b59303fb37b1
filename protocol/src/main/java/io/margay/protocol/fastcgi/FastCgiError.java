package io.margay.protocol.fastcgi;

import io.margay.protocol.http.ProtocolError;

/// The violations of FastCGI and CGI. An application's make the gateway answer 502.
final class FastCgiError {
    private static final String FASTCGI = "FastCGI 1.0 §3";
    private static final String CGI = "RFC 3875 §6";

    static final ProtocolError VERSION = of(FASTCGI, "A record's version is not 1.");
    static final ProtocolError REQUEST_ID = of(FASTCGI, "A record belongs to no request.");
    static final ProtocolError TYPE = of(FASTCGI, "A record's type is unknown or out of place.");
    static final ProtocolError BODY = of(FASTCGI, "A record's body has the wrong length.");
    static final ProtocolError STREAM_ENDED = of(FASTCGI, "A stream goes on after its end.");
    static final ProtocolError PAIR = of(FASTCGI, "A parameter is longer than its record says.");
    static final ProtocolError PROTOCOL_STATUS =
            of(FASTCGI, "The application has refused the request for good.");
    static final ProtocolError HEAD_TOO_LONG = of(CGI, "A response's head is too long.");
    static final ProtocolError TOO_MANY_FIELDS = of(CGI, "A response has too many fields.");
    static final ProtocolError NO_HEAD = of(CGI, "A response ended before its head was complete.");
    static final ProtocolError BAD_FIELD = of(CGI, "A response has a malformed field.");
    static final ProtocolError BAD_STATUS = of(CGI, "A response's status is not 200 to 599.");
    static final ProtocolError BAD_LENGTH =
            of(CGI, "A response's content differs from the length it declared.");
    static final ProtocolError TOO_MANY_PARAMETERS =
            ProtocolError.of(431, "RFC 6585 §5", "There are too many parameters.");

    private FastCgiError() {}

    private static ProtocolError of(String section, String text) {
        return ProtocolError.of(502, section, text);
    }
}
