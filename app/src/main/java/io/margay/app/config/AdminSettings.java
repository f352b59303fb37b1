package io.margay.app.config;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The listener for those who run the server. Immutable.
///
/// @param token what changes must carry; null = one is made and kept in the work folder
public record AdminSettings(Endpoint endpoint, @Nullable String token) {
    /// Shorter ones could be guessed.
    public static final int TOKEN_CHARS_MIN = 16;

    public AdminSettings {
        Objects.requireNonNull(endpoint, "endpoint");
        if (token != null && token.length() < TOKEN_CHARS_MIN) {
            throw new IllegalArgumentException(
                    "the token has fewer than " + TOKEN_CHARS_MIN + " characters");
        }
    }

    /// Says nothing of the token.
    @Override
    public String toString() {
        return "admin " + endpoint;
    }
}
