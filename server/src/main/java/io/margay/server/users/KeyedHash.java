package io.margay.server.users;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// A quick hash (HMAC-SHA-256) under a key that exists in this process alone: what it makes of a
/// password is of no use to anybody who comes by it later. Immutable and thread-safe.
public final class KeyedHash {
    private static final String MAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;

    /// Ready for a message, and cloned for each, which costs less than a new one; null where the
    /// platform's cannot be cloned.
    private final @Nullable Mac ready;

    public KeyedHash() {
        byte[] secret = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(secret);
        key = new SecretKeySpec(secret, MAC);
        Mac mac = make();
        ready = cloned(mac) == null ? null : mac;
    }

    /// The hash of the parts, one behind the other.
    public byte[] of(byte[]... parts) {
        Mac copy = ready == null ? null : cloned(ready);
        Mac mac = copy == null ? make() : copy;
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    private static @Nullable Mac cloned(Mac mac) {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException _) {
            return null;
        }
    }

    private Mac make() {
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
