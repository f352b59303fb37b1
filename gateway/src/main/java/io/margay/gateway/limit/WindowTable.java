package io.margay.gateway.limit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/// Requests of many keys in a window of time that slides, in memory of a fixed size. Of each key
/// the window that has begun and the one before it are counted; what has come in the latter counts
/// by the part of it that the sliding window still covers. Where all places that a key may take
/// hold others, the one with the fewest requests is forgotten. Thread-safe: guarded by the lock of
/// its stripe, which is held for some memory accesses.
final class WindowTable implements RateTable {
    private static final int STRIPES = 64;

    private final int max;
    private final long windowNanos;
    private final long epochNanos;
    private final long[] keys;

    /// Numbers of windows, from 1; 0 = the place is free.
    private final long[] windows;

    private final int[] current;
    private final int[] previous;
    private final int setMask;
    private final Object[] locks = new Object[STRIPES];
    private final LongAdder forgotten = new LongAdder();

    /// @param max how many requests a window may have
    /// @param places a power of two
    WindowTable(int max, long windowNanos, int places, long now) {
        this.max = max;
        this.windowNanos = windowNanos;
        this.epochNanos = now;
        this.keys = new long[places];
        this.windows = new long[places];
        this.current = new int[places];
        this.previous = new int[places];
        this.setMask = places / BucketTable.WAYS - 1;
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new Object();
        }
    }

    @Override
    public long take(long key, long now, long waitMaxNanos) {
        int set = (int) key & setMask;
        long window = window(now);
        synchronized (locks[set % STRIPES]) {
            int place = place(key, set, window);
            long wait = place < 0 ? 0 : waitNanos(place, now);
            if (wait <= waitMaxNanos) {
                int at = place < 0 ? free(set, now) : place;
                if (place < 0) {
                    keys[at] = key;
                    windows[at] = window;
                    current[at] = 0;
                    previous[at] = 0;
                }
                current[at]++;
            }
            return wait;
        }
    }

    @Override
    public int left(long key, long now) {
        int set = (int) key & setMask;
        synchronized (locks[set % STRIPES]) {
            int place = place(key, set, window(now));
            return place < 0 ? max : Math.clamp((long) (max - count(place, now)), 0, max);
        }
    }

    @Override
    public long untilFull(long key, long now) {
        int set = (int) key & setMask;
        synchronized (locks[set % STRIPES]) {
            int place = place(key, set, window(now));
            if (place < 0) {
                return 0;
            }
            long left = windowNanos - into(now);
            return current[place] > 0 ? left + windowNanos : left;
        }
    }

    @Override
    public long forgotten() {
        return forgotten.sum();
    }

    /// How far the window has come, then keys with their counts of it and of the one before; then
    /// 0.
    @Override
    public void write(DataOutput out, long now) throws IOException {
        long window = window(now);
        out.writeLong(into(now));
        for (int i = 0; i < keys.length; i++) {
            long key;
            int here;
            int before;
            synchronized (locks[i / BucketTable.WAYS % STRIPES]) {
                boolean begun = windows[i] == window;
                key = windows[i] == 0 || windows[i] + 1 < window ? 0 : keys[i];
                here = begun ? current[i] : 0;
                before = begun ? previous[i] : current[i];
            }
            if (key != 0) {
                out.writeLong(key);
                out.writeInt(here);
                out.writeInt(before);
            }
        }
        out.writeLong(0);
    }

    /// The windows of this process begin when it does, so that requests of the other one that are
    /// in two windows here count in the later one.
    @Override
    public void read(DataInput in, long now, long sinceNanos) throws IOException {
        boolean over = in.readLong() + sinceNanos >= windowNanos;
        boolean forgotten = sinceNanos >= 2 * windowNanos;
        long window = window(now);
        for (long key = in.readLong(); key != 0; key = in.readLong()) {
            int here = in.readInt();
            int before = in.readInt();
            if (!forgotten) {
                atLeast(key, now, window, over ? 0 : here, over ? here : before);
            }
        }
    }

    private void atLeast(long key, long now, long window, int here, int before) {
        int set = (int) key & setMask;
        synchronized (locks[set % STRIPES]) {
            int place = place(key, set, window);
            int at = place < 0 ? free(set, now) : place;
            if (place < 0) {
                keys[at] = key;
                windows[at] = window;
                current[at] = 0;
                previous[at] = 0;
            }
            current[at] = Math.max(current[at], here);
            previous[at] = Math.max(previous[at], before);
        }
    }

    private long window(long now) {
        return (now - epochNanos) / windowNanos + 1;
    }

    /// How far the window has come that has begun.
    private long into(long now) {
        return (now - epochNanos) % windowNanos;
    }

    private double count(int place, long now) {
        return current[place] + previous[place] * (1 - (double) into(now) / windowNanos);
    }

    /// After which time there is room for one more.
    private long waitNanos(int place, long now) {
        if (count(place, now) + 1 <= max) {
            return 0;
        }
        long into = into(now);
        if (current[place] + 1 <= max) {
            double covered = (double) (max - 1 - current[place]) / previous[place];
            return Math.max(1, uncovered(covered) - into);
        }
        double covered = (double) (max - 1) / current[place];
        return windowNanos - into + uncovered(covered);
    }

    /// How far a window has come when so much of the one before it counts, or just less.
    private long uncovered(double covered) {
        return (long) ((1 - covered) * windowNanos) + 1;
    }

    /// Where a key is remembered, its counts brought up to date; -1 where it is not.
    private int place(long key, int set, long window) {
        for (int i = set * BucketTable.WAYS; i < (set + 1) * BucketTable.WAYS; i++) {
            if (keys[i] == key && windows[i] != 0) {
                if (windows[i] + 1 < window) {
                    windows[i] = 0;
                    return -1;
                }
                if (windows[i] < window) {
                    previous[i] = current[i];
                    current[i] = 0;
                    windows[i] = window;
                }
                return i;
            }
        }
        return -1;
    }

    /// The place of the key with the fewest requests, if none is free.
    private int free(int set, long now) {
        long window = window(now);
        int fewest = set * BucketTable.WAYS;
        for (int i = fewest; i < (set + 1) * BucketTable.WAYS; i++) {
            if (windows[i] == 0 || windows[i] + 1 < window) {
                return i;
            }
            if (current[i] + previous[i] < current[fewest] + previous[fewest]) {
                fewest = i;
            }
        }
        forgotten.increment();
        return fewest;
    }
}
