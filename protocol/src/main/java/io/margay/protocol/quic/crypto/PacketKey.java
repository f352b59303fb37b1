package io.margay.protocol.quic.crypto;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.tls.PacketCipher;

/// Seals or opens the payloads of packets, one direction (RFC 9001 §5.3). Confined to the
/// connection's owner.
public final class PacketKey {
    /// Octets by which a sealed payload is longer.
    public static final int TAG_BYTES = 16;

    private static final int NONCE_BYTES = 12;

    private final PacketCipher cipher;
    private final byte[] iv;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private long seals;

    /// @param seals whether it seals; else it opens
    PacketKey(
            QuicVersion version,
            CipherSuite suite,
            byte[] secret,
            PacketCipher.Source ciphers,
            boolean seals) {
        byte[] key = Secrets.expand(suite, secret, version.label("key"), suite.keyBytes());
        PacketCipher made = ciphers.make(suite.number(), key, seals);
        cipher = made == null ? new JdkPacketCipher(suite, key) : made;
        iv = Secrets.expand(suite, secret, version.label("iv"), NONCE_BYTES);
    }

    /// Packets that were sealed with it.
    public long seals() {
        return seals;
    }

    private byte[] nonce(long number) {
        System.arraycopy(iv, 0, nonce, 0, NONCE_BYTES);
        for (int i = 0; i < 8; i++) {
            nonce[NONCE_BYTES - 1 - i] ^= (byte) (number >>> (8 * i));
        }
        return nonce;
    }

    /// Seals a payload in its place.
    ///
    /// @param from where the packet begins
    /// @param payloadAt where the payload begins; what is before is authenticated
    /// @param to where it ends; [#TAG_BYTES] more are written there
    /// @return where the packet ends
    int seal(byte[] packet, int from, int payloadAt, int to, long number) {
        cipher.seal(nonce(number), packet, from, payloadAt, to);
        seals++;
        return to + TAG_BYTES;
    }

    /// Opens a payload into another array, so that it can be tried with another key.
    ///
    /// @return octets of the payload, or -1 when it was not sealed with this key
    int open(byte[] packet, int from, int payloadAt, int to, long number, byte[] target) {
        return to - payloadAt < TAG_BYTES
                ? -1
                : cipher.open(nonce(number), packet, from, payloadAt, to, target);
    }

    /// Gives the cipher's memory back; the key is not used afterwards. Idempotent.
    void close() {
        cipher.close();
    }
}
