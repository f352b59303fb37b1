package io.margay.transport;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// An open server socket and the connections that came through it. Thread-safe.
public interface Listener extends AutoCloseable {
    /// The address that is bound, with the real port.
    SocketAddress address();

    /// The number of open connections.
    int connectionCount();

    /// Reads the certificate files that have changed now, for new handshakes, and asks again for
    /// keys that are in no file; nothing on a plain listener. A certificate that cannot be used
    /// leaves the one before in its place, and is logged.
    default void reloadCertificates() {}

    /// Whose TLS it speaks, such as `OpenSSL 3.0.19` or `JSSE`; null on a plain listener.
    default @Nullable String tlsProvider() {
        return null;
    }

    /// Its TLS handshakes so far; none on a plain listener.
    HandshakeCounts handshakes();

    /// The connections that it has reset at once so far.
    RefusalCounts refusals();

    /// Closes the server socket; open connections go on.
    void stopAccepting();

    /// Closes the server socket and every connection.
    @Override
    void close();
}
