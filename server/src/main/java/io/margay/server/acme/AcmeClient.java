package io.margay.server.acme;

import java.io.IOException;
import java.util.List;

/// What orders certificates and renews them, on a thread of its own. Thread-safe.
public interface AcmeClient extends AutoCloseable {
    /// Has a file for each of these certificates there, so that listeners can be opened: where
    /// there is none yet, a self-signed one is written. Does not wait for the network.
    ///
    /// @throws IOException when the storage cannot be used
    void prepare(AcmeConfig config) throws IOException;

    /// Takes care of these certificates from now on, and of no others.
    void follow(AcmeConfig config);

    /// How it stands about each.
    List<AcmeReading> read();

    /// Has a certificate renewed now, though it is not due.
    ///
    /// @return whether there is one of this name
    boolean renew(String name);

    /// Has the accounts of all certificates given other keys (RFC 8555 §7.3.5).
    void changeKeys();

    /// Ends the thread; what has been begun is finished after the next start.
    @Override
    void close();
}
