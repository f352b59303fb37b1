package io.margay.login.oidc;

import io.margay.gateway.login.OpenIdClient;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Makes and reads the cookies of a client. Thread-safe.
final class OidcCookies {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final int KEY_CHARACTERS_MIN = 16;

    /// What no other character of a value is.
    private static final String NUMBER_END = ".";

    private static final int NUMBER_CHARACTERS = 2;

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

    /// The values of the cookies of a login: of several, where it is too long for one without the
    /// ID token, too. The first then begins with their number. Null when it is too long for these.
    @Nullable List<String> of(OidcSession session) {
        String value = seal.seal(session.encode(), purpose + "login");
        if (value.length() > limits.cookieBytesMax() && !session.idToken().isEmpty()) {
            value = seal.seal(session.withoutIdToken().encode(), purpose + "login");
        }
        if (value.length() <= limits.cookieBytesMax()) {
            return List.of(value);
        }
        int room = limits.cookieBytesMax() - NUMBER_CHARACTERS;
        int count = Math.ceilDiv(value.length(), room);
        if (count > limits.cookiesMax()) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String part = value.substring(i * room, Math.min((i + 1) * room, value.length()));
            parts.add(i == 0 ? count + NUMBER_END + part : part);
        }
        return parts;
    }

    /// The login that cookies say; null when they say none.
    ///
    /// @param parts the value of each cookie by its place, from 0 on; null where there is none
    @Nullable OidcSession session(IntFunction<@Nullable String> parts) {
        String first = parts.apply(0);
        if (first == null) {
            return null;
        }
        StringBuilder value = new StringBuilder(first);
        if (first.indexOf(NUMBER_END) == 1) {
            value.delete(0, NUMBER_CHARACTERS);
            int count = first.charAt(0) - '0';
            if (count > limits.cookiesMax()) {
                return null;
            }
            for (int i = 1; i < count; i++) {
                String part = parts.apply(i);
                if (part == null) {
                    return null;
                }
                value.append(part);
            }
        }
        byte[] opened = seal.open(value.toString(), purpose + "login");
        return opened == null ? null : OidcSession.decode(opened);
    }
}
