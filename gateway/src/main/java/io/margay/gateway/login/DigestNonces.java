package io.margay.gateway.login;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What clients that log in by Digest are given to use: the time, signed with a key of this process
/// alone, so that nothing is kept. As with httpd's own, the same answer is taken again as long as
/// it lives. Thread-safe.
final class DigestNonces {
    private static final String MAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final LongSupplier nanoClock;

    /// What one is.
    enum State {
        GOOD,

        /// It was given out here, too long ago.
        STALE,

        /// It was not given out here, or for another realm.
        FOREIGN
    }

    DigestNonces(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        key = new SecretKeySpec(secret, MAC);
    }

    /// A new one.
    String next(String realm) {
        byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(nanoClock.getAsLong()).array();
        byte[] signature = sign(time, realm);
        byte[] all = Arrays.copyOf(time, time.length + signature.length);
        System.arraycopy(signature, 0, all, time.length, signature.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    /// @param life of those that were given out
    State check(String nonce, String realm, Duration life) {
        byte[] all;
        try {
            all = Base64.getUrlDecoder().decode(nonce);
        } catch (IllegalArgumentException _) {
            return State.FOREIGN;
        }
        if (all.length <= Long.BYTES) {
            return State.FOREIGN;
        }
        byte[] time = Arrays.copyOf(all, Long.BYTES);
        byte[] signature = Arrays.copyOfRange(all, Long.BYTES, all.length);
        if (!MessageDigest.isEqual(signature, sign(time, realm))) {
            return State.FOREIGN;
        }
        Duration age = Duration.ofNanos(nanoClock.getAsLong() - ByteBuffer.wrap(time).getLong());
        return age.compareTo(life) < 0 ? State.GOOD : State.STALE;
    }

    private byte[] sign(byte[] time, String realm) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            mac.update(time);
            return mac.doFinal(realm.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }
}
