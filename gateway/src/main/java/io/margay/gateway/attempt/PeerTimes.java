package io.margay.gateway.attempt;

import java.util.concurrent.TimeUnit;

/// How fast a peer answers: a moving average that follows slower answers at once and forgets two
/// thirds of them in ten seconds ("peak EWMA"). Thread-safe without a lock: of two answers at the
/// same moment one may not count.
public final class PeerTimes {
    /// After this time an answer counts for a third.
    private static final double DECAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// What a failure counts at least, so that a peer is not the fastest because it fails.
    private static final long FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// What it counts at most.
    private static final double FAILURE_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

    private volatile double cost;
    private volatile long seenNanos;

    /// Counts an answer.
    ///
    /// @param nanos how long it took; 0 = none has come
    public void add(long nanos, boolean failed, long now) {
        double before = cost;
        double took = Math.max(1, failed ? Math.max(nanos, FAILURE_NANOS) : nanos);
        if (nanos == 0 && failed) {
            // Where good answers take seconds, too, it must not pass for a fast one.
            took = Math.max(took, Math.min(2 * before, FAILURE_NANOS_MAX));
        }
        double left = left(now);
        cost = took > before ? took : before * left + took * (1 - left);
        seenNanos = now;
    }

    private double left(long now) {
        return Math.exp(-Math.max(0, now - seenNanos) / DECAY_NANOS);
    }

    /// How long an answer takes, in nanoseconds; less the longer none has come, so that a slow peer
    /// is tried again. 0 = it has not answered yet.
    public double cost(long now) {
        double known = cost;
        return known == 0 ? 0 : known * left(now);
    }
}
