package io.margay.server.connection;

import io.margay.transport.Connection;

/// What all connections of an AJP13 listener share. Thread-safe.
public final class AjpContext {
    final Http1Context shared;
    final AjpConfig config;
    final AjpGate gate;
    final long idleNanos;

    /// @param shared handler, dispatcher, deadlines, counters: as for HTTP
    public AjpContext(Http1Context shared, AjpConfig config) {
        this.shared = shared;
        this.config = config;
        gate = new AjpGate(config);
        idleNanos = config.idleTimeout().toNanos();
    }

    /// The handler of a new connection.
    public AjpConnection accept(Connection connection) {
        AjpConnection accepted = new AjpConnection(connection, this);
        shared.opened(accepted);
        accepted.start();
        return accepted;
    }
}
