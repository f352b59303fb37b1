package io.margay.servlet.security;

import org.jspecify.annotations.Nullable;

/// Passwords as the file of users keeps them, for other places that keep them alike. Stateless.
public final class StoredPassword {
    private StoredPassword() {}

    /// Whether `given` is the password behind `stored`; false when that is malformed.
    public static boolean matches(String stored, String given) {
        try {
            return Password.of(stored).matches(given);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// The password when it is in clear, else null.
    public static @Nullable String clear(String stored) {
        return stored.startsWith(Password.MARK) ? null : stored;
    }
}
