package io.margay.gateway.limit;

import io.margay.server.shared.SharedStore.Count;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Token buckets that the gateways of a group have together: each takes tokens out of its own
/// copies, tells the engine how many, and learns how full the buckets are. Without the engine each
/// token counts as many times as there are gateways. Thread-safe: `this` guards what is to be told.
///
/// Between two calls of the engine each gateway lets through what its copies have. What is too much
/// by that is counted, so that less is let through later: N gateways let through N times the burst
/// at once at most, and over time what the limit says.
final class SharedBuckets implements SharedCounters.Counted {
    private final BucketTable own;
    private final String table;
    private final long intervalNanos;
    private final SharedCounters counters;
    private final LongSupplier nanos;
    private Map<Long, Integer> taken = new HashMap<>();

    SharedBuckets(
            BucketTable own,
            String table,
            long intervalNanos,
            SharedCounters counters,
            LongSupplier nanos) {
        this.own = own;
        this.table = table;
        this.intervalNanos = intervalNanos;
        this.counters = counters;
        this.nanos = nanos;
    }

    /// A token was taken here.
    void taken(long key, long now) {
        int share = counters.share();
        if (share > 1) {
            own.charge(key, now, (share - 1) * intervalNanos);
            return;
        }
        synchronized (this) {
            if (taken.size() < counters.limits().keysMax() || taken.containsKey(key)) {
                taken.merge(key, 1, Integer::sum);
            } else {
                counters.lost();
            }
        }
        counters.wake();
    }

    @Override
    public boolean settle() throws IOException {
        Map<Long, Integer> told;
        synchronized (this) {
            if (taken.isEmpty()) {
                return false;
            }
            told = taken;
            taken = new HashMap<>();
        }
        List<Count> counts = new ArrayList<>(told.size());
        told.forEach((key, count) -> counts.add(new Count(key, count)));
        long[] full = counters.ask(counts, store -> store.take(table, intervalNanos, counts));
        long now = nanos.getAsLong();
        for (int i = 0; i < full.length && i < counts.size(); i++) {
            long key = counts.get(i).key();
            int since;
            synchronized (this) {
                since = taken.getOrDefault(key, 0);
            }
            own.atLeast(key, now, full[i] + since * intervalNanos);
        }
        return false;
    }
}
