package io.margay.protocol.quic.tls;

import org.jspecify.annotations.Nullable;

/// Authenticated encryption of packets with one key in one direction (RFC 9001 §5.3), by the JDK or
/// by the library that does the handshake. Confined to the connection's owner.
public interface PacketCipher {
    /// Seals a payload in its place; a tag of 16 octets follows it.
    ///
    /// @param from where the packet begins; what is before the payload is authenticated
    /// @param to where the payload ends
    void seal(byte[] nonce, byte[] packet, int from, int payloadAt, int to);

    /// Opens a payload into another array.
    ///
    /// @param to where the tag ends, at least 16 octets after the payload begins
    /// @return octets of the payload, or -1 when the tag is wrong; the array then has no meaning
    int open(byte[] nonce, byte[] packet, int from, int payloadAt, int to, byte[] target);

    /// Gives its memory back; it is not used afterwards. Idempotent.
    void close();

    /// What makes ciphers, which whoever asked for them closes.
    interface Source {
        /// Leaves them to the JDK.
        Source JDK = (_, _, _) -> null;

        /// @param suite the number of the cipher suite in TLS
        /// @param seals whether it seals; else it opens
        /// @return null for the JDK's
        @Nullable PacketCipher make(int suite, byte[] key, boolean seals);
    }
}
