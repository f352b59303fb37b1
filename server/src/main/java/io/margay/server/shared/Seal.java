package io.margay.server.shared;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Encrypts what leaves the servers of a group, with a key that they have by configuration, each
/// time for one name and one version: `nonce (12 bytes) | AES-256-GCM`. Whoever has the engine
/// alone reads nothing, changes nothing, and puts nothing in another's place. Immutable.
final class Seal {
    private static final String MAC = "HmacSHA256";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final byte[] secret;
    private final SecretKeySpec key;
    private final SecureRandom random;

    /// @param secret of the group
    /// @param group its name
    Seal(String secret, String group, SecureRandom random) {
        this.secret = mac(secret.getBytes(StandardCharsets.UTF_8), "margay group " + group);
        this.key = new SecretKeySpec(derive("tables"), "AES");
        this.random = random;
    }

    /// 32 bytes for one purpose, the same on all servers of the group.
    byte[] derive(String purpose) {
        return mac(secret, purpose);
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Some bits that nobody foresees.
    long chance(int bits) {
        return random.nextLong(1L << bits);
    }

    byte[] seal(String name, long version, byte[] content) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, name, version).doFinal(content);
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return all;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// @throws IOException when it was sealed otherwise, or is something else
    byte[] open(String name, long version, byte[] sealed) throws IOException {
        if (sealed.length < NONCE_BYTES) {
            throw new SharedDataException(name + " of the shared engine is cut off");
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE_BYTES), name, version)
                    .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new SharedDataException(
                    name + " of the shared engine was not written with the key of this server", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String name, long version)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((name + "\n" + version).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
