package io.margay.servlet.security;

import io.margay.servlet.settings.Authenticator.Identity;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Logging in by pages of the application (Servlet 6.1 §13.6.3). Immutable.
///
/// The client asks for something, is shown the login page instead, submits it to
/// `j_security_check`, and is sent back to what it asked for, with GET.
record FormLogin(String loginPage, String errorPage, Realm realm) {
    private static final String ACTION = "/j_security_check";

    /// Whether a request submits the login page.
    static boolean isSubmission(HttpServletRequest request) {
        String info = request.getPathInfo();
        return (info == null ? request.getServletPath() : info).endsWith(ACTION)
                && request.getMethod().equals("POST");
    }

    /// Answers with the login page, and remembers what was asked for.
    void ask(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        request.getSession(true);
        new KeptLogin(null, false, target(request)).keep(request);
        show(loginPage, request, response);
    }

    /// One leading slash only: two would name another host.
    private static String target(HttpServletRequest request) {
        String query = request.getQueryString();
        String path = request.getRequestURI().replaceFirst("^/+", "/");
        return query == null ? path : path + "?" + query;
    }

    /// Answers a submitted login page.
    void submit(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (request.getCharacterEncoding() == null) {
            request.setCharacterEncoding("UTF-8");
        }
        User user = user(request);
        if (user == null) {
            show(errorPage, request, response);
            return;
        }
        String asked = KeptLogin.of(request).asked();
        request.getSession(true);
        Identity identity = new Identity(user, user.roles(), HttpServletRequest.FORM_AUTH);
        KeptLogin.enter(request, identity, true);
        String target = asked == null ? request.getContextPath() + "/" : asked;
        boolean old = request.getProtocol().equals("HTTP/1.0");
        response.sendRedirect(
                response.encodeRedirectURL(target),
                old ? HttpServletResponse.SC_FOUND : HttpServletResponse.SC_SEE_OTHER);
    }

    private @Nullable User user(HttpServletRequest request) {
        String name = request.getParameter("j_username");
        String password = request.getParameter("j_password");
        return name == null || password == null ? null : realm.authenticate(name, password);
    }

    private static void show(String page, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        RequestDispatcher dispatcher = request.getServletContext().getRequestDispatcher(page);
        if (dispatcher == null) {
            throw new ServletException("the page " + page + " of login-config is no path");
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
