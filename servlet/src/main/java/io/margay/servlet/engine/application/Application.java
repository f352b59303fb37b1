package io.margay.servlet.engine.application;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestFailures;
import io.margay.server.meter.InFlight;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.engine.registration.AppRuntime;
import io.margay.servlet.engine.registration.Registrations;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.security.ContainerAuthenticator;
import io.margay.servlet.security.Realm;
import io.margay.servlet.session.SessionStore;
import io.margay.servlet.session.SessionTotals;
import io.margay.servlet.settings.WebAppSettings;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One application as its requests see it: what it has registered, its sessions, and what they
/// share. It knows nothing of requests itself.
///
/// Configured by the thread that starts it; a request sees it only afterwards, fixed but for
/// context attributes, sessions and the pool of buffers, which are thread-safe.
public final class Application {
    private final AppRuntime runtime;
    private final Registrations registrations;
    private final SessionTracker sessions;
    private final @Nullable Authenticator authenticator;
    private final ContentTypes contentTypes = new ContentTypes();
    private final ResponseBuffers buffers = new ResponseBuffers();
    private final InFlight visitors = new InFlight();
    private final Map<String, String> localeEncodings;

    /// An application that is declared but not started.
    ///
    /// @param files the servlet for what nothing else is mapped to
    public Application(
            WebAppDescriptor descriptor,
            WebResources resources,
            ClassLoader loader,
            WebAppSettings settings,
            Servlet files) {
        this.runtime = new AppRuntime(descriptor, resources, loader, settings);
        this.registrations = new Registrations(runtime, files);
        this.localeEncodings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        localeEncodings.putAll(settings.localeEncodings());
        localeEncodings.putAll(descriptor.content().localeEncodings());
        this.authenticator = authenticator(descriptor, settings);
        this.sessions = new SessionTracker(runtime, registrations.listeners());
    }

    private static @Nullable Authenticator authenticator(
            WebAppDescriptor descriptor, WebAppSettings settings) {
        Realm realm = settings.realm();
        if (settings.authenticator() != null || realm == null) {
            return settings.authenticator();
        }
        return new ContainerAuthenticator(
                descriptor.security().login(), realm, settings.memory(), settings.singleSignOn());
    }

    // Parts

    /// What its parts share.
    public AppRuntime runtime() {
        return runtime;
    }

    public Registrations registrations() {
        return registrations;
    }

    public WebAppSettings settings() {
        return runtime.settings();
    }

    public String contextPath() {
        return runtime.contextPath();
    }

    /// The application as its own code sees it.
    public ServletContext context() {
        return runtime.context();
    }

    /// Null = nobody can log in.
    public @Nullable Authenticator authenticator() {
        return authenticator;
    }

    public SessionTracker sessions() {
        return sessions;
    }

    public ResponseBuffers buffers() {
        return buffers;
    }

    public ContentTypes contentTypes() {
        return contentTypes;
    }

    /// Requests of other applications that are in this one by a dispatch.
    public InFlight visitors() {
        return visitors;
    }

    /// The character encoding that the descriptor maps a locale to, or null.
    public @Nullable String encodingOf(Locale locale) {
        String byCountry = localeEncodings.get(locale.toString());
        return byCountry != null ? byCountry : localeEncodings.get(locale.getLanguage());
    }

    public void log(String message, @Nullable Throwable cause) {
        runtime.log(message, cause);
    }

    /// Where failures go that requests can bring about.
    public RequestFailures failures() {
        return runtime.failures();
    }

    public Logger logger() {
        return runtime.logger();
    }

    // Sessions, for the container

    /// See [SessionTracker#follow].
    public void follow(Application before) {
        ClassLoader loader = runtime.enter();
        try {
            sessions.follow(before.sessions);
        } finally {
            runtime.leave(loader);
        }
    }

    /// The same of another process.
    public void follow(SessionStore.Elsewhere before) {
        sessions.follow(before);
    }

    /// See [SessionStore#give].
    public byte @Nullable [] give(String sessionId) throws IOException {
        ClassLoader before = runtime.enter();
        try {
            return sessions.give(sessionId);
        } finally {
            runtime.leave(before);
        }
    }

    /// See [SessionTracker#followed].
    public void followed() {
        ClassLoader before = runtime.enter();
        try {
            sessions.followed();
        } finally {
            runtime.leave(before);
        }
    }

    /// Whether a request carries the identifier of a live session.
    public boolean knowsSessionOf(Exchange exchange) {
        return sessions.knows(exchange.path(), exchange.request().fields());
    }

    /// The live sessions.
    public Collection<HttpSession> liveSessions() {
        return List.copyOf(sessions.all());
    }

    /// The number of live sessions.
    public int sessionCount() {
        return sessions.size();
    }

    /// How many there have been.
    public SessionTotals sessionTotals() {
        return sessions.totals();
    }
}
