package io.margay.server.host;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which handler answers for a path, in the order of Servlet 6.1 §12.1: exact path, longest
/// `/prefix/*`, `*.extension`, default (`/`). Immutable.
///
/// A path that cannot be understood in one way only is answered with 400, one that no route takes
/// with 404.
public final class Routes implements Handler {
    private static final Handler NOT_FOUND = exchange -> StatusResponse.plain(exchange, 404);

    private final Map<String, Handler> exact = new HashMap<>();
    private final Map<String, Handler> extensions = new HashMap<>();
    private final Prefixes prefixes;
    private final @Nullable Handler fallback;

    private Routes(Map<String, Handler> table) {
        Map<String, Handler> found = new HashMap<>();
        Handler whole = null;
        for (Map.Entry<String, Handler> route : table.entrySet()) {
            String pattern = route.getKey();
            Handler handler = route.getValue();
            if (pattern.equals("/")) {
                whole = handler;
            } else if (pattern.startsWith("*.") && pattern.indexOf('/') < 0) {
                extensions.put(pattern.substring(2), handler);
            } else if (!pattern.startsWith("/") || pattern.indexOf('*') < pattern.length() - 1) {
                putPlain(pattern, handler);
            } else if (pattern.endsWith("/*")) {
                found.put(pattern.substring(0, pattern.length() - 2), handler);
            } else {
                throw unclear(pattern);
            }
        }
        prefixes = new Prefixes(found);
        fallback = whole;
    }

    private void putPlain(String pattern, Handler handler) {
        if (!pattern.startsWith("/") || pattern.indexOf('*') >= 0) {
            throw unclear(pattern);
        }
        exact.put(pattern, handler);
    }

    private static IllegalArgumentException unclear(String pattern) {
        return new IllegalArgumentException(
                "a route is /path, /path/*, *.extension or /, not " + pattern);
    }

    /// Makes a table.
    ///
    /// @throws IllegalArgumentException for a key that is no route
    public static Routes of(Map<String, Handler> table) {
        return new Routes(table);
    }

    /// The handler for a canonical path, or null.
    public @Nullable Handler find(String path) {
        Handler handler = exact.isEmpty() ? null : exact.get(path);
        if (handler != null) {
            return handler;
        }
        handler = prefixes.longest(path);
        if (handler != null) {
            return handler;
        }
        int dot = extensions.isEmpty() ? -1 : path.lastIndexOf('.');
        if (dot > path.lastIndexOf('/')) {
            handler = extensions.get(path.substring(dot + 1));
        }
        return handler != null ? handler : fallback;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        select(exchange).handle(exchange);
    }

    /// What answers a request; never null, for there is an answer to what no route takes, too.
    public Handler select(Exchange exchange) {
        RequestTarget.Form form = exchange.request().target().form();
        if (form == RequestTarget.Form.ASTERISK) {
            return Routes::options;
        }
        if (form == RequestTarget.Form.AUTHORITY) {
            return it -> StatusResponse.plain(it, 501, "CONNECT is not served.");
        }
        CanonicalPath path = exchange.path();
        ProtocolError error = path.error();
        if (error != null) {
            return it -> StatusResponse.plain(it, error.status(), error.text());
        }
        Handler handler = find(path.path());
        return handler == null ? NOT_FOUND : handler;
    }

    private static void options(Exchange exchange) throws IOException {
        exchange.fields().set("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH");
        exchange.end();
    }
}
