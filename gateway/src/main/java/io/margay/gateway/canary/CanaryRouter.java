package io.margay.gateway.canary;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.protocol.ClientTarget;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyTarget;
import io.margay.gateway.proxy.Router;
import io.margay.server.exchange.Exchange;
import java.util.random.RandomGenerator;

/// Passes requests on to the old or to the new version of what answers a route. Thread-safe.
public final class CanaryRouter implements Router {
    private final CanarySides sides;
    private final Upstream old;
    private final Upstream fresh;
    private final ProxyRules rules;

    /// @param random makes the cookies of new clients; thread-safe
    public CanaryRouter(
            Canary canary, Upstream old, Upstream fresh, ProxyRules rules, RandomGenerator random) {
        sides = new CanarySides(canary, () -> old.config().sticky().cookie(), random);
        this.old = old;
        this.fresh = fresh;
        this.rules = rules;
    }

    @Override
    public ProxyTarget route(Exchange exchange) {
        Upstream to = sides.takesNew(exchange) ? fresh : old;
        return new ProxyTarget(to, ClientTarget.of(exchange), rules);
    }
}
