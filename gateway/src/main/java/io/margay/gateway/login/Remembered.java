package io.margay.gateway.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Passwords that were right, so that browsers, which send them with each request, do not cost a
/// verification each time. Kept as keyed hashes, under a key of this process alone. Thread-safe:
/// guarded by `kept`, for as long as one look-up takes.
final class Remembered {
    private static final String MAC = "HmacSHA256";

    private final LoginLimits limits;
    private final LongSupplier nanoClock;
    private final SecretKeySpec key;
    private final Map<String, Known> kept;

    /// @param stamp of the files by which it was verified
    private record Known(LoginUser user, String stamp, long nanos) {}

    Remembered(LoginLimits limits, LongSupplier nanoClock) {
        this.limits = limits;
        this.nanoClock = nanoClock;
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        key = new SecretKeySpec(secret, MAC);
        kept =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                        return size() > limits.rememberedMax();
                    }
                };
    }

    /// By what a password is known.
    String proof(PasswordCheck.Asked asked, Credentials given) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            for (String part : new String[] {asked.toString(), given.octets()}) {
                mac.update(part.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) 0);
            }
            return Base64.getEncoder().encodeToString(mac.doFinal(given.password()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }

    /// Whose password it is, if it was right a short while ago; else null.
    ///
    /// @param stamp of the files now
    @Nullable LoginUser find(String proof, String stamp) {
        synchronized (kept) {
            Known known = kept.get(proof);
            if (known == null) {
                return null;
            }
            long age = nanoClock.getAsLong() - known.nanos;
            if (age < limits.rememberedFor().toNanos() && known.stamp.equals(stamp)) {
                return known.user;
            }
            Known _ = kept.remove(proof);
            return null;
        }
    }

    /// @param stamp of the files before they were asked
    void put(String proof, String stamp, LoginUser user) {
        synchronized (kept) {
            Known _ = kept.put(proof, new Known(user, stamp, nanoClock.getAsLong()));
        }
    }
}
