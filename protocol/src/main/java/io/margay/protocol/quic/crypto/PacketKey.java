package io.margay.protocol.quic.crypto;

import io.margay.protocol.quic.QuicVersion;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Seals or opens the payloads of packets, one direction (RFC 9001 §5.3). Confined to the
/// connection's owner.
public final class PacketKey {
    /// Octets by which a sealed payload is longer.
    public static final int TAG_BYTES = 16;

    private static final int NONCE_BYTES = 12;

    private final Cipher cipher;
    private final SecretKeySpec key;
    private final byte[] iv;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private final boolean aes;
    private long seals;

    PacketKey(QuicVersion version, CipherSuite suite, byte[] secret) {
        aes = suite.isAes();
        byte[] bytes = Secrets.expand(suite, secret, version.label("key"), suite.keyBytes());
        key = new SecretKeySpec(bytes, aes ? "AES" : "ChaCha20");
        iv = Secrets.expand(suite, secret, version.label("iv"), NONCE_BYTES);
        try {
            cipher = Cipher.getInstance(aes ? "AES/GCM/NoPadding" : "ChaCha20-Poly1305");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a cipher of TLS 1.3 is missing", e);
        }
    }

    /// Packets that were sealed with it.
    public long seals() {
        return seals;
    }

    private AlgorithmParameterSpec nonce(long number) {
        System.arraycopy(iv, 0, nonce, 0, NONCE_BYTES);
        for (int i = 0; i < 8; i++) {
            nonce[NONCE_BYTES - 1 - i] ^= (byte) (number >>> (8 * i));
        }
        return aes ? new GCMParameterSpec(8 * TAG_BYTES, nonce) : new IvParameterSpec(nonce);
    }

    /// Seals a payload in its place.
    ///
    /// @param from where the packet begins
    /// @param payloadAt where the payload begins; what is before is authenticated
    /// @param to where it ends; [#TAG_BYTES] more are written there
    /// @return where the packet ends
    int seal(byte[] packet, int from, int payloadAt, int to, long number) {
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key, nonce(number));
            cipher.updateAAD(packet, from, payloadAt - from);
            seals++;
            return payloadAt + cipher.doFinal(packet, payloadAt, to - payloadAt, packet, payloadAt);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet cannot be sealed", e);
        }
    }

    /// Opens a payload into another array, so that it can be tried with another key.
    ///
    /// @return octets of the payload, or -1 when it was not sealed with this key
    int open(byte[] packet, int from, int payloadAt, int to, long number, byte[] target) {
        if (to - payloadAt < TAG_BYTES) {
            return -1;
        }
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, nonce(number));
            cipher.updateAAD(packet, from, payloadAt - from);
            return cipher.doFinal(packet, payloadAt, to - payloadAt, target, 0);
        } catch (AEADBadTagException e) {
            return -1;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet cannot be opened", e);
        }
    }
}
