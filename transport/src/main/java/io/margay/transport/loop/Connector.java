package io.margay.transport.loop;

import java.io.IOException;
import java.net.SocketAddress;

/// Connects sockets for one loop; on the loop.
@FunctionalInterface
public interface Connector {
    /// Begins to connect.
    ///
    /// @param result told not before this call has returned
    /// @throws UnsupportedOperationException when there is no way to connect to such an address
    Pending connect(SocketAddress address, EventLoop loop, Result result) throws IOException;

    /// A connection that is being made.
    @FunctionalInterface
    interface Pending {
        /// Gives it up; nothing is told any more.
        void cancel();
    }

    /// Who waits for the connection; one of its methods is called, once.
    interface Result {
        /// The socket is connected; the connection has no listener.
        void connected(LoopConnection connection);

        /// This address could not be connected to.
        void failed(IOException cause);
    }
}
