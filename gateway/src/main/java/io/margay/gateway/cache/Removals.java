package io.margay.gateway.cache;

import io.margay.server.exchange.MemoryBudget;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/// Counts what is removed from the caches of one host, so that a response that was asked for before
/// is not kept. Thread-safe.
///
/// URLs share counters. Each counter has the hash of what was removed last, so that one removal of
/// another URL does not keep a response out.
///
/// ```
/// 63           32 31            0
/// | hash of last | removals so far |
/// ```
final class Removals {
    private static final int STRIPES = 8_192;
    private static final long COUNT = 0xFFFF_FFFFL;

    private final MemoryBudget memory;
    private final AtomicLongArray counts;
    private final AtomicInteger ofAll = new AtomicInteger();

    /// @param memory where there is no room in it, all URLs share one counter
    Removals(MemoryBudget memory) {
        this.memory = memory;
        counts = new AtomicLongArray(memory.take(bytes(STRIPES)) ? STRIPES : 1);
    }

    private static long bytes(int stripes) {
        return (long) stripes * Long.BYTES;
    }

    /// What [CacheStore#put] is told of, from before the response is asked for.
    long mark(String key) {
        return ((long) ofAll.get() << 32) + (counts.get(stripe(key)) & COUNT);
    }

    /// Whether a URL may have been removed since it had a mark.
    boolean since(String key, long mark) {
        if ((int) (mark >>> 32) != ofAll.get()) {
            return true;
        }
        long now = counts.get(stripe(key));
        int removed = (int) now - (int) mark;
        return removed != 0 && (removed != 1 || (int) (now >>> 32) == key.hashCode());
    }

    /// One URL is removed.
    void add(String key) {
        long hash = (long) key.hashCode() << 32;
        long _ = counts.updateAndGet(stripe(key), count -> hash | ((count + 1) & COUNT));
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
