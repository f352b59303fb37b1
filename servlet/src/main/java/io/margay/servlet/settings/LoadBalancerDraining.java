package io.margay.servlet.settings;

import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/// What a server does that its load balancer has disabled, so that it runs dry: a request whose
/// session lives here is served, any other is sent to where it came from, without the session
/// identifier that led it here, so that the load balancer gives it to another server (Tomcat's
/// `LoadBalancerDrainingValve`). Immutable.
///
/// @param status of the redirect
/// @param ignoreCookieName cookie that lets its sender in, to look at a server out of service; null
///   = there is none
/// @param ignoreCookieValue the value it must have
public record LoadBalancerDraining(
        int status, @Nullable String ignoreCookieName, @Nullable String ignoreCookieValue) {
    /// Sends on with 307, everyone.
    public static final LoadBalancerDraining EVERYONE = new LoadBalancerDraining(307, null, null);

    private static final String ACTIVATION = "JK_LB_ACTIVATION";
    private static final String DISABLED = "DIS";

    /// Whether the request has been sent on.
    public boolean sendsOn(HttpServletRequest request, HttpServletResponse response) {
        if (!DISABLED.equals(request.getAttribute(ACTIVATION))
                || request.isRequestedSessionIdValid()) {
            return false;
        }
        String requested = request.getRequestedSessionId();
        String name = cookieName(request.getServletContext().getSessionCookieConfig());
        boolean carries = false;
        Cookie[] cookies = request.getCookies();
        for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
            if (cookie.getName().equals(name) && cookie.getValue().equals(requested)) {
                carries = true;
            } else if (cookie.getName().equals(ignoreCookieName)
                    && cookie.getValue().equals(ignoreCookieValue)) {
                return false;
            }
        }
        if (carries) {
            response.addCookie(expired(request, name));
        }
        String query = request.getQueryString();
        String place = withoutSession(request);
        response.setHeader("Location", query == null ? place : place + "?" + query);
        response.setStatus(status);
        return true;
    }

    private static String cookieName(SessionCookieConfig config) {
        String name = config.getName();
        return name == null || name.isEmpty() ? "JSESSIONID" : name;
    }

    private static Cookie expired(HttpServletRequest request, String name) {
        SessionCookieConfig config = request.getServletContext().getSessionCookieConfig();
        Cookie cookie = new Cookie(name, "");
        String context = request.getContextPath().isEmpty() ? "/" : request.getContextPath();
        cookie.setPath(config.getPath() == null ? context : config.getPath());
        if (config.getDomain() != null) {
            cookie.setDomain(config.getDomain());
        }
        cookie.setMaxAge(0);
        cookie.setHttpOnly(config.isHttpOnly());
        cookie.setSecure(request.isSecure() || config.isSecure());
        return cookie;
    }

    private static String withoutSession(HttpServletRequest request) {
        String given = request.getServletContext().getSessionCookieConfig().getName();
        String name = given == null || given.isEmpty() ? "jsessionid" : given;
        return place(request.getRequestURI(), name);
    }

    /// The path on this host and no other: it begins with one slash, and no backslash follows,
    /// which browsers take for one (CVE-2026-117517).
    ///
    /// @param uri as the client wrote it
    static String place(String uri, String name) {
        String path = uri;
        int from = path.indexOf(";" + name + "=");
        if (from >= 0) {
            int to = from + 1;
            while (to < path.length() && path.charAt(to) != ';' && path.charAt(to) != '/') {
                to++;
            }
            path = path.substring(0, from) + path.substring(to);
        }
        int slashes = 0;
        while (slashes < path.length()
                && (path.charAt(slashes) == '/' || path.charAt(slashes) == '\\')) {
            slashes++;
        }
        return "/" + path.substring(slashes);
    }
}
