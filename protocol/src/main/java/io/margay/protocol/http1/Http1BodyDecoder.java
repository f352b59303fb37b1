package io.margay.protocol.http1;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// Finds the content of a message in the bytes after its head (RFC 9112 §6.3, §7.1): of fixed
/// length, chunked, or until the connection closes.
///
/// Confined to the thread that reads the message; one per message. It copies no content: after
/// DATA, [#dataFrom] and [#dataTo] delimit it inside the caller's buffer. Whatever the result, the
/// bytes up to [#consumed] are done with and must not be passed in again.
public abstract sealed class Http1BodyDecoder permits FixedBody, ChunkedBody, UntilCloseBody {
    /// What [#decode] found.
    public enum Result {
        /// Everything was consumed and more must come.
        NEED_MORE,
        /// Content was found.
        DATA,
        /// The message is complete; what follows belongs to the next.
        END,
        /// The framing is broken: the connection must be closed.
        ERROR
    }

    private int dataFrom;
    private int dataTo;
    private int consumed;
    private @Nullable ProtocolError error;

    Http1BodyDecoder() {}

    /// A body of exactly so many bytes; 0 for none.
    public static Http1BodyDecoder fixed(long length) {
        return new FixedBody(length);
    }

    /// A chunked body.
    public static Http1BodyDecoder chunked(Http1Limits limits) {
        return new ChunkedBody(limits);
    }

    /// A response's body that ends with the connection.
    public static Http1BodyDecoder untilClose() {
        return new UntilCloseBody();
    }

    /// Decodes on; to be called again after DATA, with what was not consumed.
    public abstract Result decode(byte[] buffer, int from, int to);

    /// The peer has closed its side: END when that ends this body properly, otherwise ERROR.
    public abstract Result endOfInput();

    /// Whether nothing more follows, which [#decode] would tell by END.
    public abstract boolean ended();

    /// Start of the content found, after DATA.
    public int dataFrom() {
        return dataFrom;
    }

    /// End of the content found, after DATA.
    public int dataTo() {
        return dataTo;
    }

    /// Offset in the buffer after what was used.
    public int consumed() {
        return consumed;
    }

    /// The trailer fields, after END; often none.
    public Fields trailers() {
        return Fields.EMPTY;
    }

    /// What is wrong, after ERROR. The status is the one for a client's fault; for a response a
    /// gateway answers 502 instead.
    public ProtocolError error() {
        if (error == null) {
            throw new IllegalStateException("there is no error");
        }
        return error;
    }

    final Result data(int from, int to) {
        dataFrom = from;
        dataTo = to;
        consumed = to;
        return Result.DATA;
    }

    final Result needMore(int to) {
        consumed = to;
        return Result.NEED_MORE;
    }

    final Result end(int to) {
        consumed = to;
        return Result.END;
    }

    final Result fail(ProtocolError reason, int to) {
        consumed = to;
        error = reason;
        return Result.ERROR;
    }

    final boolean failed() {
        return error != null;
    }
}
