package io.margay.app.register;

import java.io.IOException;
import java.time.Duration;

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

    /// How long it goes without hearing of the server, whatever the lease: what it knows, it may
    /// have lost.
    default Duration pauseMax() {
        return Duration.ofHours(1);
    }

    /// Where it is, for the log.
    @Override
    String toString();

    @Override
    void close();
}
