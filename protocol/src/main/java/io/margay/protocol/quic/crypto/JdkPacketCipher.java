package io.margay.protocol.quic.crypto;

import io.margay.protocol.quic.tls.PacketCipher;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The JDK's ciphers, which seal and open alike.
final class JdkPacketCipher implements PacketCipher {
    private final Cipher cipher;
    private final SecretKeySpec key;
    private final boolean aes;

    JdkPacketCipher(CipherSuite suite, byte[] key) {
        aes = suite.isAes();
        this.key = new SecretKeySpec(key, aes ? "AES" : "ChaCha20");
        try {
            cipher = Cipher.getInstance(aes ? "AES/GCM/NoPadding" : "ChaCha20-Poly1305");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a cipher of TLS 1.3 is missing", e);
        }
    }

    private AlgorithmParameterSpec parameters(byte[] nonce) {
        return aes
                ? new GCMParameterSpec(8 * PacketKey.TAG_BYTES, nonce)
                : new IvParameterSpec(nonce);
    }

    @Override
    public void seal(byte[] nonce, byte[] packet, int from, int payloadAt, int to) {
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key, parameters(nonce));
            cipher.updateAAD(packet, from, payloadAt - from);
            int _ = cipher.doFinal(packet, payloadAt, to - payloadAt, packet, payloadAt);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet cannot be sealed", e);
        }
    }

    @Override
    public int open(byte[] nonce, byte[] packet, int from, int payloadAt, int to, byte[] target) {
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, parameters(nonce));
            cipher.updateAAD(packet, from, payloadAt - from);
            return cipher.doFinal(packet, payloadAt, to - payloadAt, target, 0);
        } catch (AEADBadTagException e) {
            return -1;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a packet cannot be opened", e);
        }
    }

    @Override
    public void close() {}
}
