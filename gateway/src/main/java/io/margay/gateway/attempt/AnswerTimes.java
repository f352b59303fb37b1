package io.margay.gateway.attempt;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// A percentile of response times, of which older ones count for half whenever there are many; in
/// steps of an eighth of a doubling. Thread-safe without a lock.
public final class AnswerTimes {
    /// Responses of which a percentile can be told.
    private static final int ENOUGH = 100;

    private static final int MANY = 10_000;

    /// After so many more the percentile is computed again.
    private static final int BETWEEN = 50;

    private static final int STEP_BITS = 3;
    private static final int STEPS = 40 << STEP_BITS;
    private static final long MICROS = 1_000;
    private static final double PERCENT = 100;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(STEPS);
    private final AtomicInteger fresh = new AtomicInteger();
    private final AtomicBoolean computing = new AtomicBoolean();
    private final double share;
    private volatile long nanos = -1;

    /// @param percentile above 0, below 100
    public AnswerTimes(int percentile) {
        share = percentile / PERCENT;
    }

    /// Counts a response.
    public void add(long tookNanos) {
        counts.incrementAndGet(step(tookNanos / MICROS));
        if (fresh.incrementAndGet() >= BETWEEN && computing.compareAndSet(false, true)) {
            try {
                fresh.set(0);
                compute();
            } finally {
                computing.set(false);
            }
        }
    }

    /// The percentile; -1 = too few have been counted.
    public long nanos() {
        return nanos;
    }

    private void compute() {
        int all = 0;
        for (int i = 0; i < STEPS; i++) {
            all += counts.get(i);
        }
        if (all < ENOUGH) {
            return;
        }
        double below = all * share;
        int step = 0;
        for (int sum = counts.get(0); sum < below && step < STEPS - 1; sum += counts.get(step)) {
            step++;
        }
        nanos = end(step) * MICROS;
        for (int i = 0; all >= MANY && i < STEPS; i++) {
            int half = counts.get(i) / 2;
            counts.addAndGet(i, -half);
        }
    }

    private static int step(long micros) {
        long whole = Math.max(1, micros);
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(whole);
        long part = power < STEP_BITS ? whole << (STEP_BITS - power) : whole >> (power - STEP_BITS);
        return (int) Math.min(STEPS - 1, ((long) power << STEP_BITS) + (part & 7));
    }

    /// Where a step ends, microseconds.
    private static long end(int step) {
        int power = step >> STEP_BITS;
        long parts = 9L + (step & 7);
        return power < STEP_BITS ? 1L << (power + 1) : parts << (power - STEP_BITS);
    }
}
