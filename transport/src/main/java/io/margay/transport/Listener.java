package io.margay.transport;

import java.net.SocketAddress;

/// An open server socket and the connections that came through it. Thread-safe.
public interface Listener extends AutoCloseable {
    /// The address that is bound, with the real port.
    SocketAddress address();

    /// The number of open connections.
    int connectionCount();

    /// Closes the server socket; open connections go on.
    void stopAccepting();

    /// Closes the server socket and every connection.
    @Override
    void close();
}
