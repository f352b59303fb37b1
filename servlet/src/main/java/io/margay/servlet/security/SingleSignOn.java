package io.margay.servlet.security;

import io.margay.servlet.security.Authenticator.Identity;
import io.margay.servlet.session.SessionIds;
import io.margay.servlet.session.WebSession;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Who has logged in to one application of a host is known to all of them, by a cookie (Tomcat's
/// `SingleSignOn`). Thread-safe.
///
/// A log-in ends everywhere when one of its sessions is invalidated or the user logs out, and when
/// the last of its sessions has timed out. It lives in this process alone.
public final class SingleSignOn {
    /// After so long without a session or a request a log-in is forgotten: an application that was
    /// deployed anew in between has had time to take its sessions over.
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(30);

    private static final int CLEANED_MIN = 64;

    private final Settings settings;
    private final LongSupplier clock;
    private final SessionIds ids = new SessionIds();
    private final Map<String, SignedOn> known = new ConcurrentHashMap<>();
    private final Map<WebSession, String> bySession = new ConcurrentHashMap<>();
    private volatile int cleanAt = CLEANED_MIN;

    /// How users are recognised.
    ///
    /// @param cookieDomain to whose hosts the cookie is sent; null = this one alone
    /// @param reauthenticates whether each application asks its own realm about name and password
    ///   again, which are kept for that
    public record Settings(
            String cookieName, @Nullable String cookieDomain, boolean reauthenticates) {}

    /// How a session has ended.
    public enum Ending {
        TIMED_OUT,
        INVALIDATED
    }

    /// A log-in.
    private static final class SignedOn {
        final Identity identity;
        final String name;
        final @Nullable String password;
        final Map<WebSession, ClassLoader> sessions = new ConcurrentHashMap<>();
        volatile long usedNanos;

        SignedOn(Identity identity, String name, @Nullable String password, long nowNanos) {
            this.identity = identity;
            this.name = name;
            this.password = password;
            usedNanos = nowNanos;
        }
    }

    /// @param clock `System.nanoTime()`
    public SingleSignOn(Settings settings, LongSupplier clock) {
        this.settings = settings;
        this.clock = clock;
    }

    public Settings settings() {
        return settings;
    }

    /// The user whom the cookie of a request stands for, or null; a session of the request belongs
    /// to that log-in from now on.
    ///
    /// @param realm of the application
    @Nullable Identity recall(HttpServletRequest request, Realm realm) {
        String id = idOf(request);
        SignedOn on = id == null ? null : known.get(id);
        if (id == null || on == null) {
            return null;
        }
        on.usedNanos = clock.getAsLong();
        Identity identity = on.identity;
        if (settings.reauthenticates()) {
            User user =
                    on.password == null ? null : realm.authenticateOrNobody(on.name, on.password);
            if (user == null) {
                return null;
            }
            identity = new Identity(user.principal(), user.roles(), identity.method());
        }
        join(id, on, request.getSession(false));
        return identity;
    }

    /// Gives a request of a user who is known by the cookie a session: the log-in lasts as long as
    /// one of its sessions.
    void hold(HttpServletRequest request) {
        String id = idOf(request);
        SignedOn on = id == null ? null : known.get(id);
        if (id != null && on != null) {
            join(id, on, request.getSession(true));
        }
    }

    /// A user has logged in.
    ///
    /// @param method by which
    /// @param password as the client has shown it; null = it has not
    void enter(
            HttpServletRequest request,
            Authenticator.Session exchange,
            User user,
            String method,
            @Nullable String password) {
        String before = idOf(request);
        SignedOn old = before == null ? null : known.get(before);
        if (before != null && old != null) {
            if (old.name.equals(user.name())) {
                join(before, old, request.getSession(true));
                return;
            }
            forget(before);
        }
        clean();
        HttpSession session = request.getSession(true);
        SignedOn on =
                new SignedOn(
                        new Identity(user.principal(), user.roles(), method),
                        user.name(),
                        settings.reauthenticates() ? password : null,
                        clock.getAsLong());
        String id = ids.next();
        known.put(id, on);
        join(id, on, session);
        exchange.addCookie(cookie(id));
    }

    private Cookie cookie(String id) {
        Cookie cookie = new Cookie(settings.cookieName(), id);
        cookie.setPath("/");
        cookie.setHttpOnly(true);
        cookie.setAttribute("SameSite", "Lax");
        if (settings.cookieDomain() != null) {
            cookie.setDomain(settings.cookieDomain());
        }
        return cookie;
    }

    /// The user of a request has logged out, everywhere.
    void signOff(HttpServletRequest request) {
        String id = idOf(request);
        if (id != null) {
            forget(id);
        }
    }

    /// A session has ended while its application runs.
    public void ended(WebSession session, Ending how) {
        String id = bySession.remove(session);
        SignedOn on = id == null ? null : known.get(id);
        if (id == null || on == null) {
            return;
        }
        on.sessions.remove(session);
        if (how == Ending.INVALIDATED) {
            forget(id);
        } else if (on.sessions.isEmpty()) {
            known.remove(id, on);
        }
    }

    /// An application has stopped; its users stay logged in elsewhere.
    public void stopped(ServletContext application) {
        for (WebSession session : Set.copyOf(bySession.keySet())) {
            if (session.getServletContext().equals(application)) {
                String id = bySession.remove(session);
                SignedOn on = id == null ? null : known.get(id);
                if (on != null) {
                    on.sessions.remove(session);
                }
            }
        }
    }

    private void join(String id, SignedOn on, @Nullable HttpSession session) {
        if (session instanceof WebSession own && !id.equals(bySession.put(own, id))) {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            on.sessions.put(own, Objects.requireNonNullElse(loader, getClass().getClassLoader()));
            if (!own.isLive() || !known.containsKey(id)) {
                bySession.remove(own);
                on.sessions.remove(own);
            }
        }
    }

    /// Ends a log-in with all of its sessions, each with the class loader of its application.
    private void forget(String id) {
        SignedOn on = known.remove(id);
        if (on == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            on.sessions.forEach((session, loader) -> {
                bySession.remove(session);
                thread.setContextClassLoader(loader);
                session.end();
            });
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /// Forgets log-ins of which nothing is left, whenever there are twice as many as there were.
    private void clean() {
        if (known.size() < cleanAt) {
            return;
        }
        long now = clock.getAsLong();
        bySession.keySet().removeIf(session -> !session.isLive());
        known.values()
                .removeIf(on -> {
                    on.sessions.keySet().removeIf(session -> !session.isLive());
                    return on.sessions.isEmpty() && now - on.usedNanos > IDLE_NANOS;
                });
        cleanAt = Math.max(CLEANED_MIN, 2 * known.size());
    }

    private @Nullable String idOf(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                boolean named = cookie.getName().equals(settings.cookieName());
                if (named && SessionIds.isWellFormed(cookie.getValue())) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }
}
