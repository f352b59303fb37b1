package io.margay.server.users;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.LongSupplier;

/// What clients that log in by DIGEST are given to use: the time, signed with a key of this process
/// alone, so that nothing is kept. Immutable and thread-safe.
public final class SignedNonces {
    private final KeyedHash hash = new KeyedHash();
    private final LongSupplier nanoClock;

    /// What one is.
    public enum State {
        GOOD,

        /// It was given out here, too long ago.
        STALE,

        /// It was not given out here, or for another realm.
        FOREIGN
    }

    public SignedNonces(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// A new one.
    public String next(String realm) {
        byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(nanoClock.getAsLong()).array();
        byte[] signature = sign(time, realm);
        byte[] all = Arrays.copyOf(time, time.length + signature.length);
        System.arraycopy(signature, 0, all, time.length, signature.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    /// @param life of those that were given out
    public State check(String nonce, String realm, Duration life) {
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
        return hash.of(time, realm.getBytes(StandardCharsets.UTF_8));
    }
}
