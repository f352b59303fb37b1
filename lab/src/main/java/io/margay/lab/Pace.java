package io.margay.lab;

import io.margay.lab.load.LoadJob;

/// How long and how often is measured. Immutable.
///
/// @param launches starts of the servers
/// @param roundsMin rounds per start
/// @param roundsMax bound for the rounds until two agree
/// @param roundMillis length of a round
/// @param sliceMillis length of a slice of the warm-up
/// @param warmUpMillisMax end of the warm-up, steady or not
/// @param tolerance how far slices of a steady server may lie apart, and rounds that agree
/// @param totalMillisMax after it no further round begins; 0 for no such bound
record Pace(
        int launches,
        int roundsMin,
        int roundsMax,
        long roundMillis,
        long sliceMillis,
        long warmUpMillisMax,
        double tolerance,
        long totalMillisMax) {
    /// How much longer a round may be for a scenario that asks for it.
    private static final int LONGER = 4;

    /// Within two minutes, and rough.
    private static final Pace QUICK = new Pace(1, 3, 3, 1000, 600, 3000, 0.10, 105_000);

    /// Rounds long enough for the system's clock ticks of 10 ms, and for a garbage collection.
    private static final Pace FULL = new Pace(1, 6, 12, 6000, 2000, 40_000, 0.03, 0);

    /// The length of a round: that of the scenario if it has one, less when the whole must be
    /// quick.
    long roundMillis(LoadJob load) {
        return load.millis() == 0 ? roundMillis : Math.min(load.millis(), roundMillis * LONGER);
    }

    static Pace of(LabOptions options) {
        Pace base = options.quick() ? QUICK : FULL;
        int rounds = options.rounds() > 0 ? options.rounds() : base.roundsMin;
        return new Pace(
                options.launches() > 0 ? options.launches() : base.launches,
                rounds,
                options.rounds() > 0 ? rounds : base.roundsMax,
                options.seconds() > 0 ? Math.round(options.seconds() * 1000) : base.roundMillis,
                base.sliceMillis,
                options.warmUp() >= 0 ? Math.round(options.warmUp() * 1000) : base.warmUpMillisMax,
                base.tolerance,
                base.totalMillisMax);
    }
}
