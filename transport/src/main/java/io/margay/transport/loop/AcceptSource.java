package io.margay.transport.loop;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A listening socket as one [Acceptor] sees it; confined to the acceptor's loop.
public interface AcceptSource {
    /// Makes the poller report connections that wait, or stop reporting them.
    void report(Pollable target, boolean on) throws IOException;

    /// Accepts a connection that waits.
    ///
    /// @return null when none waits
    @Nullable Accepted accept() throws IOException;

    /// Accepts one waiting connection and resets it.
    void turnAwayOne() throws IOException;

    /// Whether several acceptors share the socket, so that connections need no spreading.
    boolean shared();

    /// The end; nothing is reported any more.
    void close();

    /// An accepted socket, which is bound to a loop once that is chosen.
    @FunctionalInterface
    interface Accepted {
        /// The socket for a connection on `target`. Any loop.
        LoopSocket socket(EventLoop target);
    }
}
