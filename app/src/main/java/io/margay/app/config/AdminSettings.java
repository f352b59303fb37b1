package io.margay.app.config;

import io.margay.transport.TlsConfig;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The listener for those who run the server. Immutable.
///
/// @param token what changes must carry; null = one is made and kept in the work folder
/// @param tls how it speaks TLS; null = plain text
/// @param names by which it may be called beside addresses and `localhost`, lower case
public record AdminSettings(
        Endpoint endpoint, @Nullable String token, Set<String> names, @Nullable TlsConfig tls) {
    /// Shorter ones could be guessed.
    public static final int TOKEN_CHARS_MIN = 16;

    public AdminSettings {
        if (token != null && token.length() < TOKEN_CHARS_MIN) {
            throw new IllegalArgumentException(
                    "the token has fewer than " + TOKEN_CHARS_MIN + " characters");
        }
        names =
                names.stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /// A listener that is called by its address.
    public AdminSettings(Endpoint endpoint, @Nullable String token) {
        this(endpoint, token, Set.of(), null);
    }

    /// Says nothing of the token.
    @Override
    public String toString() {
        return "admin " + endpoint;
    }
}
