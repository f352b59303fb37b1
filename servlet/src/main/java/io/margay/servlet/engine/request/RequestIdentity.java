package io.margay.servlet.engine.request;

import io.margay.server.exchange.Exchange;
import io.margay.servlet.engine.application.Route;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.settings.ForwardedRequests;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/// Who the user of one request is. Used by one thread at a time.
final class RequestIdentity implements Authenticator.Session {
    private final ServerRequest request;
    private Authenticator.@Nullable Identity identity;

    RequestIdentity(ServerRequest request) {
        this.request = request;
        identity = isAskedHere() ? null : ofFrontEnd(request.exchange);
    }

    /// Whether the application asks users itself, so that it does not matter who they are to the
    /// host.
    private boolean isAskedHere() {
        Authenticator authenticator = request.home().authenticator();
        return request.exchange.remoteUser() != null
                && request.exchange.notes().userMethod() != null
                && authenticator != null
                && authenticator.hasMethod();
    }

    /// The user whom the host or a trusted front end has authenticated, with the roles that the
    /// host knows of; or null.
    private static Authenticator.@Nullable Identity ofFrontEnd(Exchange exchange) {
        String user = exchange.remoteUser();
        if (user == null) {
            return null;
        }
        String method = exchange.authType();
        return new Authenticator.Identity(
                new NamedPrincipal(user),
                exchange.notes().userRoles(),
                method == null ? "" : method);
    }

    private record NamedPrincipal(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }
    }

    @Override
    public Authenticator.@Nullable Identity identity() {
        return identity;
    }

    @Override
    public void identity(Authenticator.@Nullable Identity user) {
        identity = user;
        request.exchange.remoteUser(user == null ? null : user.principal().getName());
    }

    @Override
    public void addCookie(Cookie cookie) {
        boolean forwarded = Boolean.TRUE.equals(request.getAttribute(ForwardedRequests.SECURE));
        cookie.setSecure(request.isSecure() || forwarded);
        request.cycle.sendSession(cookie);
    }

    @Override
    public void restore(Authenticator.Form form) {
        request.restore(form);
    }

    boolean isInRole(String role, Route route) {
        Authenticator.Identity user = identity;
        if (user == null || role == null || role.equals("*")) {
            return false;
        }
        String linked = route.servlet().linkedRole(role);
        // Any user has "**", unless the application has a role of that name (Servlet 6.1 §13.3).
        return user.roles().contains(linked)
                || (role.equals("**")
                        && !request.home()
                                .runtime()
                                .descriptor()
                                .security()
                                .roles()
                                .contains("**"));
    }

    boolean authenticate(HttpServletResponse response) throws IOException, ServletException {
        if (identity != null) {
            return true;
        }
        Authenticator.Identity user = requireAuthenticator().authenticate(request, response, this);
        if (user != null) {
            identity(user);
        }
        return user != null;
    }

    void login(@Nullable String name, @Nullable String password) throws ServletException {
        if (identity != null) {
            throw new ServletException("a user is logged in already");
        }
        Authenticator authenticator = requireAuthenticator();
        Authenticator.Identity user =
                name == null || password == null
                        ? null
                        : authenticator.login(request, this, name, password);
        if (user == null) {
            throw new ServletException("the user name or password is wrong");
        }
        identity(user);
    }

    void logout() throws ServletException {
        Authenticator authenticator = request.home().authenticator();
        if (authenticator != null) {
            authenticator.logout(request);
        }
        identity(null);
    }

    private Authenticator requireAuthenticator() throws ServletException {
        Authenticator authenticator = request.home().authenticator();
        if (authenticator == null) {
            throw new ServletException("no authentication is configured");
        }
        return authenticator;
    }
}
