package io.margay.servlet.settings;

import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.SingleSignOn;
import io.soabase.recordbuilder.core.RecordBuilder;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.SessionTrackingMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
@RecordBuilder
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
        boolean firstParameters)
        implements WebAppSettingsBuilder.With {

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

    /// These settings with servlets that read multipart bodies without a configuration for them.
    public WebAppSettings withCasualMultipart() {
        return withCasualMultipart(true);
    }

    /// These settings with sessions kept elsewhere over a restart.
    public WebAppSettings withSessionFile(@Nullable Path sessionFile) {
        return withSessions(sessions.withFile(sessionFile));
    }

    /// These settings with sessions of a version of the application.
    public WebAppSettings withSessionVersion(String version) {
        return withSessions(sessions.withVersion(version));
    }
}
