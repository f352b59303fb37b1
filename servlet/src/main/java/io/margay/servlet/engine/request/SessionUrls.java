package io.margay.servlet.engine.request;

import io.margay.servlet.engine.application.SessionTracker;
import jakarta.servlet.http.HttpSession;

/// Writes session identifiers into the links of one response, where tracking by URL is on (Servlet
/// 6.1 §7.1.3).
public record SessionUrls(ServerRequest request) {
    /// @param document whether an empty URL stands for the current document
    public String encode(String url, boolean document) {
        SessionTracker sessions = request.app().sessions();
        if (url == null || !sessions.tracksByUrl() || request.isRequestedSessionIdFromCookie()) {
            return url;
        }
        HttpSession session = request.getSession(false);
        if (session == null || !isOwn(url.substring(0, pathEnd(url)), url)) {
            return url;
        }
        String parameter = ";" + sessions.parameterName() + "=" + session.getId();
        int end = pathEnd(url);
        boolean present = url.contains(";" + sessions.parameterName() + "=");
        boolean fragment = document && url.startsWith("#");
        if (present || fragment) {
            return url;
        }
        return url.substring(0, end) + parameter + url.substring(end);
    }

    private static int pathEnd(String url) {
        int query = url.indexOf('?');
        int fragment = url.indexOf('#');
        int end = query < 0 ? url.length() : query;
        return fragment < 0 ? end : Math.min(end, fragment);
    }

    /// @param path the URL without query and fragment
    private boolean isOwn(String path, String url) {
        if (url.startsWith("#") || path.startsWith("//")) {
            return false;
        }
        String contextPath = request.app().contextPath();
        if (!path.contains("://")) {
            return !path.startsWith("/") || isBelow(path, contextPath);
        }
        String origin = request.getScheme() + "://" + request.authority();
        return isBelow(path, origin + contextPath);
    }

    private static boolean isBelow(String path, String folder) {
        return path.startsWith(folder)
                && (path.length() == folder.length()
                        || path.charAt(folder.length()) == '/'
                        || path.charAt(folder.length()) == ';');
    }
}
