package io.margay.compat.tomcat.filter;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which origins may do what. Immutable.
///
/// @param anyOrigin every origin, in which case credentials are never supported
/// @param headers that a page may send, in lower case; `*` = any
/// @param maxAgeSeconds how long a browser may keep an answer; negative = it is not told
record CorsPolicy(
        boolean anyOrigin,
        Set<String> origins,
        Set<String> methods,
        Set<String> headers,
        List<String> exposedHeaders,
        boolean credentials,
        long maxAgeSeconds) {
    private static final String METHODS = "GET,POST,HEAD,OPTIONS";
    private static final String REQUEST_HEADERS =
            "Origin,Accept,X-Requested-With,Content-Type,"
                    + "Access-Control-Request-Method,Access-Control-Request-Headers";

    static CorsPolicy of(InitParams params) throws ServletException {
        List<String> origins = params.list("cors.allowed.origins", "");
        boolean any = origins.contains("*");
        if (any && origins.size() > 1) {
            throw params.wrong("cors.allowed.origins", "* must stand alone");
        }
        boolean credentials = params.flag("cors.support.credentials", false);
        if (any && credentials) {
            throw params.wrong(
                    "cors.support.credentials",
                    "credentials cannot be allowed for every origin; list the origins in"
                            + " cors.allowed.origins");
        }
        Set<String> headers = new LinkedHashSet<>();
        for (String header : params.list("cors.allowed.headers", REQUEST_HEADERS)) {
            headers.add(header.toLowerCase(Locale.ROOT));
        }
        return new CorsPolicy(
                any,
                Set.copyOf(origins),
                new LinkedHashSet<>(params.list("cors.allowed.methods", METHODS)),
                headers,
                params.list("cors.exposed.headers", ""),
                credentials,
                params.number("cors.preflight.maxage", 1800, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    boolean admits(HttpServletRequest request) {
        return admitsOrigin(request) && methods.contains(request.getMethod());
    }

    boolean admitsPreflight(HttpServletRequest request) {
        String method = request.getHeader(CorsRequest.METHOD);
        return admitsOrigin(request)
                && method != null
                && methods.contains(method.strip())
                && admitsHeaders(request.getHeader(CorsRequest.HEADERS));
    }

    private boolean admitsOrigin(HttpServletRequest request) {
        return anyOrigin || origins.contains(request.getHeader(CorsRequest.ORIGIN));
    }

    private boolean admitsHeaders(@Nullable String asked) {
        if (asked == null || headers.contains("*")) {
            return true;
        }
        for (String header : asked.split(",")) {
            String name = header.strip().toLowerCase(Locale.ROOT);
            if (!name.isEmpty() && !headers.contains(name)) {
                return false;
            }
        }
        return true;
    }

    /// Says on every answer what it depends on, so that no cache gives one origin's to another.
    void vary(HttpServletResponse response) {
        if (!anyOrigin) {
            response.addHeader("Vary", CorsRequest.ORIGIN);
        }
    }

    void allow(HttpServletRequest request, HttpServletResponse response) {
        String origin = anyOrigin ? "*" : request.getHeader(CorsRequest.ORIGIN);
        response.setHeader("Access-Control-Allow-Origin", origin);
        if (credentials) {
            response.setHeader("Access-Control-Allow-Credentials", "true");
        }
        if (!exposedHeaders.isEmpty()) {
            response.setHeader("Access-Control-Expose-Headers", String.join(",", exposedHeaders));
        }
    }

    void allowPreflight(HttpServletRequest request, HttpServletResponse response) {
        allow(request, response);
        response.addHeader("Vary", CorsRequest.METHOD);
        response.addHeader("Vary", CorsRequest.HEADERS);
        response.setHeader("Access-Control-Allow-Methods", String.join(",", methods));
        String asked = request.getHeader(CorsRequest.HEADERS);
        boolean any = headers.contains("*");
        String told = any ? (asked == null ? "" : asked) : String.join(",", headers);
        if (!told.isEmpty()) {
            response.setHeader("Access-Control-Allow-Headers", told);
        }
        if (maxAgeSeconds >= 0) {
            response.setHeader("Access-Control-Max-Age", Long.toString(maxAgeSeconds));
        }
    }
}
