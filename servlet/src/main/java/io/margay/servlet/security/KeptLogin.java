package io.margay.servlet.security;

import io.margay.servlet.session.WebSession;
import io.margay.servlet.settings.Authenticator.Identity;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// What a session remembers of logging in; it ends with the server. Immutable.
///
/// @param identity who logged in
/// @param lasts whether later requests of the session are this user's without more ado
/// @param asked where the client wanted to go when it was asked to log in
record KeptLogin(@Nullable Identity identity, boolean lasts, @Nullable String asked) {
    private static final KeptLogin NOTHING = new KeptLogin(null, false, null);

    static KeptLogin of(HttpServletRequest request) {
        return request.getSession(false) instanceof WebSession session
                        && session.login() instanceof KeptLogin kept
                ? kept
                : NOTHING;
    }

    /// Keeps it in the session of the request, if it has one.
    void keep(HttpServletRequest request) {
        if (request.getSession(false) instanceof WebSession session) {
            session.login(this);
        }
    }

    /// Forgets everything that the session remembers.
    static void forget(HttpServletRequest request) {
        NOTHING.keep(request);
    }

    /// Gives the session another identifier, for who knew the old one may not be who logged in, and
    /// keeps the user.
    static void enter(HttpServletRequest request, Identity identity, boolean lasts) {
        if (request.getSession(false) == null) {
            return;
        }
        Identity before = of(request).identity();
        if (before == null || !before.principal().equals(identity.principal())) {
            request.changeSessionId();
        }
        new KeptLogin(identity, lasts, null).keep(request);
    }
}
