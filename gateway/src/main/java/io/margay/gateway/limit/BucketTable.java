package io.margay.gateway.limit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/// Token buckets of many keys in memory of a fixed size, each kept as the time at which it is full
/// again (the generic cell rate algorithm). A bucket that is full is as good as none, so its place
/// is free. Where all places that a key may take hold others, the one that is full soonest is
/// forgotten: who has asked for much stays remembered, however many come. Thread-safe: guarded by
/// the lock of its stripe, which is held for some memory accesses.
public final class BucketTable implements RateTable {
    /// Places that a key may take.
    static final int WAYS = 8;

    private static final int STRIPES = 64;

    private final long intervalNanos;
    private final long roomNanos;
    private final int burst;
    private final long[] keys;
    private final long[] fullNanos;
    private final int setMask;
    private final Object[] locks = new Object[STRIPES];
    private final LongAdder forgotten = new LongAdder();

    /// @param intervalNanos after which there is room for one more
    /// @param burst how many fit into a bucket
    /// @param places a power of two
    public BucketTable(long intervalNanos, int burst, int places) {
        this.intervalNanos = intervalNanos;
        this.burst = burst;
        this.roomNanos = Math.multiplyExact(intervalNanos, (long) burst);
        this.keys = new long[places];
        this.fullNanos = new long[places];
        this.setMask = places / WAYS - 1;
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new Object();
        }
    }

    @Override
    public long take(long key, long now, long waitMaxNanos) {
        int set = (int) key & setMask;
        synchronized (locks[set % STRIPES]) {
            int place = place(key, set, now);
            long empty = place < 0 || fullNanos[place] - now <= 0 ? now : fullNanos[place];
            long wait = Math.max(0, empty + intervalNanos - now - roomNanos);
            if (wait <= waitMaxNanos) {
                int at = place < 0 ? free(set, now) : place;
                keys[at] = key;
                fullNanos[at] = empty + intervalNanos;
            }
            return wait;
        }
    }

    /// Takes out of the bucket of a key what it takes so long to fill it by, also where it has
    /// less.
    public void charge(long key, long now, long nanos) {
        int set = (int) key & setMask;
        synchronized (locks[set % STRIPES]) {
            int place = place(key, set, now);
            int at = place < 0 ? free(set, now) : place;
            fullNanos[at] = (place < 0 ? now : fullNanos[at]) + nanos;
            keys[at] = key;
        }
    }

    /// The bucket of a key is full after so long at the least.
    void atLeast(long key, long now, long untilFullNanos) {
        long more = untilFullNanos - Math.max(0, untilFull(key, now));
        if (more > 0) {
            charge(key, now, more);
        }
    }

    @Override
    public long untilFull(long key, long now) {
        int set = (int) key & setMask;
        synchronized (locks[set % STRIPES]) {
            int place = place(key, set, now);
            return place < 0 ? 0 : fullNanos[place] - now;
        }
    }

    @Override
    public int left(long key, long now) {
        return Math.clamp(burst - Math.ceilDiv(untilFull(key, now), intervalNanos), 0, burst);
    }

    @Override
    public long forgotten() {
        return forgotten.sum();
    }

    /// Keys and the times until their buckets are full; then 0.
    @Override
    public void write(DataOutput out, long now) throws IOException {
        for (int set = 0; set <= setMask; set++) {
            for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
                long key;
                long left;
                synchronized (locks[set % STRIPES]) {
                    key = keys[i];
                    left = fullNanos[i] - now;
                }
                if (key != 0 && left > 0) {
                    out.writeLong(key);
                    out.writeLong(left);
                }
            }
        }
        out.writeLong(0);
    }

    @Override
    public void read(DataInput in, long now, long sinceNanos) throws IOException {
        for (long key = in.readLong(); key != 0; key = in.readLong()) {
            atLeast(key, now, in.readLong() - sinceNanos);
        }
    }

    /// Where a key is remembered; -1 where it is not.
    private int place(long key, int set, long now) {
        for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
            if (keys[i] == key && fullNanos[i] - now > 0) {
                return i;
            }
        }
        return -1;
    }

    /// The place of the bucket that is full soonest, if it is not already.
    private int free(int set, long now) {
        int soonest = set * WAYS;
        for (int i = soonest; i < (set + 1) * WAYS; i++) {
            if (keys[i] == 0 || fullNanos[i] - now <= 0) {
                return i;
            }
            if (fullNanos[i] - fullNanos[soonest] < 0) {
                soonest = i;
            }
        }
        forgotten.increment();
        return soonest;
    }
}
