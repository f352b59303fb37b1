package io.margay.servlet.engine;

import jakarta.servlet.http.HttpSession;

/// Writes session identifiers into the links of one response, where tracking by URL is on (Servlet
/// 6.1 §7.1.3).
record SessionUrls(ServerRequest request) {
    /// @param document whether an empty URL stands for the current document
    String encode(String url, boolean document) {
        SessionTracker sessions = request.app().sessions();
        if (url == null || !sessions.tracksByUrl() || request.isRequestedSessionIdFromCookie()) {
            return url;
        }
        HttpSession session = request.getSession(false);
        if (session == null || !isOwn(url)) {
            return url;
        }
        String parameter = ";" + sessions.parameterName() + "=" + session.getId();
        int end = url.length();
        for (char mark : new char[] {'?', '#'}) {
            int at = url.indexOf(mark);
            end = at >= 0 && at < end ? at : end;
        }
        boolean present = url.contains(";" + sessions.parameterName() + "=");
        boolean fragment = document && url.startsWith("#");
        if (present || fragment) {
            return url;
        }
        return url.substring(0, end) + parameter + url.substring(end);
    }

    private boolean isOwn(String url) {
        if (url.startsWith("#") || url.startsWith("//")) {
            return false;
        }
        int colon = url.indexOf("://");
        if (colon < 0) {
            String contextPath = request.app().contextPath();
            return !url.startsWith("/") || url.startsWith(contextPath);
        }
        String origin = request.getScheme() + "://" + request.authority();
        String below = origin + request.app().contextPath();
        return url.equals(below) || url.startsWith(below + "/") || url.startsWith(below + "?");
    }
}
