package io.margay.servlet.engine;

import io.margay.server.exchange.LogFacts;
import io.margay.servlet.engine.request.ServerRequest;
import io.margay.servlet.session.SessionStore;
import jakarta.servlet.http.HttpSession;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tells the log of a host what it shows of a request's application. Stateless.
final class RequestFacts {
    private RequestFacts() {}

    /// Collects what is asked, at the end of the request, in a task of it.
    static void tell(ServerRequest request, LogFacts asked) {
        Map<String, String> known = new HashMap<>();
        HttpSession session = session(request);
        for (String name : asked.asked()) {
            String value = text(name, request, session);
            if (value != null) {
                known.put(name, value);
            }
        }
        asked.tell(known);
    }

    /// The request is over: a session of another application that cannot be looked up is not told.
    private static @Nullable HttpSession session(ServerRequest request) {
        try {
            return request.getSession(false);
        } catch (SessionStore.UnknownException _) {
            return null;
        }
    }

    private static @Nullable String text(
            String name, ServerRequest request, @Nullable HttpSession session) {
        if (name.equals(LogFacts.THREAD)) {
            return Thread.currentThread().getName();
        }
        if (name.startsWith(LogFacts.REQUEST)) {
            return shown(request.getAttribute(name.substring(LogFacts.REQUEST.length())));
        }
        if (session == null) {
            return null;
        }
        return name.equals(LogFacts.SESSION_ID)
                ? session.getId()
                : name.startsWith(LogFacts.SESSION)
                        ? shown(session.getAttribute(name.substring(LogFacts.SESSION.length())))
                        : null;
    }

    /// Objects of the application may fail at that.
    private static @Nullable String shown(@Nullable Object value) {
        try {
            return value == null ? null : value.toString();
        } catch (RuntimeException e) {
            return null;
        }
    }
}
