package io.margay.gateway.cache;

import io.margay.server.exchange.MemoryBudget;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Counts what is removed from the caches of one host, so that a response that was asked for before
/// is not kept. Thread-safe.
final class Removals {
    /// Counters: URLs that share one keep each other's fetches out, so they are many.
    private static final int STRIPES = 16_384;

    private final MemoryBudget memory;
    private final AtomicIntegerArray counts;
    private final AtomicInteger ofAll = new AtomicInteger();

    /// @param memory where there is no room in it, all URLs share one counter
    Removals(MemoryBudget memory) {
        this.memory = memory;
        counts = new AtomicIntegerArray(memory.take(bytes(STRIPES)) ? STRIPES : 1);
    }

    private static long bytes(int stripes) {
        return (long) stripes * Integer.BYTES;
    }

    /// What [CacheStore#put] is told of, from before the response is asked for.
    long mark(String key) {
        return ((long) ofAll.get() << 32) + counts.get(stripe(key));
    }

    /// One URL is removed.
    void add(String key) {
        int _ = counts.incrementAndGet(stripe(key));
    }

    /// Any may be.
    void addAll() {
        int _ = ofAll.incrementAndGet();
    }

    private int stripe(String key) {
        return Math.floorMod(key.hashCode(), counts.length());
    }

    void close() {
        if (counts.length() > 1) {
            memory.give(bytes(counts.length()));
        }
    }
}
