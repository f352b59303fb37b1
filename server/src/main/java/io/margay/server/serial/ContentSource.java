package io.margay.server.serial;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.exchange.RequestBodyException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The content of one request on its way from the input buffer to a handler, which a decoder finds
/// there piece by piece: a piece that has not been taken yet waits as a span. Owned as its
/// connection is.
public abstract class ContentSource {
    protected final ConnectionInput input;
    protected int spanFrom;
    protected int spanTo;
    protected boolean ended;
    protected @Nullable RequestBodyException error;

    protected ContentSource(ConnectionInput input) {
        this.input = input;
    }

    /// Whether all of it has been taken.
    public final boolean ended() {
        return ended;
    }

    /// Whether all of it has been received, as far as one can know without a look at it.
    public boolean received() {
        return ended;
    }

    /// What the client did wrong, or null. Nothing more can be read then.
    public final @Nullable RequestBodyException error() {
        return error;
    }

    /// Whether at most `bytes` are left, as far as one can know.
    public abstract boolean endsWithin(long bytes);

    public abstract Fields trailers();

    /// Puts what makes the client send more, where it waits for that.
    ///
    /// @return whether anything was put
    public abstract boolean ask(SerialOutput output) throws IOException;

    /// Whether content has been received that [#take] would give; there may be more in the input.
    public final boolean hasContent() {
        return spanFrom < spanTo;
    }

    /// Takes content that has been received already.
    ///
    /// @return bytes, 0 when more input is needed, -1 at the end
    public final int take(byte[] target, int offset, int length) throws IOException {
        if (error != null) {
            throw error;
        }
        if (length == 0) {
            return ended ? -1 : 0;
        }
        return takeSome(target, offset, length);
    }

    protected abstract int takeSome(byte[] target, int offset, int length) throws IOException;

    /// Copies what is in the span, as far as it goes. The span is left as it is.
    protected final int copySpan(byte[] target, int offset, int length) {
        int count = Math.min(length, spanTo - spanFrom);
        System.arraycopy(input.bytes, spanFrom, target, offset, count);
        return count;
    }

    /// Reads once from the connection; [#take] says what came of it, unless a positive number is
    /// returned: so many bytes were put into `target` at once.
    ///
    /// @return 0 when nothing can be had now, -1 when something was received and [#take] is to be
    ///   asked
    public int receive(byte[] target, int offset, int length) throws IOException {
        if (input.isEmpty()) {
            input.expectMuch();
        } else if (input.isFull() && !input.makeRoom(Integer.MAX_VALUE)) {
            return 0;
        }
        int read = input.fillForHandler();
        if (read < 0) {
            throw fail(endOfInput());
        }
        return read == 0 ? 0 : -1;
    }

    /// Throws away content that has been received.
    ///
    /// @return bytes of input that went away
    public abstract long discard() throws IOException;

    /// Remembers what the client did wrong, unless there was something before.
    public final RequestBodyException fail(ProtocolError cause) {
        RequestBodyException known = error;
        if (known == null) {
            known = new RequestBodyException(cause);
            error = known;
        }
        return known;
    }

    /// What is wrong when the connection ends before the content does.
    protected abstract ProtocolError endOfInput();
}
