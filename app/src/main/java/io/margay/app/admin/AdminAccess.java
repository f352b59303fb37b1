package io.margay.app.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who may do what: those who know the token, as bearer or as the password of any user, everything,
/// and users what the role of Tomcat's manager allows. Immutable.
public record AdminAccess(String token, Users users) {
    /// Deploys and changes.
    static final Set<String> SCRIPT = Set.of("manager-script");

    /// Reads the console, the API and the metrics.
    static final Set<String> READ = Set.of("manager-script", "manager-gui");

    /// Reads what MBeans say.
    static final Set<String> JMX = Set.of("manager-jmx");

    /// Reads the status page.
    static final Set<String> STATUS =
            Set.of("manager-status", "manager-jmx", "manager-script", "manager-gui");

    /// Users with passwords and roles.
    @FunctionalInterface
    public interface Users {
        /// Whether the password is that of the user, who has one of the roles.
        boolean have(String name, String password, Set<String> roles);
    }

    /// Whether the value of an `Authorization` field lets its sender do what one of the roles is
    /// needed for.
    boolean allows(@Nullable String authorization, Set<String> roles) {
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
            case "basic" -> allowsBasic(credentials, roles);
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

    private boolean allowsBasic(String credentials, Set<String> roles) {
        String[] pair = basic(credentials);
        return pair != null && (isToken(pair[1]) || users.have(pair[0], pair[1], roles));
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
