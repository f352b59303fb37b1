package io.margay.server.meter;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/// How long requests took since somebody last asked: finely enough for quantiles, which are off by
/// a sixteenth at most. Nothing is counted, and nothing is held, unless it is watched. Thread-safe.
///
/// Durations are counted in microseconds, those below 16 exactly, others in eight steps for each
/// power of two, up to 18 minutes; longer ones count as that.
public final class RecentDurations {
    /// Steps that are counted apart.
    public static final int STEPS = 224;

    /// Powers of two from which on there are eight steps to each.
    private static final int EXACT_BITS = 4;

    private static final int STEP_BITS = 3;
    private static final long MICROS_MAX = (1L << 30) - 1;

    private volatile boolean watched;
    private volatile @Nullable AtomicIntegerArray counts;

    /// Whether it counts.
    boolean isWatched() {
        return watched;
    }

    /// Bytes that one holds that is watched and has counted.
    public static int bytes() {
        return STEPS * Stripes.FEW * Integer.BYTES + 64;
    }

    /// Begins or ends to count.
    public void watch(boolean wanted) {
        watched = wanted;
        if (!wanted) {
            counts = null;
        }
    }

    /// Counts one.
    ///
    /// @return whether it is watched
    public boolean count(long tookNanos) {
        if (!watched) {
            return false;
        }
        AtomicIntegerArray known = counts;
        if (known == null) {
            known = made();
        }
        known.getAndIncrement(Stripes.mine(Stripes.FEW) * STEPS + step(micros(tookNanos)));
        return true;
    }

    private synchronized AtomicIntegerArray made() {
        AtomicIntegerArray known = counts;
        if (known == null) {
            known = new AtomicIntegerArray(STEPS * Stripes.FEW);
            counts = known;
        }
        return known;
    }

    private static long micros(long nanos) {
        return Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, MICROS_MAX);
    }

    static int step(long micros) {
        if (micros < 1 << EXACT_BITS) {
            return (int) micros;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
        int within = (int) (micros >>> (power - STEP_BITS)) & ((1 << STEP_BITS) - 1);
        return (1 << EXACT_BITS) + ((power - EXACT_BITS) << STEP_BITS) + within;
    }

    /// The middle of a step, in microseconds.
    static double middle(int step) {
        if (step < 1 << EXACT_BITS) {
            return step;
        }
        int power = EXACT_BITS + ((step - (1 << EXACT_BITS)) >> STEP_BITS);
        int within = (step - (1 << EXACT_BITS)) & ((1 << STEP_BITS) - 1);
        double width = 1L << (power - STEP_BITS);
        return ((1 << STEP_BITS) + within + 0.5) * width;
    }

    /// Adds what was counted to sums by step, and forgets it if that is wanted: each duration is
    /// forgotten in one reading alone.
    public void read(long[] sums, boolean forget) {
        AtomicIntegerArray known = counts;
        for (int i = 0; known != null && i < known.length(); i++) {
            int count = forget && known.get(i) != 0 ? known.getAndSet(i, 0) : known.get(i);
            sums[i % STEPS] += Integer.toUnsignedLong(count);
        }
    }

    /// The duration that a share of all does not exceed, in seconds; 0 when there were none.
    ///
    /// @param sums by step
    /// @param share from 0 to 1
    public static double quantile(long[] sums, double share) {
        long all = 0;
        for (long sum : sums) {
            all += sum;
        }
        long wanted = Math.max(1, (long) Math.ceil(all * share));
        long passed = 0;
        for (int step = 0; step < sums.length; step++) {
            passed += sums[step];
            if (passed >= wanted) {
                return middle(step) / 1e6;
            }
        }
        return 0;
    }
}
