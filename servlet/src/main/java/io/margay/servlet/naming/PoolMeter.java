package io.margay.servlet.naming;

import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.PoolStats;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts what one pool does. Thread-safe.
final class PoolMeter implements IMetricsTracker {
    private final LongAdder given = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private volatile @Nullable PoolStats stats;

    /// Begins to count for a pool.
    PoolMeter of(PoolStats pool) {
        stats = pool;
        return this;
    }

    @Override
    public void recordConnectionAcquiredNanos(long nanos) {
        given.increment();
        waitedNanos.add(nanos);
    }

    @Override
    public void recordConnectionTimeout() {
        timeouts.increment();
    }

    PoolReading read(String name) {
        PoolStats now = stats;
        return PoolReadingBuilder.builder()
                .name(name)
                .active(now == null ? 0 : now.getActiveConnections())
                .idle(now == null ? 0 : now.getIdleConnections())
                .waiting(now == null ? 0 : now.getPendingThreads())
                .max(now == null ? 0 : now.getMaxConnections())
                .given(given.sum())
                .timeouts(timeouts.sum())
                .waitedNanos(waitedNanos.sum())
                .build();
    }
}
