package io.margay.gateway.canary;

/// How long answers of late took, in steps of 4 %: enough for a percentile. Older ones count for
/// half whenever there are many. Confined to its owner.
final class Latencies {
    /// Of which a 99th percentile can be told.
    private static final int ENOUGH = 500;

    private static final int MANY = 20_000;
    private static final int STEPS_PER_DOUBLING = 16;
    private static final int STEPS = 40 * STEPS_PER_DOUBLING;
    private static final double TAIL = 0.01;

    private final int[] counts = new int[STEPS];
    private int all;

    void add(long micros) {
        counts[step(micros)]++;
        all++;
        if (all >= MANY) {
            all = 0;
            for (int i = 0; i < STEPS; i++) {
                counts[i] /= 2;
                all += counts[i];
            }
        }
    }

    /// A multiple of the 99th percentile, microseconds; 0 = not known yet.
    long limit(double factor) {
        if (all < ENOUGH) {
            return 0;
        }
        double slower = all * TAIL;
        int step = STEPS - 1;
        for (int above = 0; step > 0; step--) {
            above += counts[step];
            if (above >= slower) {
                break;
            }
        }
        return (long) Math.ceil(factor * Math.pow(2, (step + 1.0) / STEPS_PER_DOUBLING));
    }

    private static int step(long micros) {
        double log = Math.log((double) Math.max(1, micros)) / Math.log(2);
        return Math.min(STEPS - 1, (int) (log * STEPS_PER_DOUBLING));
    }
}
