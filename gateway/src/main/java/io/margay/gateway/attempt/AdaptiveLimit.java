package io.margay.gateway.attempt;

import io.margay.gateway.config.AdaptiveConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/// How many requests a peer may have at one time, by how long it takes to respond: fewer when it
/// takes longer than it does with few requests, and slowly more while it does not ("gradient", as
/// in Netflix' concurrency-limits). Where few requests take as long as many did, that is what the
/// peer takes now. Thread-safe without a lock: of responses at the same moment as a round ends,
/// some may not count.
public final class AdaptiveLimit {
    /// A round lasts so long, and has so many responses.
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final int ROUND_RESPONSES = 10;

    private static final int FIRST = 20;

    /// The least part of the limit that one round leaves.
    private static final double LEAST = 0.5;

    /// What a round with a failure leaves.
    private static final double AFTER_FAILURE = 0.9;

    /// Weight of a round in what a response takes with few requests: faster ones, and slower ones
    /// while the limit is not reached.
    private static final double FASTER = 0.3;

    private static final double SLOWER = 0.05;

    private final AdaptiveConfig config;
    private final LongAdder responses = new LongAdder();
    private final LongAdder took = new LongAdder();
    private final LongAdder queued = new LongAdder();
    private final AtomicBoolean ending = new AtomicBoolean();
    private volatile boolean failed;
    private volatile boolean told;
    private volatile int busiest;
    private volatile long endsNanos;
    private volatile double limit;

    /// What a response takes with few requests, nanoseconds; 0 = not known yet. Of whoever ends a
    /// round, as `limit` is written.
    private volatile double base;

    public AdaptiveLimit(AdaptiveConfig config, long now) {
        this.config = config;
        limit = Math.clamp(FIRST, config.min(), config.max());
        endsNanos = now + ROUND_NANOS;
    }

    /// Requests at one time, at most.
    public int limit() {
        return (int) limit;
    }

    /// The peer has failed a request: it broke off, or was too late.
    public void failed() {
        failed = true;
    }

    /// The peer has responded well.
    ///
    /// @param tookNanos how long it took
    /// @param queuedNanos how long it says that the request waited there; negative = it says
    ///   nothing
    /// @param busy requests that it has
    public void answered(long tookNanos, long queuedNanos, int busy, long now) {
        responses.increment();
        took.add(tookNanos);
        if (queuedNanos >= 0) {
            told = true;
            queued.add(Math.min(queuedNanos, tookNanos));
        }
        if (busy > busiest) {
            busiest = busy;
        }
        if (now - endsNanos >= 0
                && responses.sum() >= ROUND_RESPONSES
                && ending.compareAndSet(false, true)) {
            try {
                end(now);
            } finally {
                ending.set(false);
            }
        }
    }

    private void end(long now) {
        long count = responses.sumThenReset();
        double mean = (double) took.sumThenReset() / Math.max(1, count);
        double waited = (double) queued.sumThenReset() / Math.max(1, count);
        double before = limit;
        boolean reached = busiest >= before / 2;
        boolean late = failed;
        boolean says = told;
        endsNanos = now + ROUND_NANOS;
        busiest = 0;
        failed = false;
        told = false;
        double known = learn(says ? mean - waited : mean, says, reached);
        double gradient = Math.clamp(config.tolerance() * known / Math.max(1, mean), LEAST, 1);
        if (late) {
            gradient = Math.min(gradient, AFTER_FAILURE);
        }
        if (gradient == 1) {
            double more = reached ? before + Math.sqrt(before) / 2 : before;
            limit = Math.min(config.max(), more);
        } else if (before <= config.min() && !says && !late) {
            base = mean; // it takes as long with the fewest requests
        } else {
            limit = Math.max(config.min(), before * gradient);
        }
    }

    /// @param alone what a response took without waiting, as far as that is known
    private double learn(double alone, boolean says, boolean reached) {
        double known = base;
        double weight = alone < known || says ? FASTER : reached ? 0 : SLOWER;
        double now = known == 0 ? alone : known + (alone - known) * weight;
        base = now;
        return now;
    }
}
