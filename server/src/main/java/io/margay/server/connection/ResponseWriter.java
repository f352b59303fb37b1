package io.margay.server.connection;

import io.margay.protocol.http.FieldList;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;

/// The response of one exchange as far as its protocol is concerned: status, fields, how content
/// and its end are told. Owned as its exchange is.
interface ResponseWriter {
    int status();

    void status(int code);

    FieldList fields();

    boolean isCommitted();

    boolean isBodyless();

    /// Whether the connection ends with this response.
    boolean isLast();

    long contentSent();

    void trailers(Supplier<FieldList> supplier);

    /// Forgets what was prepared, for another answer.
    void restart(int code);

    void retryAfterSeconds(int seconds);

    /// Whether the protocol can be switched.
    boolean mayUpgrade();

    /// Encodes the head.
    ///
    /// @param known length of the whole content, or negative when more may follow
    /// @param mustClose whether the connection cannot be kept for a reason of its own
    /// @param date the line `Date: …`
    void commit(Http1Output output, long known, boolean mustClose, byte[] date, int bytesMax);

    /// Encodes `101 Switching Protocols`.
    void commitUpgrade(Http1Output output, byte[] date, int bytesMax);

    /// Encodes an interim response.
    void encodeInterim(Http1Output output, int code, FieldList list, int bytesMax);

    /// Whether so many more bytes keep the promise made by `Content-Length`.
    boolean accepts(long bytes);

    /// Whether all that was promised has been put.
    boolean isSatisfied();

    void putContent(Http1Output output, byte[] source, int offset, int count, boolean wait)
            throws IOException;

    /// Puts the last content, which nobody changes any more, so that it need neither be copied nor
    /// waited for where the protocol frames it by its length alone.
    default void putConstant(Http1Output output, byte[] source, int offset, int count, boolean wait)
            throws IOException {
        putContent(output, source, offset, count, wait);
    }

    /// Puts what makes a front end pass on a piece of content that was written by itself.
    ///
    /// @param count bytes of that piece
    void putFlush(Http1Output output, int count);

    void putFile(Http1Output output, FileChannel file, long position, long count)
            throws IOException;

    /// Puts what tells the end of content where the content itself does not.
    void putTail(Http1Output output, int bytesMax) throws IOException;
}
