package io.margay.servlet.security;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
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

    /// The content of a POST, as the client encoded it.
    record Form(String content, String contentType, String charset) {}

    /// What [#authorize] decided.
    enum Decision {
        /// The request goes on.
        PROCEED,
        /// The response says what the client has to do; the request ends here.
        ANSWERED
    }

    /// Whether the application says itself how users log in.
    boolean hasMethod();

    /// Sees a request before its constraints are looked up: it may be of a session that has logged
    /// in, or the answer to having done so.
    void recall(HttpServletRequest request, Session session);

    /// Checks a request before any filter sees it; may call [Session#identity].
    ///
    /// @param requirement what the constraints ask
    Decision authorize(
            HttpServletRequest request,
            HttpServletResponse response,
            Session session,
            AccessRequirement requirement)
            throws IOException, ServletException;

    /// Makes the client authenticate: `HttpServletRequest.authenticate`.
    ///
    /// @return the user, or null when the response now holds a challenge
    @Nullable Identity authenticate(
            HttpServletRequest request, HttpServletResponse response, Session session)
            throws IOException, ServletException;

    /// Checks a name and password: `HttpServletRequest.login`; null when they are wrong.
    @Nullable Identity login(
            HttpServletRequest request, Session session, String user, String password)
            throws ServletException;

    /// Forgets the user: `HttpServletRequest.logout`.
    void logout(HttpServletRequest request) throws ServletException;

    /// The request's identity, as the authenticator may change it.
    interface Session {
        /// The user of this request, or null.
        @Nullable Identity identity();

        /// Sets the user of this request.
        void identity(@Nullable Identity identity);

        /// Adds a cookie to the response, unless its head has left; `Secure` if the request is.
        void addCookie(Cookie cookie);

        /// Makes the request, a GET, the POST of a form.
        void restore(Form form);
    }
}
