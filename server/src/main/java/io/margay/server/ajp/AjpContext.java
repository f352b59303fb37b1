package io.margay.server.ajp;

import io.margay.server.config.AjpConfig;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.serial.SerialConnection;
import io.margay.transport.Connection;

/// What all connections of an AJP13 listener share. Thread-safe.
public final class AjpContext {
    final ConnectionContext shared;
    final AjpConfig config;
    final AjpGate gate;
    final long idleNanos;

    /// @param shared handler, dispatcher, deadlines, counters: as for HTTP
    public AjpContext(ConnectionContext shared, AjpConfig config) {
        this.shared = shared;
        this.config = config;
        gate = new AjpGate(config);
        idleNanos = config.idleTimeout().toNanos();
    }

    /// Has a new connection speak AJP13.
    public SerialConnection open(Connection io) {
        SerialConnection made =
                new SerialConnection(
                        io,
                        shared,
                        config.limits().packetBytesMax(),
                        idleNanos,
                        on -> new AjpProtocol(on, this));
        made.start(idleNanos);
        return made;
    }
}
