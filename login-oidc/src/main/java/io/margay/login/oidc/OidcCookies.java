package io.margay.login.oidc;

import io.margay.gateway.login.OpenIdClient;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Makes and reads the cookies of a client. Thread-safe.
final class OidcCookies {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final int KEY_CHARACTERS_MIN = 16;

    private final OidcLimits limits;
    private final CookieSeal seal;
    private final String purpose;

    /// @param made used where the client has no key
    OidcCookies(OpenIdClient client, CookieSeal made, OidcLimits limits) {
        this.limits = limits;
        purpose = Ends.purpose(client);
        seal = seal(client, made);
    }

    /// With a key that cannot be read nobody stays logged in on other servers, but nobody comes in
    /// either.
    private static CookieSeal seal(OpenIdClient client, CookieSeal made) {
        if (!client.session().key().isThere()) {
            return made;
        }
        try {
            String key = client.session().key().read();
            if (key.length() >= KEY_CHARACTERS_MIN) {
                return new CookieSeal(key.getBytes(StandardCharsets.UTF_8));
            }
            LOG.log(Level.WARNING, "the key of login cookies is too short: it is not used");
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the key of login cookies is not used: " + e);
        }
        return made;
    }

    String of(LoginState state) {
        return seal.seal(state.encode(), purpose + "state");
    }

    @Nullable LoginState state(String value) {
        byte[] opened = seal.open(value, purpose + "state");
        return opened == null ? null : LoginState.decode(opened);
    }

    /// The value for a login; null when the login is too large for a cookie.
    @Nullable String of(OidcSession session) {
        String value = seal.seal(session.encode(), purpose + "login");
        if (value.length() > limits.cookieBytesMax() && !session.idToken().isEmpty()) {
            value = seal.seal(session.withoutIdToken().encode(), purpose + "login");
        }
        return value.length() > limits.cookieBytesMax() ? null : value;
    }

    @Nullable OidcSession session(String value) {
        byte[] opened = seal.open(value, purpose + "login");
        return opened == null ? null : OidcSession.decode(opened);
    }
}
