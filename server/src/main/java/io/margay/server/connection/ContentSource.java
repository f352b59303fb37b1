package io.margay.server.connection;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.server.exchange.RequestBodyException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The content of one request on its way from the input buffer to a handler. Owned as its
/// connection is.
interface ContentSource {
    /// Whether all of it has been taken.
    boolean ended();

    /// Whether all of it has been received, as far as one can know without a look at it.
    default boolean received() {
        return ended();
    }

    /// What the client did wrong, or null. Nothing more can be read then.
    @Nullable RequestBodyException error();

    /// Whether at most `bytes` are left, as far as one can know.
    boolean endsWithin(long bytes);

    Fields trailers();

    /// Puts what makes the client send more, where it waits for that.
    ///
    /// @return whether anything was put
    boolean ask(Http1Output output) throws IOException;

    /// Whether content has been received that [#take] would give; there may be more in the input.
    boolean hasContent();

    /// Takes content that has been received already.
    ///
    /// @return bytes, 0 when more input is needed, -1 at the end
    int take(byte[] target, int offset, int length) throws IOException;

    /// Reads once from the connection; [#take] says what came of it, unless a positive number is
    /// returned: so many bytes were put into `target` at once.
    ///
    /// @return 0 when nothing can be had now, -1 when something was received and [#take] is to be
    ///   asked
    int receive(byte[] target, int offset, int length) throws IOException;

    /// Throws away content that has been received.
    ///
    /// @return bytes of input that went away
    long discard() throws IOException;

    /// Remembers what the client did wrong, unless there was something before.
    RequestBodyException fail(@Nullable ProtocolError cause);
}
