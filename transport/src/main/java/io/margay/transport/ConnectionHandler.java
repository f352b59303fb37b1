package io.margay.transport;

import org.jspecify.annotations.Nullable;

/// What a protocol does with the events of one connection. All methods are called on the
/// connection's loop thread, never concurrently.
///
/// An exception that leaves a method closes the connection and is logged by the transport.
public interface ConnectionHandler {
    /// Makes the handler of a new connection. Called on the loop thread, before any event; a TLS
    /// connection arrives after its handshake. The initial interest is 0.
    @FunctionalInterface
    interface Factory {
        ConnectionHandler accept(Connection connection);

        /// What a client gets that speaks plain text (it begins with a capital letter, as HTTP
        /// does) on a TLS listener, before its connection is closed; null = nothing.
        default byte @Nullable [] plainTextAnswer() {
            return null;
        }
    }

    /// Input or the end of input may be had. On a blocking connection this call may read, and so
    /// wait; it is repeated as long as the interest has [Connection#READ].
    void onReadable();

    /// The peer takes output again.
    void onWritable();

    /// The deadline has passed.
    void onDeadline();

    /// The connection is closed. The last event, delivered exactly once.
    void onClosed();
}
