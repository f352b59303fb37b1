package io.margay.app;

import io.margay.app.config.RouteSettings;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.health.CheckResult;
import io.margay.gateway.health.HealthChecks;
import io.margay.gateway.peer.PeerLimits;
import io.margay.gateway.peer.PeerPools;
import io.margay.gateway.proxy.PathRouter;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.gateway.proxy.TrustedFronts;
import io.margay.gateway.status.StateFile;
import io.margay.gateway.status.StatusSource;
import io.margay.server.exchange.Handler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The upstreams of a site, with the connections to their peers. Immutable but for what happens
/// inside of these; a reload takes over the upstreams that have not changed, with state and
/// connections.
final class Gateways {
    /// This gateway's name in `Via`.
    private static final String PSEUDONYM = "margay";

    /// No upstreams.
    static final Gateways NONE =
            new Gateways(new PeerPools(PeerLimits.defaults()), Map.of(), List.of());

    private final PeerPools pools;
    private final Map<String, Upstream> upstreams;

    /// Those that the site before did not have.
    private final List<Upstream> fresh;

    /// While this site is the one in force.
    private volatile @Nullable HealthChecks checks;

    private Gateways(PeerPools pools, Map<String, Upstream> upstreams, List<Upstream> fresh) {
        this.pools = pools;
        this.upstreams = Collections.unmodifiableMap(upstreams);
        this.fresh = List.copyOf(fresh);
    }

    /// Those of a new configuration.
    Gateways next(Map<String, UpstreamConfig> configs) {
        Map<String, Upstream> made = new LinkedHashMap<>();
        List<Upstream> added = new ArrayList<>();
        configs.forEach((name, config) -> {
            Upstream known = upstreams.get(name);
            boolean kept = known != null && known.configured().equals(config);
            if (kept) {
                made.put(name, known);
            } else {
                Upstream upstream = new Upstream(config);
                added.add(upstream);
                made.put(name, upstream);
            }
        });
        // Without upstreams there are no connections, and NONE is not for two servers to share.
        return new Gateways(
                upstreams.isEmpty() ? new PeerPools(PeerLimits.defaults()) : pools, made, added);
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

    /// What status pages show of the upstreams.
    ///
    /// @param maps which requests lead to an upstream, by its name
    /// @param state the file that changes are kept in, or null
    StatusSource source(
            Function<String, List<StatusSource.UriMap>> maps,
            String software,
            @Nullable Path state) {
        Collection<Upstream> all = upstreams.values();
        StateFile file = state == null ? null : new StateFile(state);
        if (file != null) {
            file.load(fresh);
        }
        return new StatusSource(
                all,
                pools::open,
                this::result,
                maps,
                software,
                file == null ? () -> {} : () -> file.save(all));
    }

    private CheckResult result(Peer peer) {
        HealthChecks now = checks;
        return now == null ? new CheckResult(0, 0, null) : now.result(peer);
    }

    /// Begins to check the peers: the site is in force. Those of the site before are not checked
    /// any more.
    void begin(Gateways before) {
        before.end();
        checks = new HealthChecks(upstreams.values(), new SplittableRandom());
    }

    private void end() {
        HealthChecks running = checks;
        if (running != null) {
            running.close();
        }
    }

    /// Closes connections to the upstreams that `next` does not use.
    void retire(Gateways next) {
        end();
        for (Upstream upstream : upstreams.values()) {
            if (!next.upstreams.containsValue(upstream)) {
                pools.retire(upstream);
            }
        }
    }
}
