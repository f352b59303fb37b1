package io.margay.lab.stats;

/// An estimate and the bounds between which it lies with a probability of 95 %. Immutable.
///
/// @param rounds how many values it stands on; for fewer than [#ROUNDS_MIN] the bounds are the
///   smallest and the largest value, and are rough
public record Interval(double estimate, double low, double high, int rounds) {
    /// With fewer rounds than this, the extremes miss the truth too often.
    public static final int ROUNDS_MIN = 5;

    /// Whether the bounds stand on too little.
    public boolean isRough() {
        return rounds < ROUNDS_MIN;
    }

    /// Whether both bounds lie on the same side of 1, and farther than that from it.
    public boolean differsBy(double margin) {
        return low > 1 + margin || high < 1 / (1 + margin);
    }

    /// Whether both bounds lie on the same side of 1.
    public boolean excludesOne() {
        return low > 1 || high < 1;
    }
}
