package io.margay.servlet.security;

import io.margay.servlet.security.Authenticator.Form;
import io.margay.servlet.security.Authenticator.Identity;
import io.margay.servlet.security.Authenticator.Session;
import io.margay.servlet.security.PutOffRequests.Asked;
import io.margay.servlet.session.WebSession;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Logging in by pages of the application (Servlet 6.1 §13.6.3). Immutable.
///
/// The client asks for something, is shown the login page instead, submits it to
/// `j_security_check`, and is sent back to what it asked for. That is a GET, which [#recall] makes
/// the POST that it was, if it was that of a form of no more than [#FORM_BYTES_MAX].
record FormLogin(String loginPage, String errorPage, Realm realm, PutOffRequests putOff) {
    /// Posted bytes that are kept while the user logs in: a session costs no more than that before
    /// anybody is known, and Tomcat keeps as much.
    static final int FORM_BYTES_MAX = 4096;

    private static final String ACTION = "/j_security_check";
    private static final String FORM = "application/x-www-form-urlencoded";

    /// Whether a request submits the login page.
    static boolean isSubmission(HttpServletRequest request) {
        String info = request.getPathInfo();
        return (info == null ? request.getServletPath() : info).endsWith(ACTION)
                && request.getMethod().equals("POST");
    }

    /// Answers with the login page, and remembers what was asked for.
    void ask(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        boolean known = request.getSession(false) != null;
        Form form = request.getMethod().equals("POST") ? form(request) : null;
        Asked asked = putOff.keep(target(request), form, System.nanoTime());
        try {
            if (asked != null) {
                request.getSession(true);
            }
            new KeptLogin(null, false, asked).keep(request);
            show(loginPage, request, response);
        } finally {
            endSoon(request, known, asked);
        }
    }

    /// A session that the client has only because it was to log in does not last, also when the
    /// page has made it.
    private static void endSoon(HttpServletRequest request, boolean known, @Nullable Asked asked) {
        if (request.getSession(false) instanceof WebSession session) {
            if (!known) {
                session.endsAfter(PutOffRequests.SECONDS_MAX);
            }
        } else if (asked != null) {
            asked.letGo();
        }
    }

    /// The form that a request posts; null when it is none, or too large.
    private static @Nullable Form form(HttpServletRequest request) throws IOException {
        String contentType = request.getContentType();
        if (contentType == null
                || !contentType.regionMatches(true, 0, FORM, 0, FORM.length())
                || request.getContentLengthLong() > FORM_BYTES_MAX) {
            return null;
        }
        byte[] content = request.getInputStream().readNBytes(FORM_BYTES_MAX + 1);
        String charset = request.getCharacterEncoding();
        return content.length > FORM_BYTES_MAX || (charset != null && !Charset.isSupported(charset))
                ? null
                : new Form(
                        new String(content, StandardCharsets.ISO_8859_1),
                        contentType,
                        charset == null ? "UTF-8" : charset);
    }

    /// Gives a client that comes back what it asked for.
    static void recall(HttpServletRequest request, Session session, KeptLogin kept) {
        Asked asked = kept.asked();
        if (asked == null
                || !request.getMethod().equals("GET")
                || !asked.target().equals(target(request))) {
            return;
        }
        new KeptLogin(kept.identity(), kept.lasts(), null).keep(request);
        if (asked.form() != null) {
            session.restore(asked.form());
        }
    }

    /// One leading slash only: two would name another host.
    private static String target(HttpServletRequest request) {
        String query = request.getQueryString();
        String path = request.getRequestURI().replaceFirst("^/+", "/");
        return query == null ? path : path + "?" + query;
    }

    /// Answers a submitted login page.
    ///
    /// @return who has logged in; null = nobody
    @Nullable User submit(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (request.getCharacterEncoding() == null) {
            request.setCharacterEncoding("UTF-8");
        }
        User user = user(request);
        if (user == null) {
            show(errorPage, request, response);
            return null;
        }
        Asked asked = KeptLogin.of(request).asked();
        request.getSession(true);
        Identity identity =
                new Identity(user.principal(), user.roles(), HttpServletRequest.FORM_AUTH);
        KeptLogin.enter(request, identity, true);
        String target = asked == null ? request.getContextPath() + "/" : asked.target();
        boolean old = request.getProtocol().equals("HTTP/1.0");
        response.sendRedirect(
                response.encodeRedirectURL(target),
                old ? HttpServletResponse.SC_FOUND : HttpServletResponse.SC_SEE_OTHER);
        return user;
    }

    /// The password that a submitted login page has.
    static @Nullable String password(HttpServletRequest request) {
        return request.getParameter("j_password");
    }

    private @Nullable User user(HttpServletRequest request) {
        String name = request.getParameter("j_username");
        String password = password(request);
        return name == null || password == null ? null : realm.authenticateOrNobody(name, password);
    }

    private static void show(String page, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        RequestDispatcher dispatcher = request.getServletContext().getRequestDispatcher(page);
        if (dispatcher == null) {
            throw new ServletException("the page " + page + " of login-config is not a path");
        }
        response.setHeader("Cache-Control", "no-store");
        dispatcher.forward(new Viewed(request), response);
    }

    /// A page is looked at, whatever the client's own request was.
    private static final class Viewed extends HttpServletRequestWrapper {
        Viewed(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getMethod() {
            return super.getMethod().equals("HEAD") ? "HEAD" : "GET";
        }
    }
}
