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

    /// How the log calls whom [#allows] has let in.
    String who(@Nullable String authorization) {
        if (authorization == null) {
            return "a client without token";
        }
        String[] pair =
                authorization.regionMatches(true, 0, "Basic ", 0, 6)
                        ? basic(authorization.substring(6).strip())
                        : null;
        return pair == null || isToken(pair[1])
                ? "the token"
                : "user " + AdminRequest.printable(pair[0]);
    }

    private boolean allowsBasic(String credentials) {
        String[] pair = basic(credentials);
        return pair != null && (isToken(pair[1]) || managers.test(pair[0], pair[1]));
    }

    /// Name and password; null for a client that cannot be let in.
    private static String @Nullable [] basic(String credentials) {
        try {
            String pair =
                    new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0
                    ? null
                    : new String[] {pair.substring(0, colon), pair.substring(colon + 1)};
        } catch (IllegalArgumentException e) {
            return null; // Not base64.
        }
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
