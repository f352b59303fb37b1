package io.margay.app.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Who may change something: those who know the token, as bearer or as the password of any user,
/// and users who may manage. Immutable.
///
/// @param managers tells for a name and a password whether they are those of a user who may
public record AdminAccess(String token, BiPredicate<String, String> managers) {
    /// Whether the value of an `Authorization` field lets its sender change something.
    boolean allows(@Nullable String authorization) {
        if (authorization == null) {
            return false;
        }
        int blank = authorization.indexOf(' ');
        if (blank < 0) {
            return false;
        }
        String credentials = authorization.substring(blank + 1).strip();
        return switch (authorization.substring(0, blank).toLowerCase(Locale.ROOT)) {
            case "bearer" -> isToken(credentials);
            case "basic" -> allowsBasic(credentials);
            default -> false;
        };
    }

    /// Whether they are credentials that no browser sends of its own accord.
    static boolean isBearer(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7);
    }

    private boolean allowsBasic(String credentials) {
        String pair;
        try {
            pair = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return false; // Not base64: a client that cannot be let in.
        }
        int colon = pair.indexOf(':');
        if (colon < 0) {
            return false;
        }
        String password = pair.substring(colon + 1);
        return isToken(password) || managers.test(pair.substring(0, colon), password);
    }

    private boolean isToken(String given) {
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /// Says nothing of the token.
    @Override
    public String toString() {
        return "AdminAccess";
    }
}
