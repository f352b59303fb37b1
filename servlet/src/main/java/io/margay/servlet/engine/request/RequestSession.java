package io.margay.servlet.engine.request;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Cookies;
import io.margay.protocol.http.Fields;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.SessionTracker;
import io.margay.servlet.session.SessionStore;
import io.margay.servlet.session.SessionWrite;
import io.margay.servlet.session.WebSession;
import io.margay.servlet.settings.ForwardedRequests;
import org.jspecify.annotations.Nullable;

/// The session that one request asks for, and those it uses. Used by one thread at a time.
///
/// A request that is dispatched across contexts uses a session in each of them, under one
/// identifier of its own.
final class RequestSession {
    private final ServerRequest request;
    private @Nullable String requestedId;
    private boolean fromCookie;
    private boolean fromUrl;
    private boolean requestedWasLive;
    private @Nullable WebSession own;
    private @Nullable Application foreignApp;
    private @Nullable WebSession foreign;

    /// Whether something else lets go of them.
    private boolean handedOver;

    RequestSession(ServerRequest request) {
        this.request = request;
    }

    /// Looks for an identifier and counts the request as a use of its session.
    ///
    /// @throws SessionStore.UnknownException when it cannot be told now whether it has one
    void find(CanonicalPath path, Fields fields) {
        SessionTracker sessions = request.home().sessions();
        if (sessions.tracksByCookie() && fields.contains("cookie")) {
            findInCookies(fields, sessions);
        }
        if (requestedId == null && sessions.tracksByUrl()) {
            String id = path.parameter(sessions.parameterName());
            if (id != null) {
                requestedId = id;
                fromUrl = true;
                long begun = begunMillis();
                adopt(look(sessions, id, begun), begun);
            }
        }
    }

    /// The first identifier that has a live session counts, else the first one.
    private void findInCookies(Fields fields, SessionTracker sessions) {
        String name = sessions.cookie().effectiveName();
        SessionStore.UnknownException unknown = null;
        for (Cookies.Cookie cookie : Cookies.decode(fields)) {
            if (!cookie.name().equals(name)) {
                continue;
            }
            long begun = begunMillis();
            WebSession found = null;
            // One look that fails is waited for, and no more of them.
            if (unknown == null || sessions.knows(cookie.value())) {
                try {
                    found = look(sessions, cookie.value(), begun);
                } catch (SessionStore.UnknownException e) {
                    unknown = e;
                }
            }
            if (requestedId == null || found != null) {
                requestedId = cookie.value();
                fromCookie = true;
            }
            if (found != null) {
                adopt(found, begun);
                return;
            }
        }
        if (unknown != null) {
            throw unknown;
        }
    }

    /// The session that the request asked for when it began and that was none then: what cannot be
    /// told now is none still.
    private static @Nullable WebSession findSince(Application app, String id) {
        try {
            return app.sessions().find(id);
        } catch (SessionStore.UnknownException e) {
            return null;
        }
    }

    /// When the request began, since the epoch. What passes meanwhile makes it no later.
    private long begunMillis() {
        long now = System.currentTimeMillis();
        return now - (System.nanoTime() - request.exchange.startNanos()) / 1_000_000;
    }

    private @Nullable WebSession look(SessionTracker sessions, String id, long begunMillis) {
        return sessions.find(id, begunMillis, request.exchange::hasClientGone);
    }

    private void adopt(@Nullable WebSession found, long begunMillis) {
        if (found != null) {
            found.access(begunMillis);
            own = found;
            requestedWasLive = true;
        }
    }

    @Nullable String requestedId() {
        return requestedId;
    }

    boolean isFromCookie() {
        return fromCookie;
    }

    boolean isFromUrl() {
        return fromUrl;
    }

    /// @throws SessionStore.UnknownException when that of another application cannot be told now
    boolean isRequestedValid(Application app) {
        String id = requestedId;
        if (id == null) {
            return false;
        }
        WebSession found = own;
        if (app != request.home()) {
            found = app.sessions().find(id);
        } else if (!requestedWasLive) {
            found = findSince(app, id);
        }
        return found != null && found.isLive() && found.getId().equals(id);
    }

    /// @throws SessionStore.UnknownException when that of another application cannot be told now: a
    ///   new one would take the place of one that is only not found
    @Nullable WebSession get(Application app, boolean create) {
        if (app != request.home()) {
            return getForeign(app, create);
        }
        WebSession current = own;
        if (current != null && current.isLive()) {
            return current;
        }
        if (current != null) {
            release(current);
            own = null;
        }
        if (!create) {
            return null;
        }
        WebSession created = create(app);
        own = created;
        return created;
    }

    private WebSession create(Application app) {
        if (!request.cycle.maySendSession()) {
            throw new IllegalStateException(
                    "a session cannot be created: the response has been committed");
        }
        WebSession created = app.sessions().create();
        created.join();
        sendCookie(app, created);
        return created;
    }

    private @Nullable WebSession getForeign(Application app, boolean create) {
        WebSession current = foreign;
        if (current != null && foreignApp == app && current.isLive()) {
            return current;
        }
        if (current != null) {
            release(current);
            foreign = null;
        }
        String id = requestedId;
        WebSession found = id == null ? null : app.sessions().find(id);
        if (found != null) {
            found.access();
        } else if (create) {
            found = create(app);
        }
        foreign = found;
        foreignApp = app;
        return found;
    }

    private void sendCookie(Application app, WebSession session) {
        SessionTracker sessions = app.sessions();
        if (sessions.tracksByCookie()) {
            boolean secure =
                    request.isSecure()
                            || Boolean.TRUE.equals(request.getAttribute(ForwardedRequests.SECURE));
            request.cycle.sendSession(
                    sessions.cookie().cookie(session.getId(), secure, app.contextPath()));
        }
    }

    String changeId(Application app) {
        WebSession current = get(app, false);
        if (current == null) {
            throw new IllegalStateException("the request has no session");
        }
        String fresh = app.sessions().changeId(current);
        sendCookie(app, current);
        return fresh;
    }

    /// Writes what has changed of sessions that are kept outside this process.
    ///
    /// @return false if one was to be written before the response, and could not be
    boolean save(SessionWrite now) {
        boolean saved = own == null || own.save(now);
        return (foreign == null || foreign.save(now)) && saved;
    }

    /// The request is over.
    void release() {
        if (handedOver) {
            return;
        }
        if (own != null) {
            release(own);
        }
        if (foreign != null) {
            release(foreign);
        }
    }

    /// Leaves its sessions to something that lets go of them.
    Runnable handOver() {
        handedOver = true;
        WebSession first = own;
        WebSession second = foreign;
        if (first == null && second == null) {
            return () -> {};
        }
        return () -> {
            if (first != null) {
                release(first);
            }
            if (second != null) {
                release(second);
            }
        };
    }

    private static void release(WebSession session) {
        boolean _ = session.save(SessionWrite.AFTER);
        session.release();
    }
}
