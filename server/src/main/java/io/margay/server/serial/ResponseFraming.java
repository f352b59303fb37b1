package io.margay.server.serial;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.server.connection.ContentLength;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;

/// The response of one exchange as far as its protocol is concerned: status, fields, how content
/// and its end are told. Owned as its exchange is.
public abstract class ResponseFraming {
    /// No length has been told.
    protected static final long UNKNOWN = -1;

    /// Asked until the head leaves.
    protected RequestHead request;

    protected final FieldList fields = new FieldList();
    protected int status = 200;
    protected boolean committed;
    protected boolean bodyless;
    protected boolean last;
    private boolean dropped;

    /// What `Content-Length` promises.
    protected long length = UNKNOWN;

    /// Content that has been put.
    protected long sent;

    protected ResponseFraming(RequestHead request) {
        this.request = request;
    }

    /// The head has left, and the connection goes on with another protocol, perhaps for long.
    final void settle() {
        request = NoRequest.HEAD;
        fields.trim();
    }

    public final int status() {
        return status;
    }

    public final void status(int code) {
        if (committed) {
            throw new IllegalStateException("the response is committed");
        }
        if (code < 200 || code > 999) {
            throw new IllegalArgumentException("status " + code + " is not between 200 and 999");
        }
        status = code;
    }

    public final FieldList fields() {
        return fields;
    }

    public final boolean isCommitted() {
        return committed;
    }

    public final boolean isBodyless() {
        return bodyless;
    }

    /// Whether the connection ends with this response.
    public final boolean isLast() {
        return last;
    }

    /// Whether the peer sees, however the connection ends, that a response that has begun is not
    /// complete.
    public boolean isEndTold() {
        return false;
    }

    /// Says so after the head.
    public final void markLast() {
        last = true;
    }

    public final long contentSent() {
        return sent;
    }

    public abstract void trailers(Supplier<FieldList> supplier);

    /// Forgets what was prepared, for another answer. Only before the head.
    public void restart(int code) {
        fields.clear();
        status = code;
    }

    /// The same for an answer without content: what is put for it is dropped.
    public final void replace(int code) {
        restart(code);
        fields.set("Content-Length", "0");
        dropped = true;
    }

    /// Settles whether there is no content, whatever is put.
    protected final void settleBodyless() {
        bodyless = ContentLength.settleBodyless(request, status, fields) || dropped;
    }

    /// Whether the protocol can be switched.
    public abstract boolean mayUpgrade();

    // The head

    /// Encodes the head.
    ///
    /// @param known length of the whole content, or negative when more may follow
    /// @param mustClose whether the connection cannot be kept for a reason of its own
    /// @param date the line `Date: …`
    public abstract void commit(
            SerialOutput output, long known, boolean mustClose, byte[] date, int bytesMax);

    /// Encodes `101 Switching Protocols`.
    public abstract void commitUpgrade(SerialOutput output, byte[] date, int bytesMax);

    /// Encodes an interim response.
    public abstract void encodeInterim(SerialOutput output, int code, FieldList list, int bytesMax);

    // The content

    /// Whether so many more bytes keep the promise made by `Content-Length`.
    public final boolean accepts(long bytes) {
        return bodyless || length == UNKNOWN || sent + bytes <= length;
    }

    /// Whether all that was promised has been put.
    public final boolean isSatisfied() {
        return bodyless || length == UNKNOWN || sent == length;
    }

    public abstract void putContent(
            SerialOutput output, byte[] source, int offset, int count, boolean wait)
            throws IOException;

    /// Puts the last content, which nobody changes any more, so that it need neither be copied nor
    /// waited for where the protocol frames it by its length alone.
    public void putConstant(SerialOutput output, byte[] source, int offset, int count, boolean wait)
            throws IOException {
        putContent(output, source, offset, count, wait);
    }

    /// Puts what makes a front end pass on a piece of content that was written by itself.
    ///
    /// @param count bytes of that piece
    public abstract void putFlush(SerialOutput output, int count);

    public abstract void putFile(SerialOutput output, FileChannel file, long position, long count)
            throws IOException;

    /// Puts what tells the end of content where the content itself does not.
    public abstract void putTail(SerialOutput output, int bytesMax) throws IOException;
}
