package io.margay.server.connection;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;

/// What the length of a response's content is, as far as no protocol matters. Stateless.
public final class ContentLength {
    private ContentLength() {}

    /// Whether the response has no content, whatever is written. 205 has nothing either that
    /// describes it, but the length 0 (RFC 9110 §15.3.6).
    public static boolean settleBodyless(RequestHead request, int status, FieldList fields) {
        if (status == 205) {
            fields.remove("Content-Type");
            fields.remove("Content-Encoding");
            fields.set("Content-Length", "0");
        }
        return request.isHead() || status == 204 || status == 205 || status == 304;
    }

    /// The number that a handler has set as `Content-Length`.
    public static long parse(String text) {
        if (text.isEmpty() || text.length() > 18) {
            throw new IllegalArgumentException("Content-Length is not a length");
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw new IllegalArgumentException("Content-Length is not a length");
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }
}
