package io.margay.server.config;

import io.margay.server.meter.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// How long requests took, counted by bounds from half a millisecond to ten seconds. Thread-safe; a
/// reading is not a snapshot of one instant.
public final class Durations {
    private static final double NANOS = 1e9;

    /// Upper bounds of the durations that are counted apart, in nanoseconds, ascending: from what a
    /// file in memory takes to what a client waits for at most.
    private static final long[] BOUNDS = {
        500_000L,
        1_000_000L,
        2_500_000L,
        5_000_000L,
        10_000_000L,
        25_000_000L,
        50_000_000L,
        100_000_000L,
        250_000_000L,
        500_000_000L,
        1_000_000_000L,
        2_500_000_000L,
        5_000_000_000L,
        10_000_000_000L,
        Long.MAX_VALUE
    };

    private final LongAdder nanos = new LongAdder();
    private final AtomicLong longest = new AtomicLong();
    private final LongAdder[] counts = new LongAdder[BOUNDS.length];

    public Durations() {
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    /// Counts one.
    public void count(long tookNanos) {
        int i = 0;
        while (tookNanos > BOUNDS[i]) {
            i++;
        }
        counts[i].increment();
        nanos.add(tookNanos);
        // Written seldom, so that reading it costs nothing.
        if (tookNanos > longest.get()) {
            longest.accumulateAndGet(tookNanos, Math::max);
        }
    }

    /// The longest of them, nanoseconds.
    public long longestNanos() {
        return longest.get();
    }

    /// All of them together, nanoseconds.
    public long nanos() {
        return nanos.sum();
    }

    /// What was counted, in seconds.
    public Distribution read() {
        List<Distribution.Bucket> buckets = new ArrayList<>(BOUNDS.length);
        long all = 0;
        for (int i = 0; i < BOUNDS.length; i++) {
            long count = counts[i].sum();
            all += count;
            boolean bounded = BOUNDS[i] < Long.MAX_VALUE;
            buckets.add(
                    new Distribution.Bucket(
                            bounded ? BOUNDS[i] / NANOS : Double.POSITIVE_INFINITY, count));
        }
        return new Distribution(all, nanos() / NANOS, buckets);
    }
}
