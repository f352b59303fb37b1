package io.margay.servlet.realm;

import io.margay.server.users.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/// Passwords that have matched what is stored, so that BASIC, which sends the password with each
/// request, does not derive a costly key each time. Kept as keyed hashes of both, under a key of
/// this process alone. Guarded by itself.
final class KnownProofs {
    /// More would only be other users, whose next login takes longer again.
    private static final int KEPT_MAX = 1000;

    private static final byte[] BETWEEN = {0};

    private final KeyedHash hash = new KeyedHash();
    private final Map<String, Boolean> kept =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > KEPT_MAX;
                }
            };

    /// Whether the two match, found out by `handler` unless it is known.
    boolean matches(CredentialHandler handler, String given, String stored) {
        String proof = proof(given, stored);
        synchronized (kept) {
            if (kept.get(proof) != null) {
                return true;
            }
        }
        boolean right = handler.matches(given, stored);
        if (right) {
            synchronized (kept) {
                kept.put(proof, true);
            }
        }
        return right;
    }

    private String proof(String given, String stored) {
        byte[] proof =
                hash.of(
                        stored.getBytes(StandardCharsets.UTF_8),
                        BETWEEN,
                        given.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(proof);
    }
}
