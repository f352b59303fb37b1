package io.margay.app;

import io.margay.app.config.RouteSettings;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.peer.PeerLimits;
import io.margay.gateway.peer.PeerPools;
import io.margay.gateway.proxy.PathRouter;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.gateway.proxy.TrustedFronts;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.RuleSet;
import io.margay.server.exchange.Handler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The upstreams of a site, with the connections to their peers. Immutable but for what happens
/// inside of these; a reload takes over the upstreams that have not changed, with state and
/// connections.
final class Gateways {
    /// This gateway's name in `Via`.
    private static final String PSEUDONYM = "margay";

    /// No upstreams.
    static final Gateways NONE = new Gateways(new PeerPools(PeerLimits.defaults()), Map.of());

    private final PeerPools pools;
    private final Map<String, Upstream> upstreams;

    private Gateways(PeerPools pools, Map<String, Upstream> upstreams) {
        this.pools = pools;
        this.upstreams = Map.copyOf(upstreams);
    }

    /// Those of a new configuration.
    Gateways next(Map<String, UpstreamConfig> configs) {
        Map<String, Upstream> made = new LinkedHashMap<>();
        configs.forEach((name, config) -> {
            Upstream known = upstreams.get(name);
            boolean kept = known != null && known.configured().equals(config);
            made.put(name, kept ? known : new Upstream(config));
        });
        // Without upstreams there are no connections, and NONE is not for two servers to share.
        return new Gateways(
                upstreams.isEmpty() ? new PeerPools(PeerLimits.defaults()) : pools, made);
    }

    /// What answers the requests of a route.
    Handler handler(RouteSettings.Gateway route) {
        Upstream upstream = upstreams.get(route.upstream());
        if (upstream == null) {
            throw new StartException("there is no upstream " + route.upstream());
        }
        return new ReverseProxy(
                new PathRouter(upstream, route.rules()),
                pools,
                PSEUDONYM,
                TrustedFronts.of(route.trusted()));
    }

    /// What answers by the rules of a host; null when it has none.
    @Nullable RuleFront rules(List<GatewayRule> rules) {
        if (rules.isEmpty()) {
            return null;
        }
        for (GatewayRule rule : rules) {
            String name = rule.upstream();
            if (name != null && !upstreams.containsKey(name)) {
                throw new StartException("there is no upstream " + name);
            }
        }
        return new RuleFront(
                RuleSet.of(rules, RuleLimits.defaults()),
                upstreams,
                new ReverseProxy(_ -> null, pools, PSEUDONYM, TrustedFronts.of(List.of())));
    }

    /// Closes connections to the upstreams that `next` does not use.
    void retire(Gateways next) {
        for (Upstream upstream : upstreams.values()) {
            if (!next.upstreams.containsValue(upstream)) {
                pools.retire(upstream);
            }
        }
    }
}
