package io.margay.gateway.login;

import io.margay.server.users.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Passwords that were right, so that browsers, which send them with each request, do not cost a
/// verification each time. Kept as keyed hashes, under a key of this process alone. Thread-safe:
/// guarded by `kept`, for as long as one look-up takes.
final class Remembered {
    private final LoginLimits limits;
    private final LongSupplier nanoClock;

    private final KeyedHash hash = new KeyedHash();
    private final Map<String, Known> kept;

    /// @param stamp by which it was verified
    private record Known(LoginUser user, Stamp stamp, long nanos) {}

    /// What a password was verified by: it counts as long as that is the same.
    ///
    /// @param source of users who are in no file; one that is another object is another source
    /// @param files stamps of the files of users and groups
    record Stamp(Object source, String files) {}

    Remembered(LoginLimits limits, LongSupplier nanoClock) {
        this.limits = limits;
        this.nanoClock = nanoClock;
        kept =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                        return size() > limits.rememberedMax();
                    }
                };
    }

    /// Whether these bounds are its own.
    boolean has(LoginLimits others) {
        return limits.equals(others);
    }

    /// By what a password is known.
    String proof(PasswordCheck.Asked asked, Credentials given) {
        String names = asked + "\0" + given.octets() + "\0";
        byte[] proof = hash.of(names.getBytes(StandardCharsets.UTF_8), given.password());
        return Base64.getEncoder().encodeToString(proof);
    }

    /// Whose password it is, if it was right a short while ago; else null.
    ///
    /// @param stamp as it is now
    @Nullable LoginUser find(String proof, Stamp stamp) {
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

    /// @param stamp as it was before anybody was asked
    void put(String proof, Stamp stamp, LoginUser user) {
        synchronized (kept) {
            Known _ = kept.put(proof, new Known(user, stamp, nanoClock.getAsLong()));
        }
    }
}
