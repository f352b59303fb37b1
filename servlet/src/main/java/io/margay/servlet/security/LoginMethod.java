package io.margay.servlet.security;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A way to find out who the user is: `auth-method` of `login-config`. Thread-safe.
sealed interface LoginMethod {
    /// What `getAuthType` says.
    String name();

    /// The user of a request, or null when the response now asks the client to log in.
    @Nullable User identify(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException;

    /// Whether a session that has logged in once stays logged in.
    default boolean lasts() {
        return false;
    }

    /// Name and password in a header field (RFC 7617).
    record Basic(String realmName, Realm realm) implements LoginMethod {
        @Override
        public String name() {
            return HttpServletRequest.BASIC_AUTH;
        }

        @Override
        public @Nullable User identify(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            BasicCredentials given = BasicCredentials.parse(request.getHeader("Authorization"));
            User user =
                    given == null
                            ? null
                            : realm.authenticateOrNobody(given.user(), given.password());
            if (user == null) {
                response.setHeader("WWW-Authenticate", BasicCredentials.challenge(realmName));
                response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
            }
            return user;
        }
    }

    /// Proof of knowing the password. The rest is in [DigestLogin].
    record Digest(DigestLogin login) implements LoginMethod {
        @Override
        public String name() {
            return HttpServletRequest.DIGEST_AUTH;
        }

        @Override
        public @Nullable User identify(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            return login.identify(request, response);
        }
    }

    /// The certificate that the client showed when the connection was made.
    record Certificate(Realm realm) implements LoginMethod {
        private static final String CHAIN = "jakarta.servlet.request.X509Certificate";

        @Override
        public String name() {
            return HttpServletRequest.CLIENT_CERT_AUTH;
        }

        @Override
        public @Nullable User identify(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            User user = null;
            if (request.getAttribute(CHAIN) instanceof java.security.cert.X509Certificate[] chain
                    && chain.length > 0) {
                user = realm.authenticate(chain[0]);
            }
            if (user == null) {
                response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
            }
            return user;
        }
    }

    /// Pages of the application. The rest is in [FormLogin].
    record Form(FormLogin pages) implements LoginMethod {
        @Override
        public String name() {
            return HttpServletRequest.FORM_AUTH;
        }

        @Override
        public boolean lasts() {
            return true;
        }

        @Override
        public @Nullable User identify(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            pages.ask(request, response);
            return null;
        }
    }

    /// The application names no way, so that only a program can log users in.
    record None() implements LoginMethod {
        @Override
        public String name() {
            return "LOGIN";
        }

        @Override
        public boolean lasts() {
            return true;
        }

        @Override
        public @Nullable User identify(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return null;
        }
    }
}
