package io.margay.servlet.engine.dispatch;

import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Route;
import io.margay.servlet.engine.request.ServerRequest;
import io.margay.servlet.engine.response.ServerResponse;
import io.margay.servlet.security.AccessRequirement;
import io.margay.servlet.security.Authenticator;
import jakarta.servlet.ServletException;
import java.io.IOException;

/// Holds requests to the security constraints of their application (Servlet 6.1 §13), before any
/// filter sees them. Stateless.
public final class AccessCheck {
    private AccessCheck() {}

    /// Whether the request may go on to where it was routed; else it has been answered.
    ///
    /// @param path what the client asked for, before any welcome file
    public static boolean permits(
            Application app, ServerRequest request, ServerResponse response, String path)
            throws IOException, ServletException {
        Route route = request.firstRoute();
        Authenticator authenticator = app.authenticator();
        if (authenticator != null) {
            authenticator.recall(request, request.identity());
        }
        String method = request.getMethod();
        AccessRequirement requirement = app.registrations().constraints().requirement(method, path);
        if (!path.equals(route.path())) {
            requirement =
                    requirement.and(
                            app.registrations().constraints().requirement(method, route.path()));
        }
        if (requirement.confidential() && !requirement.denied() && !request.isSecure()) {
            toSecure(app, request, response, method);
            return false;
        }
        if (authenticator != null) {
            return authenticator.authorize(request, response, request.identity(), requirement)
                    == Authenticator.Decision.PROCEED;
        }
        boolean refused = requirement.denied() || requirement.needsUser();
        if (refused) {
            response.sendError(403);
        }
        return !refused;
    }

    /// Sends the client where it can have confidentially what it asked for in the clear. What it
    /// posted has been read on the way, and is not sent twice.
    private static void toSecure(
            Application app, ServerRequest request, ServerResponse response, String method)
            throws IOException {
        int port = app.settings().securePort();
        if (port == 0 || !(method.equals("GET") || method.equals("HEAD"))) {
            response.sendError(403);
            return;
        }
        String query = request.getQueryString();
        response.sendRedirect(
                "https://"
                        + request.getServerName()
                        + (port == 443 ? "" : ":" + port)
                        + request.getRequestURI()
                        + (query == null ? "" : "?" + query),
                302,
                true);
    }
}
