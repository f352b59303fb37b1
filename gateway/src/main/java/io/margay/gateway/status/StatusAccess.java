package io.margay.gateway.status;

import io.margay.server.exchange.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Who may change something by a status page: whoever has the token, as `Authorization: Bearer
/// TOKEN` or as the password of Basic; without a token nobody. A browser that was led here by
/// another site may not, whatever it knows. Immutable.
///
/// @param token at least 8 characters, or null: the page is read-only
public record StatusAccess(@Nullable String token) {
    private static final int TOKEN_CHARACTERS_MIN = 8;

    /// Shows and changes nothing.
    public static final StatusAccess READ_ONLY = new StatusAccess(null);

    public StatusAccess {
        if (token != null && token.length() < TOKEN_CHARACTERS_MIN) {
            throw new IllegalArgumentException(
                    "a token has at least " + TOKEN_CHARACTERS_MIN + " characters");
        }
    }

    boolean mayChange(Exchange exchange) {
        String expected = token;
        String given = given(exchange.request().field("authorization"));
        return expected != null
                && given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8),
                        expected.getBytes(StandardCharsets.UTF_8))
                && isOwnSite(exchange.request().field("sec-fetch-site"));
    }

    private static boolean isOwnSite(@Nullable String from) {
        return from == null || from.equals("same-origin") || from.equals("none");
    }

    private static @Nullable String given(@Nullable String authorization) {
        if (authorization == null) {
            return null;
        }
        if (authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return authorization.substring(7).strip();
        }
        if (!authorization.regionMatches(true, 0, "Basic ", 0, 6)) {
            return null;
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(authorization.substring(6).strip());
            String pair = new String(decoded, StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0 ? null : pair.substring(colon + 1);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return "StatusAccess[token=" + (token == null ? "none" : "hidden") + "]";
    }
}
