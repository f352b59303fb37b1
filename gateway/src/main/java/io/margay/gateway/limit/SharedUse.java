package io.margay.gateway.limit;

import io.margay.server.shared.SharedStore.Count;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// How many requests of each key of a limit are in flight at the gateways of a group: each tells
/// the engine of its own, and learns how many others have. Thread-safe: guarded by `this`.
final class SharedUse implements SharedCounters.Counted {
    private final int most;
    private final String table;
    private final SharedCounters counters;
    private final LongConsumer freed;
    private final LongSupplier nanos;

    /// What is in flight here.
    private final Map<Long, Integer> own = new HashMap<>();

    /// What the engine has not been told of.
    private Map<Long, Integer> changed = new HashMap<>();

    /// What others use of the keys that were asked for last; those asked for longest ago go.
    private final Map<Long, Others> others;

    private long toldNanos;

    private record Others(long number, long knownNanos) {}

    /// @param most in flight together
    /// @param freed is told of a key that others use less
    SharedUse(
            int most,
            String table,
            SharedCounters counters,
            LongConsumer freed,
            LongSupplier nanos) {
        this.most = most;
        this.table = table;
        this.counters = counters;
        this.freed = freed;
        this.nanos = nanos;
        toldNanos = nanos.getAsLong();
        int keysMax = counters.limits().keysMax();
        others =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Long, Others> eldest) {
                        return size() > keysMax;
                    }
                };
    }

    /// How many may be in flight here now.
    synchronized int room(long key) {
        int share = counters.share();
        if (share > 1) {
            return Math.max(1, most / share);
        }
        Others known = others.get(key);
        long age = known == null ? Long.MAX_VALUE : nanos.getAsLong() - known.knownNanos;
        if (age > counters.lease().toNanos() / 3) {
            tell(key, own.getOrDefault(key, 0));
        }
        return known == null || age > counters.lease().toNanos()
                ? most
                : (int) Math.max(0, most - known.number);
    }

    /// So many are in flight here now.
    synchronized void changed(long key, int running) {
        if (running == 0) {
            own.remove(key);
        } else {
            own.put(key, running);
        }
        tell(key, running);
    }

    /// Requests of a key wait here: what others use of it is asked again and again.
    synchronized void waiting(long key, int running) {
        own.put(key, running);
        tell(key, running);
    }

    private void tell(long key, int running) {
        if (changed.size() < counters.limits().keysMax() || changed.containsKey(key)) {
            changed.put(key, running);
        } else {
            counters.lost();
        }
        counters.wake();
    }

    @Override
    public boolean settle() throws IOException {
        List<Count> counts = new ArrayList<>();
        boolean more;
        synchronized (this) {
            long now = nanos.getAsLong();
            if (now - toldNanos > counters.lease().toNanos() / 3) {
                toldNanos = now;
                own.forEach(this::tell);
            }
            changed.forEach((key, running) -> counts.add(new Count(key, running)));
            changed = new HashMap<>();
            more = !own.isEmpty();
        }
        if (!counts.isEmpty()) {
            learn(counts);
        }
        return more;
    }

    private void learn(List<Count> counts) throws IOException {
        long[] used =
                counters.ask(
                        counts,
                        store -> store.use(table, counters.instance(), counters.lease(), counts));
        List<Long> less = new ArrayList<>();
        synchronized (this) {
            long now = nanos.getAsLong();
            for (int i = 0; i < used.length && i < counts.size(); i++) {
                Others before = others.put(counts.get(i).key(), new Others(used[i], now));
                if (before != null && used[i] < before.number) {
                    less.add(counts.get(i).key());
                }
            }
        }
        less.forEach(freed::accept);
    }
}
