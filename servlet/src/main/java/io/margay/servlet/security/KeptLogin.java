package io.margay.servlet.security;

import io.margay.servlet.security.Authenticator.Identity;
import io.margay.servlet.security.PutOffRequests.Asked;
import io.margay.servlet.session.SavedLogin;
import io.margay.servlet.session.SessionLogin;
import io.margay.servlet.session.WebSession;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a session remembers of logging in. Immutable.
///
/// Who has logged in for as long as the session lasts is written with the session, and is asked for
/// in the realm when it comes back ([#recalled]). What was put off is not.
///
/// @param identity who logged in
/// @param lasts whether later requests of the session are this user's without more ado
/// @param asked what the client wanted when it was asked to log in, until it has it
record KeptLogin(@Nullable Identity identity, boolean lasts, @Nullable Asked asked)
        implements SessionLogin {
    private static final KeptLogin NOTHING = new KeptLogin(null, false, null);

    @Override
    public @Nullable SavedLogin saved() {
        return lasts && identity != null && identity.principal() instanceof User user
                ? new SavedLogin(user.name(), identity.roles(), identity.method())
                : null;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // whether it is this very request that is kept on
    public void replacedBy(@Nullable SessionLogin next) {
        Asked before = asked;
        if (before != null && !(next instanceof KeptLogin kept && kept.asked == before)) {
            before.letGo();
        }
    }

    @Override
    public SessionLogin at(long nowNanos) {
        Asked now = asked;
        return now != null && now.isLate(nowNanos) ? new KeptLogin(identity, lasts, null) : this;
    }

    /// The same as [#of], but for a session that comes from a former life of the application: it is
    /// its user's again if the realm still has such a user, with the roles that the user has kept.
    static KeptLogin recalled(HttpServletRequest request, Realm realm) {
        if (!(request.getSession(false) instanceof WebSession session)) {
            return NOTHING;
        }
        return switch (session.login()) {
            case KeptLogin kept -> kept;
            case SavedLogin saved -> {
                KeptLogin kept = found(saved, realm);
                session.login(kept);
                yield kept;
            }
            case null, default -> NOTHING;
        };
    }

    private static KeptLogin found(SavedLogin saved, Realm realm) {
        User now = realm.user(saved.user());
        if (now == null) {
            return NOTHING;
        }
        Set<String> roles = new HashSet<>(saved.roles());
        roles.retainAll(now.roles());
        return new KeptLogin(
                new Identity(new User(saved.user(), roles), roles, saved.method()), true, null);
    }

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
        new KeptLogin(identity, lasts, of(request).asked()).keep(request);
        if (request.getSession(false) instanceof WebSession session) {
            session.lasts();
        }
    }
}
