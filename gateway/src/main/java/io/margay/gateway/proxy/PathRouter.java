package io.margay.gateway.proxy;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.protocol.ClientTarget;
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
        return new ProxyTarget(upstream, ClientTarget.of(exchange), rules);
    }
}
