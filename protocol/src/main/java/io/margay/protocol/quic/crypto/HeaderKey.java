package io.margay.protocol.quic.crypto;

import io.margay.protocol.quic.QuicVersion;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Hides packet numbers and the low bits of first octets (RFC 9001 §5.4). One direction; stays the
/// same when the packets' keys are replaced. Confined to the connection's owner.
public final class HeaderKey {
    /// Octets that are sampled.
    public static final int SAMPLE_BYTES = 16;

    private static final int MASK_BYTES = 5;
    private static final byte[] ZEROS = new byte[MASK_BYTES];

    private final Cipher cipher;
    private final SecretKeySpec key;
    private final boolean aes;
    private final byte[] mask = new byte[SAMPLE_BYTES];

    HeaderKey(QuicVersion version, CipherSuite suite, byte[] secret) {
        aes = suite.isAes();
        byte[] bytes = Secrets.expand(suite, secret, version.label("hp"), suite.keyBytes());
        key = new SecretKeySpec(bytes, aes ? "AES" : "ChaCha20");
        try {
            cipher = Cipher.getInstance(aes ? "AES/ECB/NoPadding" : "ChaCha20");
            if (aes) {
                cipher.init(Cipher.ENCRYPT_MODE, key);
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a cipher of TLS 1.3 is missing", e);
        }
    }

    /// Makes the mask of a sample. The array is valid until the next call.
    byte[] mask(byte[] packet, int sampleAt) {
        try {
            if (aes) {
                cipher.update(packet, sampleAt, SAMPLE_BYTES, mask, 0);
            } else {
                int counter =
                        (packet[sampleAt] & 0xff)
                                | (packet[sampleAt + 1] & 0xff) << 8
                                | (packet[sampleAt + 2] & 0xff) << 16
                                | packet[sampleAt + 3] << 24;
                byte[] nonce = new byte[12];
                System.arraycopy(packet, sampleAt + 4, nonce, 0, nonce.length);
                // Decryption is the same operation; only encryption refuses a nonce that comes
                // twice, as that of a duplicated packet does.
                cipher.init(Cipher.DECRYPT_MODE, key, new ChaCha20ParameterSpec(nonce, counter));
                cipher.doFinal(ZEROS, 0, MASK_BYTES, mask, 0);
            }
            return mask;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a header cannot be protected", e);
        }
    }

    /// Protects a header whose payload is protected already, or takes the protection off.
    ///
    /// @param numberAt where the packet number begins; at least 4 + [#SAMPLE_BYTES] octets follow
    /// @param numberBytes octets of the packet number
    void apply(byte[] packet, int from, int numberAt, int numberBytes) {
        byte[] bits = mask(packet, numberAt + 4);
        packet[from] ^= (byte) (bits[0] & hidden(packet[from]));
        for (int i = 0; i < numberBytes; i++) {
            packet[numberAt + i] ^= bits[1 + i];
        }
    }

    /// The bits of a first octet that are hidden.
    private static int hidden(byte first) {
        return first < 0 ? 0x0f : 0x1f;
    }

    /// Takes the protection off.
    ///
    /// @return octets of the packet number, 1 to 4
    public int remove(byte[] packet, int from, int numberAt) {
        byte[] bits = mask(packet, numberAt + 4);
        packet[from] ^= (byte) (bits[0] & hidden(packet[from]));
        int numberBytes = (packet[from] & 3) + 1;
        for (int i = 0; i < numberBytes; i++) {
            packet[numberAt + i] ^= bits[1 + i];
        }
        return numberBytes;
    }
}
