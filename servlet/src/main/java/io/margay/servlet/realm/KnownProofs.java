package io.margay.servlet.realm;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Passwords that have matched what is stored, so that BASIC, which sends the password with each
/// request, does not derive a costly key each time. Kept as keyed hashes of both, under a key of
/// this process alone. Guarded by itself.
final class KnownProofs {
    /// More would only be other users, whose next login takes longer again.
    private static final int KEPT_MAX = 1000;

    private static final String MAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final Map<String, Boolean> kept =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > KEPT_MAX;
                }
            };

    KnownProofs() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        key = new SecretKeySpec(secret, MAC);
    }

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
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            mac.update(stored.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return Base64.getEncoder()
                    .encodeToString(mac.doFinal(given.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }
}
