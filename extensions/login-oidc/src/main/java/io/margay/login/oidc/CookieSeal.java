package io.margay.login.oidc;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Encrypts what cookies say, by AES-256-GCM, so that nobody else can read, change or make them.
/// Thread-safe.
///
/// ```
/// version (1) | nonce (12) | ciphertext | tag (16)      in Base64 for URLs
/// ```
final class CookieSeal {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final byte VERSION = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    /// @param secret of any length; what is short can be guessed
    CookieSeal(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            byte[] derived =
                    mac.doFinal("margay login cookies".getBytes(StandardCharsets.US_ASCII));
            key = new SecretKeySpec(derived, "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /// One with a key that nobody knows.
    static CookieSeal made() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return new CookieSeal(secret);
    }

    /// @param purpose what it is for, and of whom; only [#open] with the same one opens it
    String seal(byte[] content, String purpose) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, purpose).doFinal(content);
            byte[] all =
                    ByteBuffer.allocate(1 + nonce.length + sealed.length)
                            .put(VERSION)
                            .put(nonce)
                            .put(sealed)
                            .array();
            return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
    }

    /// What was sealed; null when it was not sealed here for this.
    byte @Nullable [] open(String text, String purpose) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(text);
            if (all.length < 1 + NONCE_BYTES + TAG_BYTES || all[0] != VERSION) {
                return null;
            }
            byte[] nonce = Arrays.copyOfRange(all, 1, 1 + NONCE_BYTES);
            return cipher(Cipher.DECRYPT_MODE, nonce, purpose)
                    .doFinal(all, 1 + NONCE_BYTES, all.length - 1 - NONCE_BYTES);
        } catch (IllegalArgumentException | GeneralSecurityException _) {
            return null;
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, nonce));
        cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
