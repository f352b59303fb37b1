package io.margay.transport.loop;

import io.margay.transport.ListenerConfig;
import java.io.IOException;
import java.net.SocketAddress;

/// The sockets of one operating interface, as a [LoopTransport] needs them. Thread-safe.
public interface Sockets {
    /// The transport's name.
    String name();

    /// Makes what waits for events of these sockets.
    Poller poller() throws IOException;

    /// Makes what connects sockets that `poller` reports of.
    ///
    /// @param poller one that [#poller] has made
    Connector connector(Poller poller);

    /// Opens a listening socket.
    Bound bind(ListenerConfig config) throws IOException;

    /// A listening socket. Thread-safe.
    interface Bound {
        /// The address with the port that was chosen.
        SocketAddress address();

        /// Whether every loop accepts, or one for all.
        boolean shared();

        /// The socket as the acceptor on the loop of `poller` sees it.
        AcceptSource on(Poller poller);

        /// Closes it; called once, when no acceptor uses it any more.
        void close();
    }
}
