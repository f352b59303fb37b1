package io.margay.gateway.shield;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/// What requests for paths cost on average, in memory of a fixed size: of paths that fall on the
/// same place the last one is remembered. Thread-safe.
final class CheapPaths {
    private static final int COST_BITS = 24;
    private static final long COST_MASK = (1L << COST_BITS) - 1;
    private static final int KEEP = 7;

    /// Of each path the upper bits of its hash, then its cost in microseconds.
    private final AtomicLongArray places;

    private final int mask;
    private final long cheapMicros;

    /// @param places a power of two
    CheapPaths(int places, long cheapNanos) {
        this.places = new AtomicLongArray(places);
        this.mask = places - 1;
        this.cheapMicros = TimeUnit.NANOSECONDS.toMicros(cheapNanos);
    }

    /// Whether requests for a path are known to cost little.
    boolean isCheap(long hash) {
        long entry = places.get((int) hash & mask);
        return isOf(entry, hash) && (entry & COST_MASK) < cheapMicros;
    }

    /// Notes what a request has cost.
    void note(long hash, long nanos) {
        int place = (int) hash & mask;
        long micros = Math.min(COST_MASK, TimeUnit.NANOSECONDS.toMicros(nanos));
        long entry = places.get(place);
        long mean = isOf(entry, hash) ? ((entry & COST_MASK) * KEEP + micros) / (KEEP + 1) : micros;
        places.set(place, (hash & ~COST_MASK) | mean);
    }

    void write(DataOutput out) throws IOException {
        for (int i = 0; i < places.length(); i++) {
            long entry = places.get(i);
            if (entry != 0) {
                out.writeInt(i);
                out.writeLong(entry);
            }
        }
        out.writeInt(-1);
    }

    void read(DataInput in) throws IOException {
        for (int i = in.readInt(); i >= 0; i = in.readInt()) {
            places.set(i & mask, in.readLong());
        }
    }

    private static boolean isOf(long entry, long hash) {
        return (entry & ~COST_MASK) == (hash & ~COST_MASK);
    }
}
