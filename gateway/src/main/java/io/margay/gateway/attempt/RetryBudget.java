package io.margay.gateway.attempt;

import io.margay.gateway.config.UpstreamConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/// How many requests of an upstream may be tried once more: a share of all its requests of the last
/// seconds, so that members that fail are not asked for more than they were without retries.
/// Thread-safe without a lock; two that come when a second begins may be miscounted.
public final class RetryBudget {
    private static final int SECONDS = UpstreamConfig.Retries.WINDOW_SECONDS;

    private final AtomicLongArray second = new AtomicLongArray(SECONDS);
    private final AtomicLongArray requests = new AtomicLongArray(SECONDS);
    private final AtomicLongArray retries = new AtomicLongArray(SECONDS);

    /// A request has come.
    public void request(long nanos) {
        requests.incrementAndGet(slot(nanos));
    }

    /// Whether a request may be tried once more, which counts as that.
    public boolean retry(UpstreamConfig.Retries config, long nanos) {
        int slot = slot(nanos);
        long first = seconds(nanos) - SECONDS;
        long all = 0;
        long again = 0;
        for (int i = 0; i < SECONDS; i++) {
            if (second.get(i) > first) {
                all += requests.get(i);
                again += retries.get(i);
            }
        }
        if (config.percent() < 100
                && again >= Math.max(config.floor(), all * config.percent() / 100)) {
            return false;
        }
        retries.incrementAndGet(slot);
        return true;
    }

    private static long seconds(long nanos) {
        return Math.floorDiv(nanos, TimeUnit.SECONDS.toNanos(1));
    }

    private int slot(long nanos) {
        long now = seconds(nanos);
        int slot = (int) Math.floorMod(now, (long) SECONDS);
        long before = second.get(slot);
        if (before != now && second.compareAndSet(slot, before, now)) {
            requests.set(slot, 0);
            retries.set(slot, 0);
        }
        return slot;
    }
}
