package io.margay.transport.quic;

/// Authenticated encryption of QUIC's packets with one key in one direction, by a native library
/// (RFC 9001 §5.3). Not thread-safe: one thread at a time.
public interface NativeCipher {
    /// Seals a payload in its place; a tag of 16 octets follows it.
    ///
    /// @param from where the packet begins; what is before the payload is authenticated
    /// @param to where the payload ends
    void seal(byte[] nonce, byte[] packet, int from, int payloadAt, int to);

    /// Opens a payload into another array.
    ///
    /// @param to where the tag ends
    /// @return octets of the payload, or -1 when the tag is wrong; the array then has no meaning
    int open(byte[] nonce, byte[] packet, int from, int payloadAt, int to, byte[] target);

    /// Gives its memory back. Idempotent; no other call is allowed afterwards.
    void close();
}
