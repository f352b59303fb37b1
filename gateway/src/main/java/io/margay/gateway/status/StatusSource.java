package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.health.CheckResult;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// What status pages show, and whom they tell of changes. Thread-safe.
///
/// @param upstreams all of them, in order
/// @param connections open ones to a peer
/// @param checks how a peer's active checks stand
/// @param maps which requests lead to an upstream, by its name
/// @param clock tells the time
/// @param software name and version of the server
/// @param changed called after something was changed by hand, with who did so, for logs
public record StatusSource(
        Collection<Upstream> upstreams,
        ToIntFunction<Peer> connections,
        Function<Peer, CheckResult> checks,
        Function<String, List<UriMap>> maps,
        InstantSource clock,
        String software,
        Consumer<String> changed) {
    /// The same with the upstreams of some dialects alone: what mod_jk balances is not shown by the
    /// pages of mod_proxy, nor the other way round.
    public StatusSource only(Predicate<BalanceDialect> dialects) {
        return new StatusSource(
                upstreams.stream().filter(one -> dialects.test(one.config().dialect())).toList(),
                connections,
                checks,
                maps,
                clock,
                software,
                changed);
    }

    /// A rule that leads requests to an upstream.
    ///
    /// @param server the host it is for; `*` = any
    /// @param uri the pattern
    /// @param statuses what clients got by it, by class of status from 1xx to 5xx; none = it does
    ///   not count
    public record UriMap(String server, String uri, List<Long> statuses) {}
}
