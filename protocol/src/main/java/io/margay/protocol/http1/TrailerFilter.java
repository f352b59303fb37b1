package io.margay.protocol.http1;

import io.margay.protocol.http.Fields;
import java.util.Locale;
import java.util.Set;

/// Drops trailer fields that may not come after the content (RFC 9110 §6.5.1): those that frame,
/// route, authenticate, or steer how the content is handled.
final class TrailerFilter {
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
                    "x-forwarded-for",
                    "x-forwarded-host",
                    "x-forwarded-port",
                    "x-forwarded-proto",
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

    private TrailerFilter() {}

    static Fields allowed(Fields trailers) {
        Fields.Builder kept = new Fields.Builder();
        for (int i = 0; i < trailers.size(); i++) {
            if (!FORBIDDEN.contains(trailers.name(i).toLowerCase(Locale.ROOT))) {
                kept.add(trailers.name(i), trailers.value(i));
            }
        }
        return kept.size() == trailers.size() ? trailers : kept.build();
    }
}
