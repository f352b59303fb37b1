package io.margay.server.meter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// How long requests took, counted by bounds from half a millisecond to ten seconds since the
/// start. Thread-safe; a reading is not a snapshot of one instant.
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

    /// Counters of a stripe, the last of which adds up nanoseconds: two lines of a cache.
    private static final int APART = BOUNDS.length + 1;

    private final AtomicLong longest = new AtomicLong();
    private final AtomicLongArray counts;
    private final int stripes;

    /// By bound the last with a trace; made with the first.
    private volatile @Nullable AtomicReferenceArray<Distribution.Example> examples;

    private Durations(int stripes) {
        this.stripes = stripes;
        counts = new AtomicLongArray(stripes * APART);
    }

    /// Of what all threads count.
    public static Durations ofAll() {
        return new Durations(Stripes.MANY);
    }

    /// Of one among many: it takes 256 bytes, and more where threads meet.
    public static Durations ofOne() {
        return new Durations(Stripes.FEW);
    }

    /// Counts one that has a trace.
    ///
    /// @param mark null = it has none
    public void count(long tookNanos, @Nullable TraceMark mark) {
        count(tookNanos);
        if (mark == null) {
            return;
        }
        AtomicReferenceArray<Distribution.Example> known = examples;
        if (known == null) {
            known = new AtomicReferenceArray<>(BOUNDS.length);
            examples = known;
        }
        known.set(
                bound(tookNanos),
                new Distribution.Example(tookNanos / NANOS, mark, System.currentTimeMillis()));
    }

    private static int bound(long tookNanos) {
        int i = 0;
        while (tookNanos > BOUNDS[i]) {
            i++;
        }
        return i;
    }

    /// Counts one.
    public void count(long tookNanos) {
        int i = bound(tookNanos);
        int first = Stripes.mine(stripes) * APART;
        counts.getAndIncrement(first + i);
        counts.getAndAdd(first + APART - 1, tookNanos);
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
        return sum(APART - 1);
    }

    /// How many there were.
    public long count() {
        long all = 0;
        for (int i = 0; i < BOUNDS.length; i++) {
            all += sum(i);
        }
        return all;
    }

    private long sum(int place) {
        long sum = 0;
        for (int i = place; i < counts.length(); i += APART) {
            sum += counts.get(i);
        }
        return sum;
    }

    /// What was counted, in seconds.
    public Distribution read() {
        List<Distribution.Bucket> buckets = new ArrayList<>(BOUNDS.length);
        AtomicReferenceArray<Distribution.Example> known = examples;
        long all = 0;
        for (int i = 0; i < BOUNDS.length; i++) {
            long count = sum(i);
            all += count;
            boolean bounded = BOUNDS[i] < Long.MAX_VALUE;
            buckets.add(
                    new Distribution.Bucket(
                            bounded ? BOUNDS[i] / NANOS : Double.POSITIVE_INFINITY,
                            count,
                            known == null ? null : known.get(i)));
        }
        return new Distribution(all, nanos() / NANOS, buckets);
    }
}
