package io.margay.gateway.cache;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// By what stored responses are found: scheme, authority, path and query just as they were
/// received. Two spellings of a path are two keys, so that nobody has to agree with a member on
/// what they mean. Stateless.
final class CacheKey {
    /// Fields by which clients make some applications answer for another host, path or method,
    /// though nothing of the response says so (CVE-2018-14773 and its like). Their names begin with
    /// `x-` or `f`.
    private static final List<String> UNKEYED =
            List.of(
                    "forwarded",
                    "front-end-https",
                    "x-envoy-original-path",
                    "x-forwarded-method",
                    "x-forwarded-ssl",
                    "x-forwarded-uri",
                    "x-original-method",
                    "x-original-path",
                    "x-url-scheme",
                    "x-forwarded-host",
                    "x-forwarded-server",
                    "x-forwarded-proto",
                    "x-forwarded-scheme",
                    "x-forwarded-port",
                    "x-forwarded-prefix",
                    "x-forwarded-path",
                    "x-host",
                    "x-original-host",
                    "x-original-url",
                    "x-original-uri",
                    "x-rewrite-url",
                    "x-http-method-override",
                    "x-http-method",
                    "x-method-override",
                    "x-http-host-override");

    private CacheKey() {}

    /// That of a request; null when it has no path.
    ///
    /// @param ignoresQuery whether the query does not count
    static @Nullable String of(Exchange exchange, boolean ignoresQuery) {
        RequestTarget target = exchange.request().target();
        if (!target.rawPath().startsWith("/")) {
            return null;
        }
        String query = ignoresQuery ? null : target.rawQuery();
        String authority = target.authority();
        String host = authority == null ? "" : authority.toLowerCase(Locale.ROOT);
        String scheme = exchange.scheme();
        return query == null // each request makes one: in one piece
                ? scheme + "://" + host + target.rawPath()
                : scheme + "://" + host + target.rawPath() + "?" + query;
    }

    private static String prefix(String scheme, String authority) {
        return scheme + "://" + authority.toLowerCase(Locale.ROOT);
    }

    /// Whether a request may be answered otherwise than its key says: its response is not kept.
    static boolean isAmbiguous(Exchange exchange) {
        return !exchange.notes().isTold() && !unkeyed(exchange).isEmpty();
    }

    /// What a trusted front end says in such fields: it tells responses to a URL apart.
    static String told(Exchange exchange) {
        return exchange.notes().isTold() ? unkeyed(exchange) : "";
    }

    private static String unkeyed(Exchange exchange) {
        Fields fields = exchange.request().fields();
        String found = "";
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.nameBegins(i, "x-") && !fields.nameBegins(i, "f")) {
                continue;
            }
            for (String name : UNKEYED) {
                if (fields.nameIs(i, name)) {
                    found += '\n' + name + ':' + fields.value(i);
                }
            }
        }
        return found;
    }

    /// The URL that a field of a response names, if it is of the same origin as the request.
    static @Nullable String sameOrigin(Exchange exchange, @Nullable String location) {
        if (location == null || location.isEmpty() || location.startsWith("//")) {
            return null;
        }
        String authority = exchange.request().target().authority();
        String origin = prefix(exchange.scheme(), authority == null ? "" : authority);
        if (location.startsWith("/")) {
            return origin + location;
        }
        boolean same = location.regionMatches(true, 0, origin + "/", 0, origin.length() + 1);
        return same ? origin + location.substring(origin.length()) : null;
    }
}
