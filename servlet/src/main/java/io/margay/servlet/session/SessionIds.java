package io.margay.servlet.session;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Makes and recognises session identifiers: 128 random bits as 32 upper-case hexadecimal digits,
/// and where gateways keep a session with its server, a dot and the name of the server (Tomcat's
/// jvmRoute). Thread-safe.
///
/// Whatever a client sends is compared with that form before it is looked up anywhere, so that no
/// other text ever reaches a store (CVE-2020-9484).
public final class SessionIds {
    private static final int BYTES = 16;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private static final int ROUTE_CHARS_MAX = 64;

    /// Null = [Generator#SYSTEM].
    private final @Nullable Random random;

    private final String suffix;

    /// Made for the first session: the platform's security providers cost a start.
    private static final class Generator {
        static final SecureRandom SYSTEM = new SecureRandom();
    }

    /// Identifiers from the operating system's generator, without a route.
    public SessionIds() {
        this("");
    }

    /// Identifiers that end with `.route`.
    ///
    /// @param route empty for none
    public SessionIds(String route) {
        this(null, route);
    }

    SessionIds(@Nullable Random random, String route) {
        if (!route.isEmpty() && !isRoute(route)) {
            throw new IllegalArgumentException("\"" + route + "\" is not a route: " + ROUTE_FORM);
        }
        this.random = random;
        this.suffix = route.isEmpty() ? "" : "." + route;
    }

    /// What a route looks like, for messages.
    public static final String ROUTE_FORM =
            "1 to " + ROUTE_CHARS_MAX + " letters, digits, dots, hyphens and underscores";

    /// Whether a text can stand behind the dot of an identifier.
    public static boolean isRoute(String text) {
        return !text.isEmpty() && text.length() <= ROUTE_CHARS_MAX && isRoute(text, 0);
    }

    private static boolean isRoute(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (!digit && !letter && c != '.' && c != '-' && c != '_') {
                return false;
            }
        }
        return true;
    }

    /// A new identifier.
    public String next() {
        byte[] bytes = new byte[BYTES];
        (random == null ? Generator.SYSTEM : random).nextBytes(bytes);
        return HEX.formatHex(bytes) + suffix;
    }

    /// Whether a well-formed identifier has the route of these, so that its client comes back to
    /// this server; never if they have none.
    boolean isRoutedHere(String id) {
        return !suffix.isEmpty()
                && id.length() == 2 * BYTES + suffix.length()
                && id.endsWith(suffix);
    }

    /// Whether the text has the form of an identifier, with any route or none.
    public static boolean isWellFormed(String id) {
        int digits = 2 * BYTES;
        if (id.length() != digits
                && (id.length() < digits + 2
                        || id.length() > digits + 1 + ROUTE_CHARS_MAX
                        || id.charAt(digits) != '.'
                        || !isRoute(id, digits + 1))) {
            return false;
        }
        for (int i = 0; i < digits; i++) {
            char c = id.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            boolean letter = c >= 'A' && c <= 'F';
            if (!digit && !letter) {
                return false;
            }
        }
        return true;
    }
}
