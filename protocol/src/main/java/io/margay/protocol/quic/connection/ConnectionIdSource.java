package io.margay.protocol.quic.connection;

/// Makes connection ids, and is told which are in use, so that packets find their connection. All
/// ids that one source makes have the same length.
public interface ConnectionIdSource {
    /// A new id, which from now on leads to this connection.
    byte[] issue();

    /// Packets to an id belong to the connection that is about to begin, though the id was the
    /// client's idea.
    void accept(byte[] id);

    /// An id leads nowhere any more.
    void retire(byte[] id);

    /// What a stateless reset for an id ends with, 16 octets (RFC 9000 §10.3.2).
    byte[] resetToken(byte[] id);
}
