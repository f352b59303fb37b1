package io.margay.lab;

import io.margay.lab.load.LoadJob;
import io.soabase.recordbuilder.core.RecordBuilder;

/// How long and how often is measured. Immutable.
///
/// @param launches starts of the servers
/// @param roundsMin rounds per start
/// @param roundsMax bound for the rounds until two agree
/// @param roundMillis length of a round
/// @param longer how many times longer a round may be for a scenario that asks for it
/// @param sliceMillis length of a slice of the warm-up
/// @param warmUpMillisMax end of the warm-up, steady or not
/// @param tolerance how far slices of a steady server may lie apart, and rounds that agree
@RecordBuilder
record Pace(
        int launches,
        int roundsMin,
        int roundsMax,
        long roundMillis,
        int longer,
        long sliceMillis,
        long warmUpMillisMax,
        double tolerance) {
    /// How much longer a round may be for a scenario that asks for it.
    static final int LONGER = 4;

    /// The minutes of a quick run, with what follows it within two.
    static final double QUICK_MINUTES = 1.75;

    /// Rough; fitted into [#QUICK_MINUTES].
    private static final Pace QUICK = new Pace(1, 3, 3, 1000, LONGER, 600, 3000, 0.10);

    /// Rounds long enough for a garbage collection.
    private static final Pace FULL = new Pace(1, 6, 12, 6000, LONGER, 2000, 40_000, 0.03);

    /// The length of a round: that of the scenario if it has one, less when the whole must be
    /// quick.
    long roundMillis(LoadJob load) {
        return load.millis() == 0 || longer == 1
                ? roundMillis
                : Math.min(load.millis(), roundMillis * longer);
    }

    /// The same with another warm-up.
    Pace warming(long newSliceMillis, long newWarmUpMillisMax) {
        return PaceBuilder.builder(this)
                .sliceMillis(newSliceMillis)
                .warmUpMillisMax(newWarmUpMillisMax)
                .build();
    }

    /// The same with exactly so many rounds of that length.
    Pace measuring(int rounds, long millis) {
        return PaceBuilder.builder(this)
                .roundsMin(rounds)
                .roundsMax(rounds)
                .roundMillis(millis)
                .longer(1)
                .build();
    }

    static Pace of(LabOptions options) {
        Pace base = options.quick() ? QUICK : FULL;
        int rounds = options.rounds() > 0 ? options.rounds() : base.roundsMin;
        return new Pace(
                options.launches() > 0 ? options.launches() : base.launches,
                rounds,
                options.rounds() > 0 ? rounds : base.roundsMax,
                options.seconds() > 0 ? Math.round(options.seconds() * 1000) : base.roundMillis,
                base.longer,
                base.sliceMillis,
                options.warmUp() >= 0 ? Math.round(options.warmUp() * 1000) : base.warmUpMillisMax,
                base.tolerance);
    }
}
