package io.margay.protocol.http1;

import static io.margay.protocol.http.Octets.equalsIgnoreCase;
import static io.margay.protocol.http.Octets.isToken;

import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// What the fields of a head say about where the message ends and what becomes of the connection
/// (RFC 9112 §6.3, §9.3), the same for requests and responses.
///
/// Confined to its decoder's thread; filled by [#read] for each head.
final class MessageFraming {
    /// No `Content-Length` field.
    static final long ABSENT = -1;

    long contentLength;
    boolean chunked;
    boolean close;
    boolean keepAlive;
    boolean expectContinue;

    /// The `Host` line, or -1.
    int host;

    /// Reads the fields that matter, in one pass.
    @Nullable ProtocolError read(FieldSection fields, byte[] bytes, int from) {
        contentLength = ABSENT;
        chunked = false;
        close = false;
        keepAlive = false;
        expectContinue = false;
        host = -1;
        ProtocolError error = null;
        for (int i = 0; i < fields.count() && error == null; i++) {
            int nameFrom = from + fields.nameFrom(i);
            int nameTo = from + fields.nameTo(i);
            int valueFrom = from + fields.valueFrom(i);
            int valueTo = from + fields.valueTo(i);
            switch (nameTo - nameFrom) {
                case 4 -> {
                    if (equalsIgnoreCase(bytes, nameFrom, nameTo, "host")) {
                        error = host < 0 ? null : Http1Error.HOST_REPEATED;
                        host = i;
                    }
                }
                case 6 -> {
                    if (equalsIgnoreCase(bytes, nameFrom, nameTo, "expect")) {
                        error = readExpect(bytes, valueFrom, valueTo);
                    }
                }
                case 10 -> {
                    if (equalsIgnoreCase(bytes, nameFrom, nameTo, "connection")) {
                        error = readConnection(bytes, valueFrom, valueTo);
                    }
                }
                case 14 -> {
                    if (equalsIgnoreCase(bytes, nameFrom, nameTo, "content-length")) {
                        error = readContentLength(bytes, valueFrom, valueTo);
                    }
                }
                case 17 -> {
                    if (equalsIgnoreCase(bytes, nameFrom, nameTo, "transfer-encoding")) {
                        error = readTransferEncoding(bytes, valueFrom, valueTo);
                    }
                }
                default -> {}
            }
        }
        if (error == null && chunked && contentLength != ABSENT) {
            error = Http1Error.LENGTH_AND_CODING;
        }
        return error;
    }

    private @Nullable ProtocolError readExpect(byte[] bytes, int from, int to) {
        if (expectContinue || !equalsIgnoreCase(bytes, from, to, "100-continue")) {
            return Http1Error.EXPECTATION_UNKNOWN;
        }
        expectContinue = true;
        return null;
    }

    private @Nullable ProtocolError readConnection(byte[] bytes, int from, int to) {
        int p = from;
        while (p < to) {
            int start = p;
            while (p < to && isToken(bytes[p])) {
                p++;
            }
            if (equalsIgnoreCase(bytes, start, p, "close")) {
                close = true;
            } else if (equalsIgnoreCase(bytes, start, p, "keep-alive")) {
                keepAlive = true;
            }
            p = skipWhitespace(bytes, p, to);
            if (p < to) {
                if (bytes[p] != ',') {
                    return Http1Error.BAD_CONNECTION;
                }
                p = skipWhitespace(bytes, p + 1, to);
            }
        }
        return null;
    }

    private @Nullable ProtocolError readContentLength(byte[] bytes, int from, int to) {
        if (contentLength != ABSENT) {
            return Http1Error.CONTENT_LENGTH_REPEATED;
        }
        long value = Octets.decimal(bytes, from, to);
        if (value < 0) {
            return Http1Error.BAD_CONTENT_LENGTH;
        }
        contentLength = value;
        return null;
    }

    private @Nullable ProtocolError readTransferEncoding(byte[] bytes, int from, int to) {
        if (chunked) {
            return Http1Error.CODING_REPEATED;
        }
        chunked = equalsIgnoreCase(bytes, from, to, "chunked");
        return chunked ? null : refusedCoding(bytes, from, to);
    }

    /// Tells codings that are unknown from lists that are malformed or misuse `chunked`.
    private static ProtocolError refusedCoding(byte[] bytes, int from, int to) {
        int p = from;
        boolean chunkedSeen = false;
        while (true) {
            int start = p;
            while (p < to && isToken(bytes[p])) {
                p++;
            }
            if (p == start || chunkedSeen) {
                return Http1Error.BAD_CODING;
            }
            chunkedSeen = equalsIgnoreCase(bytes, start, p, "chunked");
            p = skipWhitespace(bytes, p, to);
            if (p == to) {
                return Http1Error.CODING_UNKNOWN;
            }
            if (bytes[p] != ',') {
                return Http1Error.BAD_CODING;
            }
            p = skipWhitespace(bytes, p + 1, to);
        }
    }

    private static int skipWhitespace(byte[] bytes, int from, int to) {
        int p = from;
        while (p < to && (bytes[p] == ' ' || bytes[p] == '\t')) {
            p++;
        }
        return p;
    }
}
