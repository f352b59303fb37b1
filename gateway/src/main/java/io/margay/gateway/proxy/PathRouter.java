package io.margay.gateway.proxy;

import io.margay.gateway.balance.Upstream;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import java.nio.charset.StandardCharsets;

/// Passes every request on to one upstream, with the path that it was routed by. Immutable.
public final class PathRouter implements Router {
    private static final String UNRESERVED = "-._~!$&'()*+,=:@/";
    private static final String HEX = "0123456789ABCDEF";

    private final Upstream upstream;
    private final ProxyRules rules;

    public PathRouter(Upstream upstream, ProxyRules rules) {
        this.upstream = upstream;
        this.rules = rules;
    }

    @Override
    public ProxyTarget route(Exchange exchange) {
        return new ProxyTarget(upstream, target(exchange), rules);
    }

    /// Path and query as received, where the path has no segment that another server could read
    /// otherwise; else the canonical path, encoded anew (CVE-2018-11759).
    private static String target(Exchange exchange) {
        RequestTarget target = exchange.request().target();
        String raw = target.rawPath();
        if (raw.equals("*")) {
            return raw;
        }
        boolean plain = !raw.contains("//") && !raw.contains("/.");
        String path = plain ? raw : encoded(exchange.path().path());
        String query = target.rawQuery();
        return query == null ? path : path + "?" + query;
    }

    private static String encoded(String path) {
        StringBuilder made = new StringBuilder(path.length() + 16);
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff);
            boolean plain =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || UNRESERVED.indexOf(c) >= 0;
            if (plain) {
                made.append(c);
            } else {
                made.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return made.toString();
    }
}
