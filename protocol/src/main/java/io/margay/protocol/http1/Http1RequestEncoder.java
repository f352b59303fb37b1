package io.margay.protocol.http1;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.RequestHead;

/// Writes request heads into byte arrays (RFC 9112 §3). Stateless. Chunks and trailers look the
/// same in both directions: see [Http1ResponseEncoder].
public final class Http1RequestEncoder {
    /// Framing: the content is chunked.
    public static final long CHUNKED = RequestHead.UNKNOWN_LENGTH;

    /// Framing: there is no content and nothing is said about it.
    public static final long NONE = -2;

    /// What [#encodeHead] gives when the target is too short.
    public static final int FULL = HeadWriter.FULL;

    private static final byte[] VERSION = HeadWriter.bytes(" HTTP/1.1\r\n");

    private Http1RequestEncoder() {}

    /// Writes request line, fields and the empty line.
    ///
    /// Lines named `Content-Length` and `Transfer-Encoding` are left out, since `framing` decides.
    /// `Host` is among the fields, exactly once.
    ///
    /// @param requestTarget one of the four forms (RFC 9112 §3.2), percent-encoded
    /// @param framing length of the content, [#CHUNKED] or [#NONE]
    /// @param close whether to add `Connection: close`
    /// @return offset after the head, or [#FULL] when it does not fit; the target then holds
    ///   garbage
    /// @throws IllegalArgumentException for a method or name that is no token, a request target or
    ///   value that could split the request, and a `Host` that is missing or repeated
    public static int encodeHead(
            byte[] target,
            int offset,
            String method,
            String requestTarget,
            FieldList fields,
            long framing,
            boolean close) {
        requireOneHost(fields);
        if (!Octets.isToken(method)) {
            throw new IllegalArgumentException("the method is not a token");
        }
        requireTarget(requestTarget);
        int p = putAscii(target, offset, method);
        if (p < 0 || target.length == p) {
            return FULL;
        }
        target[p++] = ' ';
        p = putAscii(target, p, requestTarget);
        p = HeadWriter.put(target, p, VERSION);
        p = HeadWriter.putFields(target, p, fields);
        p = p < 0 ? p : HeadWriter.putFraming(target, p, framing, CHUNKED);
        p = p < 0 ? p : HeadWriter.putClose(target, p, close);
        return p < 0 ? p : HeadWriter.put(target, p, HeadWriter.CRLF);
    }

    private static int putAscii(byte[] target, int offset, String text) {
        if (target.length - offset < text.length()) {
            return FULL;
        }
        for (int i = 0; i < text.length(); i++) {
            target[offset + i] = (byte) text.charAt(i);
        }
        return offset + text.length();
    }

    private static void requireTarget(String requestTarget) {
        boolean valid = !requestTarget.isEmpty();
        for (int i = 0; valid && i < requestTarget.length(); i++) {
            char c = requestTarget.charAt(i);
            valid = c < 128 && Octets.isTarget((byte) c);
        }
        if (!valid) {
            throw new IllegalArgumentException("the request target holds an invalid character");
        }
    }

    private static void requireOneHost(FieldList fields) {
        int first = fields.indexOf("Host", 0);
        if (first < 0 || fields.indexOf("Host", first + 1) >= 0) {
            throw new IllegalArgumentException("Host must be sent exactly once");
        }
    }
}
