package io.margay.protocol.http;

import java.util.Locale;
import java.util.Set;

/// Drops trailer fields that may not come after the content (RFC 9110 §6.5.1): those that frame,
/// route, authenticate, tell of the client, or steer how the content is handled. One for all
/// protocols, since who receives them may take them for fields of the head. Stateless.
public final class TrailerFilter {
    private static final Set<String> FORBIDDEN =
            Set.of(
                    // Framing and connection
                    "connection",
                    "content-length",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    // Routing
                    "forwarded",
                    "host",
                    "max-forwards",
                    "via",
                    "x-real-ip",
                    // Who asks
                    "authorization",
                    "cookie",
                    "proxy-authenticate",
                    "proxy-authorization",
                    "set-cookie",
                    "www-authenticate",
                    // How the request is handled
                    "cache-control",
                    "expect",
                    "if-match",
                    "if-modified-since",
                    "if-none-match",
                    "if-range",
                    "if-unmodified-since",
                    "pragma",
                    "range",
                    // What the content is
                    "content-encoding",
                    "content-range",
                    "content-type");

    private static final String FORWARDED = "x-forwarded-";

    private TrailerFilter() {}

    /// Those that may come.
    public static Fields allowed(Fields trailers) {
        Fields.Builder kept = new Fields.Builder();
        for (int i = 0; i < trailers.size(); i++) {
            String name = trailers.name(i).toLowerCase(Locale.ROOT);
            if (!FORBIDDEN.contains(name) && !name.startsWith(FORWARDED)) {
                kept.add(trailers.name(i), trailers.value(i));
            }
        }
        return kept.size() == trailers.size() ? trailers : kept.build();
    }
}
