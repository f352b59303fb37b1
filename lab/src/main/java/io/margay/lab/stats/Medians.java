package io.margay.lab.stats;

import java.util.List;

/// Order statistics. Stateless.
public final class Medians {
    private Medians() {}

    /// The middle value, or the mean of the two in the middle; 0 for none.
    public static double of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return quantile(sorted, 0.5);
    }

    /// The value below which that share of the sorted values lies, interpolated; 0 for none.
    static double quantile(double[] sorted, double share) {
        if (sorted.length == 0) {
            return 0;
        }
        double at = Math.clamp(share, 0, 1) * (sorted.length - 1);
        int below = (int) Math.floor(at);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
