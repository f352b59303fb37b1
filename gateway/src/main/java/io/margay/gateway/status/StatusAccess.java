package io.margay.gateway.status;

import io.margay.server.exchange.Exchange;
import io.margay.server.host.RequestOrigin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Who may change something by a status page: those who have the token, as `Authorization: Bearer
/// TOKEN` or as the password of Basic; without a token nobody. A browser that was led here by
/// another site may not, whatever it knows ([RequestOrigin]). Immutable.
///
/// @param token at least 8 characters, or null: the page is read-only
/// @param everybody whether no token is asked for: those who may not see the page are kept out
///   before
public record StatusAccess(@Nullable String token, boolean everybody) {
    private static final int TOKEN_CHARACTERS_MIN = 8;

    /// Shows and changes nothing.
    public static final StatusAccess READ_ONLY = new StatusAccess(null);

    /// Lets everybody change something.
    public static final StatusAccess EVERYBODY = new StatusAccess(null, true);

    /// Lets those change something who have the token.
    public StatusAccess(@Nullable String token) {
        this(token, false);
    }

    public StatusAccess {
        if (token != null && token.length() < TOKEN_CHARACTERS_MIN) {
            throw new IllegalArgumentException(
                    "a token has at least " + TOKEN_CHARACTERS_MIN + " characters");
        }
    }

    /// Whether a request holds the token and no other site has made it: it is shown how to change
    /// something.
    boolean isKnown(Exchange exchange) {
        String expected = token;
        String given = given(exchange.request().field("authorization"));
        boolean held =
                expected != null
                        && given != null
                        && MessageDigest.isEqual(
                                given.getBytes(StandardCharsets.UTF_8),
                                expected.getBytes(StandardCharsets.UTF_8));
        return (everybody || held) && RequestOrigin.of(exchange) != RequestOrigin.OTHER;
    }

    /// Whether a request that is known may change something. Browsers send the password of Basic of
    /// their own accord, so one that does not tell which page has made the request may not.
    boolean mayChange(Exchange exchange) {
        return isKnown(exchange)
                && (RequestOrigin.of(exchange) == RequestOrigin.OWN
                        || isBearer(exchange.request().field("authorization")));
    }

    private static boolean isBearer(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7);
    }

    private static @Nullable String given(@Nullable String authorization) {
        if (authorization == null) {
            return null;
        }
        if (isBearer(authorization)) {
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
