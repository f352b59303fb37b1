package io.margay.protocol.http1;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.Status;
import org.jspecify.annotations.Nullable;

/// Writes response heads and chunk framing into byte arrays (RFC 9112 §4, §7.1). Stateless.
public final class Http1ResponseEncoder {
    /// Framing: the content is chunked.
    public static final long CHUNKED = RequestHead.UNKNOWN_LENGTH;

    /// Framing: nothing is said about content: 1xx, 204, 304, or content that ends with the
    /// connection.
    public static final long NONE = -2;

    /// What [#encodeHead] and [#encodeTrailers] give when the target is too short.
    public static final int FULL = HeadWriter.FULL;

    /// Bytes that [#encodeChunkHeader] writes at most.
    public static final int CHUNK_HEADER_BYTES_MAX = 10;

    /// The last chunk, without trailers. Not to be written to.
    @SuppressWarnings("MutablePublicArray")
    public static final byte[] LAST_CHUNK = HeadWriter.bytes("0\r\n\r\n");

    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 999;
    private static final byte[][] STATUS_LINES = statusLines();
    private static final byte[] LAST_CHUNK_LINE = HeadWriter.bytes("0\r\n");

    private Http1ResponseEncoder() {}

    /// Writes status line, fields and the empty line.
    ///
    /// Lines named `Content-Length` and `Transfer-Encoding` are left out, since `framing` decides;
    /// a `Date` among the fields takes the place of `dateLine`.
    ///
    /// @param framing length of the content, [#CHUNKED] or [#NONE]
    /// @param close whether to add `Connection: close`
    /// @param dateLine `Date: ...` with its CR LF, or null
    /// @return offset after the head, or [#FULL] when it does not fit; the target then holds
    ///   garbage
    /// @throws IllegalArgumentException for a name that is no token, or a value that could split
    ///   the response
    public static int encodeHead(
            byte[] target,
            int offset,
            int status,
            FieldList fields,
            long framing,
            boolean close,
            byte @Nullable [] dateLine) {
        int p = HeadWriter.put(target, offset, statusLine(status));
        if (dateLine != null && !hasDate(fields)) {
            p = HeadWriter.put(target, p, dateLine);
        }
        p = HeadWriter.putFields(target, p, fields);
        p = p < 0 ? p : HeadWriter.putFraming(target, p, framing, CHUNKED);
        p = p < 0 ? p : HeadWriter.putClose(target, p, close);
        return p < 0 ? p : HeadWriter.put(target, p, HeadWriter.CRLF);
    }

    /// Writes a chunk's size and CR LF; the caller writes CR LF after its content.
    ///
    /// @param length bytes of the chunk, not 0, which would end the content
    /// @return offset after it; the target has room for [#CHUNK_HEADER_BYTES_MAX]
    public static int encodeChunkHeader(byte[] target, int offset, int length) {
        if (length <= 0) {
            throw new IllegalArgumentException("a chunk of " + length + " bytes");
        }
        int digits = (35 - Integer.numberOfLeadingZeros(length)) / 4;
        int rest = length;
        for (int p = offset + digits - 1; p >= offset; p--) {
            target[p] = (byte) "0123456789abcdef".charAt(rest & 15);
            rest >>>= 4;
        }
        target[offset + digits] = '\r';
        target[offset + digits + 1] = '\n';
        return offset + digits + 2;
    }

    /// Writes the last chunk and the trailer fields.
    ///
    /// @return offset after the message, or [#FULL]
    /// @throws IllegalArgumentException as [#encodeHead]
    public static int encodeTrailers(byte[] target, int offset, FieldList trailers) {
        int p = HeadWriter.put(target, offset, LAST_CHUNK_LINE);
        p = HeadWriter.putFields(target, p, trailers);
        return HeadWriter.put(target, p, HeadWriter.CRLF);
    }

    private static boolean hasDate(FieldList fields) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.nameLength(i) == 4 && fields.nameIs(i, "date")) {
                return true;
            }
        }
        return false;
    }

    private static byte[] statusLine(int status) {
        if (status < STATUS_MIN || status > STATUS_MAX) {
            throw new IllegalArgumentException("status " + status);
        }
        return STATUS_LINES[status - STATUS_MIN];
    }

    private static byte[][] statusLines() {
        byte[][] lines = new byte[STATUS_MAX - STATUS_MIN + 1][];
        for (int status = STATUS_MIN; status <= STATUS_MAX; status++) {
            String line = "HTTP/1.1 " + status + " " + Status.reason(status) + "\r\n";
            lines[status - STATUS_MIN] = HeadWriter.bytes(line);
        }
        return lines;
    }
}
