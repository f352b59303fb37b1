package io.margay.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One way of moving bytes: loops or threads, and the listeners on them. Thread-safe.
public interface Transport extends AutoCloseable {
    /// The word that chooses it: `blocking`, `nio`, `native`.
    String name();

    /// Opens a server socket.
    ///
    /// @throws java.net.BindException when the address is in use or not of this machine
    Listener listen(ListenerConfig config, ConnectionHandler.Factory handlers) throws IOException;

    /// Makes ready what a server socket needs, which may take time, such as certificates: nothing
    /// listens until it is opened, so that several open together.
    default Prepared prepare(ListenerConfig config, ConnectionHandler.Factory handlers)
            throws IOException {
        return () -> listen(config, handlers);
    }

    /// A server socket that is about to be opened. Opened or closed, once.
    @FunctionalInterface
    interface Prepared {
        /// Opens it.
        ///
        /// @throws java.net.BindException when the address is in use or not of this machine
        Listener open() throws IOException;

        /// It is not wanted any more.
        default void close() {}
    }

    /// The dialer of one of the loops, by turns.
    Dialer dialer();

    /// Lets the threads end on which leader tasks have run ([Connection#runAsLeader]), and others
    /// go on in their place: what an application has left in a thread's thread-locals ends with the
    /// thread.
    default void renew() {}

    /// Why the transport has closed its listeners by itself, never to serve again: one of its
    /// threads has died ([FatalHandler]). Null while it works.
    default @Nullable Throwable failure() {
        return null;
    }

    /// Closes every listener and ends all threads.
    @Override
    void close();
}
