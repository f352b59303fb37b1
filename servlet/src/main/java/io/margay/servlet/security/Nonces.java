package io.margay.servlet.security;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The nonces of DIGEST: each says when it was made and is signed, so that nothing is kept of those
/// that nobody has logged in with. Thread-safe; `lock` guards the counts of the others.
final class Nonces {
    /// Milliseconds that a nonce is good for; then the client gets another without asking its user.
    static final long AGE_MILLIS_MAX = 300_000;

    /// Nonces whose uses are counted; the one used least recently is forgotten first.
    static final int COUNTED_MAX = 10_000;

    private static final String MAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final LongSupplier clockMillis;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Uses> counted = new LinkedHashMap<>(16, 0.75f, true);

    /// What is known of a nonce.
    enum State {
        /// Not one of these.
        FOREIGN,
        /// Too old.
        STALE,
        GOOD
    }

    /// The highest count of a nonce, and which of the 63 below it have been used.
    private static final class Uses {
        private long highest;
        private long below;

        boolean use(long count) {
            if (count > highest) {
                long shift = count - highest;
                below = shift > 63 ? 0 : (below << 1 | 1) << (shift - 1);
                highest = count;
                return true;
            }
            long distance = highest - count;
            if (distance == 0 || distance > 63 || (below >>> (distance - 1) & 1) != 0) {
                return false;
            }
            below |= 1L << (distance - 1);
            return true;
        }
    }

    Nonces(SecureRandom random, LongSupplier clockMillis) {
        byte[] secret = new byte[32];
        random.nextBytes(secret);
        this.key = new SecretKeySpec(secret, MAC);
        this.clockMillis = clockMillis;
    }

    /// A new one.
    String next() {
        byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(clockMillis.getAsLong()).array();
        byte[] mac = sign(time);
        byte[] all = Arrays.copyOf(time, Long.BYTES + mac.length);
        System.arraycopy(mac, 0, all, Long.BYTES, mac.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    private byte[] sign(byte[] time) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(time);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }

    State check(String nonce) {
        byte[] all;
        try {
            all = Base64.getUrlDecoder().decode(nonce);
        } catch (IllegalArgumentException e) {
            return State.FOREIGN;
        }
        if (all.length <= Long.BYTES) {
            return State.FOREIGN;
        }
        byte[] time = Arrays.copyOf(all, Long.BYTES);
        byte[] mac = Arrays.copyOfRange(all, Long.BYTES, all.length);
        if (!MessageDigest.isEqual(mac, sign(time))) {
            return State.FOREIGN;
        }
        long age = clockMillis.getAsLong() - ByteBuffer.wrap(time).getLong();
        return age < 0 || age > AGE_MILLIS_MAX ? State.STALE : State.GOOD;
    }

    /// Counts a use by a client that knows the password; false when it has been counted before, and
    /// so may be somebody who has listened.
    boolean use(String nonce, long count) {
        lock.lock();
        try {
            Uses uses = counted.computeIfAbsent(nonce, key -> new Uses());
            if (counted.size() > COUNTED_MAX) {
                counted.remove(counted.keySet().iterator().next());
            }
            return uses.use(count);
        } finally {
            lock.unlock();
        }
    }
}
