package io.margay.server.users;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// A quick hash (HMAC-SHA-256) under a key that exists in this process alone: what it makes of a
/// password is of no use to anybody who comes by it later. Thread-safe. The key is made for the
/// first message: the platform's security providers take a tenth of a start.
public final class KeyedHash {
    private static final String MAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    /// Null = there was no message yet.
    private volatile @Nullable Keyed keyed;

    /// @param ready for a message, and cloned for each, which costs less than a new one; null where
    ///   the platform's cannot be cloned
    private record Keyed(SecretKeySpec key, @Nullable Mac ready) {
        @Override
        public String toString() {
            return MAC;
        }
    }

    /// The hash of the parts, one behind the other.
    public byte[] of(byte[]... parts) {
        Keyed now = keyed;
        if (now == null) {
            now = begin();
        }
        Mac copy = now.ready == null ? null : cloned(now.ready);
        Mac mac = copy == null ? make(now.key) : copy;
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    private synchronized Keyed begin() {
        Keyed now = keyed;
        if (now == null) {
            byte[] secret = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(secret);
            SecretKeySpec key = new SecretKeySpec(secret, MAC);
            Mac mac = make(key);
            now = new Keyed(key, cloned(mac) == null ? null : mac);
            keyed = now;
        }
        return now;
    }

    private static @Nullable Mac cloned(Mac mac) {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException _) {
            return null;
        }
    }

    private static Mac make(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac;
        } catch (InvalidKeyException e) {
            throw new IllegalStateException("a random key is none", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }
}
