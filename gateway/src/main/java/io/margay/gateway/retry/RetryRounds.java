package io.margay.gateway.retry;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.util.List;

/// How often the peers are gone through for one request, and how long it waits between. Confined to
/// the loop that carries the request.
///
/// mod_jk goes through its members `retries` times with `retry_interval` between, also when all are
/// busy or stopped; mod_proxy looks every 100 ms, as long as the balancer's `timeout` says, whether
/// a member can take a request that none has had.
public final class RetryRounds {
    /// How often a request that waits is offered again.
    private static final long LOOK_AGAIN_NANOS = 100_000_000L;

    private int round = 1;
    private boolean waits;
    private long waitsSince;

    /// When the peers are to be gone through again, from now on; negative when they are not.
    ///
    /// @param tried those that have failed the request in this round
    public long nextNanos(Upstream upstream, List<Peer> tried, long now) {
        UpstreamConfig config = upstream.config();
        long patience = config.patience().toNanos();
        if (patience > 0 && tried.isEmpty()) {
            waitsSince = waits ? waitsSince : now;
            waits = true;
            return now - waitsSince < patience ? LOOK_AGAIN_NANOS : -1;
        }
        boolean mayBeFree = !tried.isEmpty() || config.dialect().likeModJk();
        if (!mayBeFree || round >= config.rounds()) {
            return -1;
        }
        round++;
        PeerConfig last = tried.isEmpty() ? upstream.pattern() : tried.getLast().config();
        return last.failures().retryInterval().toNanos();
    }
}
