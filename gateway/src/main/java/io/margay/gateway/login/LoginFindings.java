package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What has been found out of the sender of one request, for as long as the request lives: no user,
/// service or provider is asked about it twice. Confined to the loop thread of the exchange.
public final class LoginFindings {
    private static final ExchangeNotes.Key<LoginFindings> KEY =
            new ExchangeNotes.Key<>(LoginFindings.class);

    private final Map<Object, LoginResult> results = new HashMap<>(4);
    private @Nullable LoginCookies cookies;
    private boolean stale;

    private LoginFindings() {}

    /// Those of a request.
    public static LoginFindings of(Exchange exchange) {
        LoginFindings known = exchange.notes().get(KEY);
        if (known == null) {
            known = new LoginFindings();
            exchange.notes().put(KEY, known);
        }
        return known;
    }

    /// What is known where `asked` was asked; null = it has not been asked.
    public @Nullable LoginResult known(Object asked) {
        return results.get(asked);
    }

    /// Notes what was found out.
    public void found(Object asked, LoginResult result) {
        LoginResult _ = results.put(asked, result);
    }

    /// The cookies of logins at providers that were taken out of it; null = none have been looked
    /// for.
    @Nullable LoginCookies cookies() {
        return cookies;
    }

    void cookies(LoginCookies taken) {
        cookies = taken;
    }

    /// Whether a password was right that was sent with a nonce that does not hold any more.
    boolean isStale() {
        return stale;
    }

    void stale() {
        stale = true;
    }
}
