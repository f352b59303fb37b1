package io.margay.server.connection;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;

/// The response of one exchange as far as its protocol is concerned: status, fields, how content
/// and its end are told. Owned as its exchange is.
abstract sealed class ResponseFraming permits AjpResponse, Http1Response {
    /// No length has been told.
    static final long UNKNOWN = -1;

    final RequestHead request;
    final FieldList fields = new FieldList();
    int status = 200;
    boolean committed;
    boolean bodyless;
    boolean last;

    /// What `Content-Length` promises.
    long length = UNKNOWN;

    /// Content that has been put.
    long sent;

    ResponseFraming(RequestHead request) {
        this.request = request;
    }

    final int status() {
        return status;
    }

    final void status(int code) {
        if (committed) {
            throw new IllegalStateException("the response is committed");
        }
        if (code < 200 || code > 599) {
            throw new IllegalArgumentException("status " + code + " is not between 200 and 599");
        }
        status = code;
    }

    final FieldList fields() {
        return fields;
    }

    final boolean isCommitted() {
        return committed;
    }

    final boolean isBodyless() {
        return bodyless;
    }

    /// Whether the connection ends with this response.
    final boolean isLast() {
        return last;
    }

    /// Says so after the head.
    final void markLast() {
        last = true;
    }

    final long contentSent() {
        return sent;
    }

    abstract void trailers(Supplier<FieldList> supplier);

    /// Forgets what was prepared, for another answer. Only before the head.
    void restart(int code) {
        fields.clear();
        status = code;
    }

    /// Whether the protocol can be switched.
    abstract boolean mayUpgrade();

    // The head

    /// Encodes the head.
    ///
    /// @param known length of the whole content, or negative when more may follow
    /// @param mustClose whether the connection cannot be kept for a reason of its own
    /// @param date the line `Date: …`
    abstract void commit(
            Http1Output output, long known, boolean mustClose, byte[] date, int bytesMax);

    /// Encodes `101 Switching Protocols`.
    abstract void commitUpgrade(Http1Output output, byte[] date, int bytesMax);

    /// Encodes an interim response.
    abstract void encodeInterim(Http1Output output, int code, FieldList list, int bytesMax);

    /// Whether the response has no content, whatever is written. 205 has nothing either that
    /// describes it, but the length 0 (RFC 9110 §15.3.6).
    static boolean settleBodyless(RequestHead request, int status, FieldList fields) {
        if (status == 205) {
            fields.remove("Content-Type");
            fields.remove("Content-Encoding");
            fields.set("Content-Length", "0");
        }
        return request.isHead() || status == 204 || status == 205 || status == 304;
    }

    static long decimal(String text) {
        if (text.isEmpty() || text.length() > 18) {
            throw new IllegalArgumentException("Content-Length is no length");
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw new IllegalArgumentException("Content-Length is no length");
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    // The content

    /// Whether so many more bytes keep the promise made by `Content-Length`.
    final boolean accepts(long bytes) {
        return bodyless || length == UNKNOWN || sent + bytes <= length;
    }

    /// Whether all that was promised has been put.
    final boolean isSatisfied() {
        return bodyless || length == UNKNOWN || sent == length;
    }

    abstract void putContent(Http1Output output, byte[] source, int offset, int count, boolean wait)
            throws IOException;

    /// Puts the last content, which nobody changes any more, so that it need neither be copied nor
    /// waited for where the protocol frames it by its length alone.
    void putConstant(Http1Output output, byte[] source, int offset, int count, boolean wait)
            throws IOException {
        putContent(output, source, offset, count, wait);
    }

    /// Puts what makes a front end pass on a piece of content that was written by itself.
    ///
    /// @param count bytes of that piece
    abstract void putFlush(Http1Output output, int count);

    abstract void putFile(Http1Output output, FileChannel file, long position, long count)
            throws IOException;

    /// Puts what tells the end of content where the content itself does not.
    abstract void putTail(Http1Output output, int bytesMax) throws IOException;
}
