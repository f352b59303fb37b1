package io.margay.servlet.engine.application;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Cookies;
import io.margay.protocol.http.Fields;
import io.margay.servlet.engine.registration.AppRuntime;
import io.margay.servlet.engine.registration.ListenerSet;
import io.margay.servlet.security.SingleSignOn;
import io.margay.servlet.security.SingleSignOn.Ending;
import io.margay.servlet.session.SessionClock;
import io.margay.servlet.session.SessionEvents;
import io.margay.servlet.session.SessionIds;
import io.margay.servlet.session.SessionStore;
import io.margay.servlet.session.SessionStoresPurposeBuilder;
import io.margay.servlet.session.SessionTotals;
import io.margay.servlet.session.WebSession;
import io.margay.servlet.settings.SessionOptions;
import jakarta.servlet.ServletContext;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The sessions of one application, and how requests carry their identifiers (Servlet 6.1 §7).
/// Configured by the starting thread; thread-safe afterwards.
public final class SessionTracker implements SessionEvents {
    private static final long REAP_MILLIS = 10_000;

    private final AppRuntime runtime;
    private final ListenerSet listeners;
    private final SessionCookie cookie;
    private final SessionStore store;
    private Set<SessionTrackingMode> modes;
    private int timeoutMinutes;

    SessionTracker(AppRuntime runtime, ListenerSet listeners) {
        this.runtime = runtime;
        this.listeners = listeners;
        var definition = runtime.descriptor().session();
        this.cookie = new SessionCookie(runtime, definition, runtime.settings().cookieSameSite());
        this.timeoutMinutes = definition.timeoutMinutes();
        this.modes =
                definition.trackingModes().isEmpty()
                        ? defaultTrackingModes()
                        : Set.copyOf(definition.trackingModes());
        SessionOptions options = runtime.settings().sessions();
        this.store =
                options.stores()
                        .open(
                                SessionStoresPurposeBuilder.builder()
                                        .application(name(runtime, options))
                                        .ids(new SessionIds(options.route()))
                                        .events(this)
                                        .clock(SessionClock.SYSTEM)
                                        .sessionsMax(runtime.settings().limits().sessionsMax())
                                        .file(options.file())
                                        .loader(runtime.loader())
                                        .handoverWait(options.handoverWait())
                                        .build());
    }

    /// The same on every server that serves the application: host, path and version.
    private static String name(AppRuntime runtime, SessionOptions options) {
        String version = options.version().isEmpty() ? "" : "##" + options.version();
        return runtime.settings().hostName() + runtime.settings().contextPath() + version;
    }

    // Life

    public void start() {
        try {
            int _ = store.start();
        } catch (IOException e) {
            runtime.logger().log(Level.WARNING, "sessions are not restored: " + e.getMessage());
        }
        runtime.timer().every(REAP_MILLIS, this::reap);
    }

    private void reap() {
        ClassLoader before = runtime.enter();
        try {
            store.expire();
        } catch (RuntimeException | LinkageError e) {
            runtime.log("a session could not be ended", e);
        } finally {
            runtime.leave(before);
        }
    }

    public void stop() {
        store.stop();
        SingleSignOn signOn = runtime.settings().singleSignOn();
        if (signOn != null) {
            signOn.stopped(runtime.context());
        }
    }

    /// Takes over the sessions of the previous application, as they are asked for.
    void follow(SessionTracker before) {
        store.follow(before.store);
    }

    /// The same of another process.
    void follow(SessionStore.Elsewhere before) {
        store.follow(before);
    }

    /// See [SessionStore#give].
    byte @Nullable [] give(String id) throws IOException {
        return store.give(id);
    }

    /// Takes over the rest of them.
    void followed() {
        store.followed();
    }

    // Configuration

    public SessionCookie cookie() {
        return cookie;
    }

    public Set<SessionTrackingMode> defaultTrackingModes() {
        return runtime.settings().sessionTracking();
    }

    public Set<SessionTrackingMode> trackingModes() {
        return modes;
    }

