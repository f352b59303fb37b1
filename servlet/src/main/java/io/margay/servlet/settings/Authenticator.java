package io.margay.servlet.settings;

import io.margay.servlet.security.Demand;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides who the user is (Servlet 6.1 §13). Thread-safe.
///
/// Without one, an application's constrained resources answer 403: they are never open.
public interface Authenticator {
    /// A user and the roles the user has.
    record Identity(Principal principal, Set<String> roles, String method) {
        public Identity {
            roles = Set.copyOf(roles);
        }
    }

    /// What [#authorize] decided.
    enum Decision {
        /// The request goes on.
        PROCEED,
        /// The response says what the client has to do; the request ends here.
        ANSWERED
    }

    /// Checks a request before any filter sees it; may call [Session#identity].
    ///
    /// @param demand what the constraints ask
    Decision authorize(
            HttpServletRequest request,
            HttpServletResponse response,
            Session session,
            Demand demand)
            throws IOException, ServletException;

    /// Makes the client authenticate: `HttpServletRequest.authenticate`.
    ///
    /// @return the user, or null when the response now holds a challenge
    @Nullable Identity authenticate(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException;

    /// Checks a name and password: `HttpServletRequest.login`; null when they are wrong.
    @Nullable Identity login(HttpServletRequest request, String user, String password)
            throws ServletException;

    /// Forgets the user: `HttpServletRequest.logout`.
    void logout(HttpServletRequest request) throws ServletException;

    /// The request's identity, as the authenticator may change it.
    interface Session {
        /// The user of this request, or null.
        @Nullable Identity identity();

        /// Sets the user of this request.
        void identity(@Nullable Identity identity);
    }
}
