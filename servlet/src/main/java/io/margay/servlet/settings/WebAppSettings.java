package io.margay.servlet.settings;

import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.SingleSignOn;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.SessionTrackingMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How one application runs, apart from what it declares itself. Immutable.
///
/// @param contextPath empty, or starts with `/` and does not end with one
/// @param hostName what `getVirtualServerName` says
/// @param temporaryFolder the application's private scratch folder, existing; null = none is
///   offered
/// @param sessions where they live, and how they outlive the application
/// @param initializers container initializers in order, with the classes that each asked for
/// @param attributes context attributes present before anything of the application runs
/// @param authenticator takes the place of the container's own
/// @param absoluteRedirects whether `sendRedirect` makes locations absolute
/// @param errorDetails whether the default error page shows exceptions
/// @param errorReports what is shown in place of the default error page, and on it; null = that
///   page, with exceptions as `errorDetails` says
/// @param cookieSameSite `SameSite` of the session cookie; empty = none is sent
/// @param sessionTracking of an application that says nothing of it
/// @param localeEncodings what `setLocale` means for the encoding of an application that says
///   nothing of it
/// @param realm who may log in; null, unless there is an authenticator = constrained resources
///   answer 403
/// @param singleSignOn with the other applications of the host; null = a log-in is for this one
/// @param memory what clients may make all applications hold
/// @param securePort where HTTPS is spoken: a GET that needs it is sent there; 0 = is answered 403
/// @param trace whether applications are asked TRACE; it is answered 405 else
/// @param listings whether a folder without a welcome file is shown as a list of what it holds
/// @param casualMultipart whether servlets without a multipart configuration read multipart bodies
/// @param firstParameters whether parameters beyond the limit are left out, rather than refused
public record WebAppSettings(
        String contextPath,
        String hostName,
        @Nullable Path temporaryFolder,
        SessionOptions sessions,
        List<Initializer> initializers,
        Map<String, Object> attributes,
        ContextRegistry contexts,
        @Nullable Authenticator authenticator,
        ServletLimits limits,
        boolean absoluteRedirects,
        boolean errorDetails,
        @Nullable ErrorReports errorReports,
        String cookieSameSite,
        Set<SessionTrackingMode> sessionTracking,
        Map<String, String> localeEncodings,
        @Nullable Realm realm,
        @Nullable SingleSignOn singleSignOn,
        MemoryBudget memory,
        int securePort,
        boolean trace,
        boolean listings,
        boolean casualMultipart,
        boolean firstParameters) {

    /// A `ServletContainerInitializer` with the classes it handles (Servlet 6.1 §8.2.4).
    public record Initializer(
            ServletContainerInitializer initializer, @Nullable Set<Class<?>> classes) {}

    public WebAppSettings {
        if (!contextPath.isEmpty() && (!contextPath.startsWith("/") || contextPath.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "context path '" + contextPath + "' must be empty or '/name'");
        }
        initializers = List.copyOf(initializers);
        attributes = Map.copyOf(attributes);
        sessionTracking = Set.copyOf(sessionTracking);
        localeEncodings = Map.copyOf(localeEncodings);
    }

    /// Settings of an application at `contextPath` with everything else at its default: no
    /// persistence, no other contexts, relative redirects, `SameSite=Lax`.
    public static WebAppSettings at(String contextPath) {
        return new WebAppSettings(
                contextPath,
                "localhost",
                null,
                SessionOptions.defaults(),
                List.of(),
                Map.of(),
                ContextRegistry.NONE,
                null,
                ServletLimits.defaults(),
                false,
                false,
                null,
                "Lax",
                Set.of(SessionTrackingMode.COOKIE),
                Map.of(),
                null,
                null,
                MemoryBudget.UNBOUNDED,
                0,
                false,
                false,
                false,
                false);
    }

    /// These settings but for what `change` sets.
    private WebAppSettings with(Consumer<Parts> change) {
        Parts parts = new Parts(this);
        change.accept(parts);
        return new WebAppSettings(
                parts.contextPath,
                parts.hostName,
                parts.temporaryFolder,
                parts.sessions,
                parts.initializers,
                parts.attributes,
                parts.contexts,
                parts.authenticator,
                parts.limits,
                parts.absoluteRedirects,
                parts.errorDetails,
                parts.errorReports,
                parts.cookieSameSite,
                parts.sessionTracking,
                parts.localeEncodings,
                parts.realm,
                parts.singleSignOn,
                parts.memory,
                parts.securePort,
                parts.trace,
                parts.listings,
                parts.casualMultipart,
                parts.firstParameters);
    }

    /// The parts of settings, while others are made of them.
    private static final class Parts {
        String contextPath;
        String hostName;
        @Nullable Path temporaryFolder;
        SessionOptions sessions;
        List<Initializer> initializers;
        Map<String, Object> attributes;
        ContextRegistry contexts;
        @Nullable Authenticator authenticator;
        ServletLimits limits;
        boolean absoluteRedirects;
        boolean errorDetails;
        @Nullable ErrorReports errorReports;
        String cookieSameSite;
        Set<SessionTrackingMode> sessionTracking;
        Map<String, String> localeEncodings;
        @Nullable Realm realm;
        @Nullable SingleSignOn singleSignOn;
        MemoryBudget memory;
        int securePort;
        boolean trace;
        boolean listings;
        boolean casualMultipart;
        boolean firstParameters;

        Parts(WebAppSettings of) {
            contextPath = of.contextPath;
            hostName = of.hostName;
            temporaryFolder = of.temporaryFolder;
            sessions = of.sessions;
            initializers = of.initializers;
            attributes = of.attributes;
            contexts = of.contexts;
            authenticator = of.authenticator;
            limits = of.limits;
            absoluteRedirects = of.absoluteRedirects;
            errorDetails = of.errorDetails;
            errorReports = of.errorReports;
            cookieSameSite = of.cookieSameSite;
            sessionTracking = of.sessionTracking;
            localeEncodings = of.localeEncodings;
            realm = of.realm;
            singleSignOn = of.singleSignOn;
            memory = of.memory;
            securePort = of.securePort;
            trace = of.trace;
            listings = of.listings;
            casualMultipart = of.casualMultipart;
            firstParameters = of.firstParameters;
        }
    }

    /// These settings with another `hostName`.
    public WebAppSettings withHostName(String hostName) {
        return with(parts -> parts.hostName = hostName);
    }

    /// These settings with parameters beyond the limit left out, or refused.
    public WebAppSettings withFirstParameters(boolean first) {
        return with(parts -> parts.firstParameters = first);
    }

    /// These settings with servlets that read multipart bodies without a configuration for them.
    public WebAppSettings withCasualMultipart() {
        return with(parts -> parts.casualMultipart = true);
    }

    /// These settings with another `temporaryFolder`.
    public WebAppSettings withTemporaryFolder(@Nullable Path temporaryFolder) {
        return with(parts -> parts.temporaryFolder = temporaryFolder);
    }

    /// These settings with sessions kept elsewhere over a restart.
    public WebAppSettings withSessionFile(@Nullable Path sessionFile) {
        return withSessions(sessions.withFile(sessionFile));
    }

    /// These settings with sessions of a version of the application.
    public WebAppSettings withSessionVersion(String version) {
        return withSessions(sessions.withVersion(version));
    }

    /// These settings with another `sessions`.
    public WebAppSettings withSessions(SessionOptions sessions) {
        return with(parts -> parts.sessions = sessions);
    }

    /// These settings with another `initializers`.
    public WebAppSettings withInitializers(List<Initializer> initializers) {
        return with(parts -> parts.initializers = initializers);
    }

    /// These settings with another `attributes`.
    public WebAppSettings withAttributes(Map<String, Object> attributes) {
        return with(parts -> parts.attributes = attributes);
    }

    /// These settings with another `contexts`.
    public WebAppSettings withContexts(ContextRegistry contexts) {
        return with(parts -> parts.contexts = contexts);
    }

    /// These settings with another `limits`.
    public WebAppSettings withLimits(ServletLimits limits) {
        return with(parts -> parts.limits = limits);
    }

    /// These settings with another `absoluteRedirects`.
    public WebAppSettings withAbsoluteRedirects(boolean absoluteRedirects) {
        return with(parts -> parts.absoluteRedirects = absoluteRedirects);
    }

    /// These settings with another `errorDetails`.
    public WebAppSettings withErrorDetails(boolean errorDetails) {
        return with(parts -> parts.errorDetails = errorDetails);
    }

    /// These settings with other `errorReports`.
    public WebAppSettings withErrorReports(@Nullable ErrorReports errorReports) {
        return with(parts -> parts.errorReports = errorReports);
    }

    /// These settings with another `trace`.
    public WebAppSettings withTrace(boolean trace) {
        return with(parts -> parts.trace = trace);
    }

    /// These settings with another `listings`.
    public WebAppSettings withListings(boolean listings) {
        return with(parts -> parts.listings = listings);
    }

    /// These settings with another `cookieSameSite`.
    public WebAppSettings withCookieSameSite(String cookieSameSite) {
        return with(parts -> parts.cookieSameSite = cookieSameSite);
    }

    /// These settings with another `sessionTracking`.
    public WebAppSettings withSessionTracking(Set<SessionTrackingMode> sessionTracking) {
        return with(parts -> parts.sessionTracking = sessionTracking);
    }

    /// These settings with another `localeEncodings`.
    public WebAppSettings withLocaleEncodings(Map<String, String> localeEncodings) {
        return with(parts -> parts.localeEncodings = localeEncodings);
    }

    /// These settings with another `realm`.
    public WebAppSettings withRealm(@Nullable Realm realm) {
        return with(parts -> parts.realm = realm);
    }

    /// These settings with another `singleSignOn`.
    public WebAppSettings withSingleSignOn(@Nullable SingleSignOn singleSignOn) {
        return with(parts -> parts.singleSignOn = singleSignOn);
    }

    /// These settings with another `memory`.
    public WebAppSettings withMemory(MemoryBudget budget) {
        return with(parts -> parts.memory = budget);
    }

    /// These settings with another `securePort`.
    public WebAppSettings withSecurePort(int securePort) {
        return with(parts -> parts.securePort = securePort);
    }
}
