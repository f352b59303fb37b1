package io.margay.compat.tomcat.filter;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a request is to the CORS protocol.
enum CorsRequest {
    /// Sent without asking first.
    SIMPLE,
    /// One that a browser asked for before.
    ACTUAL,
    /// The question itself.
    PRE_FLIGHT,
    /// From the same origin, or not from a page.
    NOT_CORS,
    /// From elsewhere and wrong.
    INVALID_CORS;

    static final String ORIGIN = "Origin";
    static final String METHOD = "Access-Control-Request-Method";
    static final String HEADERS = "Access-Control-Request-Headers";

    private static final int ORIGIN_CHARS_MAX = 2048;
    private static final Set<String> SIMPLE_TYPES =
            Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    static CorsRequest of(HttpServletRequest request) {
        String origin = request.getHeader(ORIGIN);
        if (origin == null) {
            return NOT_CORS;
        }
        if (!isOrigin(origin)) {
            return INVALID_CORS;
        }
        if (origin.equalsIgnoreCase(ownOrigin(request))) {
            return NOT_CORS;
        }
        return switch (request.getMethod()) {
            case "OPTIONS" -> {
                String method = request.getHeader(METHOD);
                yield method == null ? ACTUAL : method.isEmpty() ? INVALID_CORS : PRE_FLIGHT;
            }
            case "GET", "HEAD" -> SIMPLE;
            case "POST" -> isSimpleType(request.getContentType()) ? SIMPLE : ACTUAL;
            default -> ACTUAL;
        };
    }

    /// `null`, or a scheme and an authority (RFC 6454 §7.1).
    private static boolean isOrigin(String origin) {
        if (origin.equals("null")) {
            return true;
        }
        if (origin.isEmpty() || origin.length() > ORIGIN_CHARS_MAX || origin.indexOf('%') >= 0) {
            return false;
        }
        try {
            URI uri = new URI(origin);
            return uri.getScheme() != null
                    && (uri.getRawAuthority() != null || origin.startsWith("file:"));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isSimpleType(@Nullable String type) {
        if (type == null) {
            return true;
        }
        int semicolon = type.indexOf(';');
        String essence = semicolon < 0 ? type : type.substring(0, semicolon);
        return SIMPLE_TYPES.contains(essence.strip().toLowerCase(Locale.ROOT));
    }

    private static String ownOrigin(HttpServletRequest request) {
        String scheme = request.getScheme();
        int port = request.getServerPort();
        boolean usual = port == (scheme.equals("https") ? 443 : 80);
        String name = request.getServerName();
        boolean bare = name.indexOf(':') >= 0 && !name.startsWith("[");
        return scheme + "://" + (bare ? "[" + name + "]" : name) + (usual ? "" : ":" + port);
    }
}