    public void trackingModes(Set<SessionTrackingMode> wanted) {
        boolean mixed = wanted.contains(SessionTrackingMode.SSL) && wanted.size() > 1;
        if (mixed) {
            throw new IllegalArgumentException("SSL tracking excludes the other modes");
        }
        if (wanted.contains(SessionTrackingMode.SSL)) {
            throw new IllegalArgumentException("SSL tracking is not offered");
        }
        modes = wanted.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(wanted));
    }

    public boolean tracksByUrl() {
        return modes.contains(SessionTrackingMode.URL);
    }

    public boolean tracksByCookie() {
        return modes.contains(SessionTrackingMode.COOKIE);
    }

    /// The name of the path parameter that carries an identifier.
    public String parameterName() {
        String name = cookie.getName();
        return name == null || name.isEmpty() ? "jsessionid" : name;
    }

    public int timeoutMinutes() {
        return timeoutMinutes;
    }

    public void timeoutMinutes(int minutes) {
        timeoutMinutes = minutes;
    }

    // Sessions

    /// @throws SessionStore.UnknownException when that cannot be told now
    public @Nullable WebSession find(String id) {
        return store.find(id);
    }

    /// The same for a request that has begun before.
    ///
    /// @param begunMillis when it began, since the epoch
    /// @param isLeft whether its client has gone
    public @Nullable WebSession find(String id, long begunMillis, BooleanSupplier isLeft) {
        return store.find(id, begunMillis, isLeft);
    }

    /// Whether there is a live session, as far as that is known here. Never waits.
    public boolean knows(String id) {
        return store.knows(id);
    }

    /// Whether a request carries the identifier of a live session. Never waits.
    boolean knows(CanonicalPath path, Fields fields) {
        if (tracksByCookie() && fields.contains("cookie")) {
            String name = cookie.effectiveName();
            for (Cookies.Cookie sent : Cookies.decode(fields)) {
                if (sent.name().equals(name) && knows(sent.value())) {
                    return true;
                }
            }
        }
        String id = tracksByUrl() ? path.parameter(parameterName()) : null;
        return id != null && knows(id);
    }

    /// Whether a request carries the identifier of a session, be it alive or not.
    public boolean isNamed(CanonicalPath path, Fields fields) {
        return cookieOf(fields) != null
                || (tracksByUrl() && path.parameter(parameterName()) != null);
    }

    /// The session of a request whose first identifier in a cookie is that of one at hand; else
    /// null. Never waits.
    public @Nullable WebSession ready(Fields fields) {
        String id = cookieOf(fields);
        return id == null ? null : store.ready(id);
    }

    private @Nullable String cookieOf(Fields fields) {
        if (tracksByCookie() && fields.contains("cookie")) {
            String name = cookie.effectiveName();
            for (Cookies.Cookie sent : Cookies.decode(fields)) {
                if (sent.name().equals(name)) {
                    return sent.value();
                }
            }
        }
        return null;
    }

    public WebSession create() {
        return store.create(timeoutMinutes <= 0 ? 0 : timeoutMinutes * 60);
    }

    public String changeId(WebSession session) {
        return store.changeId(session);
    }

    int size() {
        return store.size();
    }

    SessionTotals totals() {
        return store.totals();
    }

    Collection<WebSession> all() {
        return store.all();
    }

    // SessionEvents

    @Override
    public ServletContext context() {
        return runtime.context();
    }

    @Override
    public void created(WebSession session) {
        HttpSessionEvent event = new HttpSessionEvent(session);
        for (HttpSessionListener listener : listeners.sessions()) {
            listener.sessionCreated(event);
        }
    }

    @Override
    public void destroyed(WebSession session) {
        HttpSessionEvent event = new HttpSessionEvent(session);
        List<HttpSessionListener> told = listeners.sessions();
        for (int i = told.size() - 1; i >= 0; i--) {
            try {
                told.get(i).sessionDestroyed(event);
            } catch (RuntimeException | LinkageError e) {
                runtime.log("a session listener failed", e);
            }
        }
        SingleSignOn signOn = runtime.settings().singleSignOn();
        if (signOn != null && runtime.isRunning()) {
            signOn.ended(session, session.isExpired() ? Ending.TIMED_OUT : Ending.INVALIDATED);
        }
    }

    @Override
    public void idChanged(WebSession session, String oldId) {
        HttpSessionEvent event = new HttpSessionEvent(session);
        for (HttpSessionIdListener listener : listeners.sessionIds()) {
            listener.sessionIdChanged(event, oldId);
        }
    }

    @Override
    public void attributeChanged(
            WebSession session, String name, @Nullable Object before, @Nullable Object after) {
        List<HttpSessionAttributeListener> told = listeners.sessionAttributes();
        if (told.isEmpty()) {
            return;
        }
        Object shown = before != null ? before : after;
        HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, shown);
        for (HttpSessionAttributeListener listener : told) {
            if (before == null) {
                listener.attributeAdded(event);
            } else if (after == null) {
                listener.attributeRemoved(event);
            } else {
                listener.attributeReplaced(event);
            }
        }
    }

    @Override
    public void told(String what) {
        runtime.logger().log(Level.INFO, what);
    }

    @Override
    public void failed(String what, Throwable cause) {
        runtime.log(what, cause);
    }
}
