package io.margay.server.connection;

/// A connection as the server knows it that is to end it. Thread-safe.
public interface ServedConnection {
    /// Closes now. From any thread.
    void closeNow();

    /// Closes as soon as nothing is under way. From any thread.
    ///
    /// @param patient whether the client gets time for what may be on its way
    void drain(boolean patient);
}
