package io.margay.gateway.health;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.HealthConfig;
import io.margay.server.handover.TravellingState;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The active checks of all upstreams that have some. Thread-safe.
///
/// One thread keeps the time; each check runs on a virtual thread of its own, a bounded number at
/// once, and its connection is closed when its time is up. First checks are spread over the
/// interval, so that many peers are not asked at the same moment.
public final class HealthChecks implements AutoCloseable {
    /// Checks that run at one time; others wait.
    private static final int CHECKS_MAX = 16;

    private final ScheduledThreadPoolExecutor clock;
    private final RandomGenerator random;
    private final Semaphore running = new Semaphore(CHECKS_MAX);
    private final Set<HealthProbe> probes = ConcurrentHashMap.newKeySet();
    private final Map<Peer, CheckResult> results = new ConcurrentHashMap<>();
    private final Map<Peer, Upstream> known = new ConcurrentHashMap<>();

    /// Begins to check the peers of those upstreams that say how.
    ///
    /// @param random spreads the first checks
    public HealthChecks(Collection<Upstream> upstreams, RandomGenerator random) {
        this.random = random;
        clock =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform().daemon().name("margay-health").factory(),
                        new ThreadPoolExecutor.DiscardPolicy());
        clock.setRemoveOnCancelPolicy(true);
        for (Upstream upstream : upstreams) {
            HealthConfig config = upstream.config().health();
            if (config != null) {
                begin(upstream, config);
            }
        }
    }

    /// Begins with those peers of an upstream that are new. One that must pass a check before it is
    /// used is checked at once.
    private void begin(Upstream upstream, HealthConfig config) {
        for (Peer peer : upstream.peers()) {
            if (known.putIfAbsent(peer, upstream) == null) {
                schedule(peer, peer.healthy() ? spread(config) : 0);
            }
        }
    }

    /// Peers have come to an upstream, or have left it.
    public void changed(Upstream upstream) {
        HealthConfig config = upstream.config().health();
        if (config != null) {
            begin(upstream, config);
        }
        known.keySet().removeIf(Peer::departed);
        results.keySet().removeIf(Peer::departed);
    }

    private long spread(HealthConfig config) {
        long interval = config.every().toNanos();
        return interval == 0 ? 0 : random.nextLong(interval);
    }

    private void schedule(Peer peer, long delayNanos) {
        if (!clock.isShutdown()) {
            var _ = clock.schedule(() -> start(peer), delayNanos, TimeUnit.NANOSECONDS);
        }
    }

    /// Begins a check as it is configured by now; checks that are taken away come to an end.
    private void start(Peer peer) {
        HealthConfig config = peer.upstream().health();
        Upstream upstream = known.get(peer);
        if (config == null || upstream == null || peer.departed()) {
            return;
        }
        begin(upstream, config);
        if (peer.activation() == Activation.STOPPED) {
            schedule(peer, config.every().toNanos());
            return;
        }
        Thread.ofVirtual()
                .name("margay-check-" + peer.config().name())
                .start(() -> check(peer, config));
    }

    private void check(Peer peer, HealthConfig config) {
        try {
            running.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            HealthProbe first = new HealthProbe(peer.config(), config);
            String bad = run(first, config);
            if (first.wasPassedBy()) {
                bad = run(new HealthProbe(peer.config(), config), config);
            }
            if (!clock.isShutdown()) {
                judge(peer, config, bad);
            }
        } finally {
            running.release();
            schedule(peer, config.every().toNanos());
        }
    }

    private @Nullable String run(HealthProbe probe, HealthConfig config) {
        probes.add(probe);
        if (clock.isShutdown()) {
            probe.giveUp();
        }
        var end = clock.schedule(probe::giveUp, config.timeout().toNanos(), TimeUnit.NANOSECONDS);
        String bad = probe.run();
        end.cancel(false);
        probes.remove(probe);
        return bad;
    }

    private void judge(Peer peer, HealthConfig config, @Nullable String bad) {
        CheckResult before = result(peer);
        CheckResult result = before.then(bad);
        if (peer.departed()) {
            return;
        }
        results.put(peer, result);
        if (result.fails() >= config.fails() && peer.healthy()) {
            peer.healthy(false, String.valueOf(bad));
        } else if (result.passes() >= config.passes()
                || (result.passes() > 0 && !peer.healthy() && before.equals(CheckResult.NONE))) {
            peer.healthy(true, "");
        }
    }

    /// How the checks of a peer stand.
    public CheckResult result(Peer peer) {
        return results.getOrDefault(peer, CheckResult.NONE);
    }

    /// How the checks of an upstream stand, for the process that goes on with them.
    public TravellingState state(Upstream upstream) {
        return new CheckState(upstream, results);
    }

    /// Ends all checks; what they have found stays.
    @Override
    public void close() {
        clock.shutdownNow();
        probes.forEach(HealthProbe::giveUp);
    }
}
