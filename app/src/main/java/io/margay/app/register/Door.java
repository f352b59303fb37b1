package io.margay.app.register;

import java.io.IOException;

/// One place where a server registers itself. Used by one thread, which may wait.
interface Door extends AutoCloseable {
    /// Registers the server or renews its lease.
    ///
    /// @param draining whether it is about to leave
    /// @throws IOException when that was not taken; its message says why
    void put(boolean draining) throws IOException, InterruptedException;

    /// Leaves.
    ///
    /// @throws IOException when that was not taken; its message says why
    void remove() throws IOException, InterruptedException;

    /// Where it is, for the log.
    @Override
    String toString();

    @Override
    void close();
}
