package io.margay.servlet.engine.application;

import io.margay.protocol.http.CanonicalPath;
import io.margay.servlet.engine.registration.ServletHolder;
import io.margay.servlet.mapping.UrlMap;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

/// Where a request, or a dispatch of it, goes. Immutable.
///
/// @param uri the request URI, percent-encoded as given, without query
/// @param path the canonical path within the context
/// @param query what follows the question mark, or null
public record Route(
        Application app,
        String uri,
        String path,
        UrlMap.Mapped<ServletHolder> mapped,
        @Nullable String query) {

    public ServletHolder servlet() {
        return mapped.target();
    }

    /// The part of the request URI that selected the application, as the client has written it,
    /// such as `/%73hop`, `/shop;v=1` or `/x/../shop`; only one slash of several at its beginning.
    /// So what follows it in the URI is what follows the context path (Servlet 6.1,
    /// `getContextPath`).
    public String contextPath() {
        String configured = app.contextPath();
        if (configured.isEmpty() || isBelow(uri, configured)) {
            return configured;
        }
        int from = 0;
        while (from + 1 < uri.length() && uri.charAt(from + 1) == '/') {
            from++;
        }
        for (int to = from + 1; to <= uri.length(); to++) {
            if (to == uri.length() || uri.charAt(to) == '/') {
                CanonicalPath read = CanonicalPath.of(uri.substring(from, to));
                if (read.error() == null && read.path().equals(configured)) {
                    return uri.substring(from, to);
                }
            }
        }
        return configured; // A request that was refused before it had a route.
    }

    private static boolean isBelow(String uri, String contextPath) {
        int length = contextPath.length();
        return uri.startsWith(contextPath) && (uri.length() == length || uri.charAt(length) == '/');
    }

    /// The part of the path that selected the servlet (Servlet 6.1 §3.6).
    public String servletPath() {
        return switch (mapped.pattern().kind()) {
            case CONTEXT_ROOT -> "";
            case DEFAULT, EXACT, EXTENSION -> path;
            case PATH -> mapped.pattern().key();
        };
    }

    /// The rest of the path after the servlet path, or null.
    public @Nullable String pathInfo() {
        return switch (mapped.pattern().kind()) {
            case CONTEXT_ROOT -> "/";
            case DEFAULT, EXACT, EXTENSION -> null;
            case PATH -> {
                int length = mapped.pattern().key().length();
                yield path.length() == length ? null : path.substring(length);
            }
        };
    }

    public Route withQuery(@Nullable String other) {
        return new Route(app, uri, path, mapped, other);
    }

    /// How the path was matched.
    public HttpServletMapping mapping() {
        String value =
                switch (mapped.pattern().kind()) {
                    case CONTEXT_ROOT, DEFAULT -> "";
                    case EXACT -> path.substring(1);
                    case EXTENSION ->
                            path.substring(1, path.length() - mapped.pattern().key().length() - 1);
                    case PATH -> {
                        int from = mapped.pattern().key().length() + 1;
                        yield path.length() > from ? path.substring(from) : "";
                    }
                };
        return new Mapping(
                value, mapped.pattern().text(), servlet().getName(), mapped.pattern().kind());
    }

    /// A match as the Servlet interface shows it.
    private record Mapping(
            String matchValue, String pattern, String servletName, MappingMatch match)
            implements HttpServletMapping {
        @Override
        public String getMatchValue() {
            return matchValue;
        }

        @Override
        public String getPattern() {
            return pattern;
        }

        @Override
        public String getServletName() {
            return servletName;
        }

        @Override
        public MappingMatch getMappingMatch() {
            return match;
        }
    }
}
