package io.margay.gateway.proxy;

import io.margay.gateway.balance.Upstream;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;

/// Passes every request on to one upstream, with the path that it was routed by. Immutable.
public final class PathRouter implements Router {
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
        CanonicalPath read = exchange.path();
        boolean plain =
                !raw.contains("//")
                        && !raw.contains("/.")
                        && read.reading().withSlashes(raw).equals(raw);
        String path = plain ? raw : read.encoded();
        String query = target.rawQuery();
        return query == null ? path : path + "?" + query;
    }
}
