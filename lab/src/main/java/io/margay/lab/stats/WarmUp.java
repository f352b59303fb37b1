package io.margay.lab.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Tells when a server has become as fast as it gets: when the last slices of load differ by no
/// more than a tolerance. Confined to one thread.
///
/// What was measured before is cut.
public final class WarmUp {
    private static final int SLICES = 4;

    private final double tolerance;
    private final List<Double> slices = new ArrayList<>();

    /// @param tolerance largest over smallest of the last four slices, minus 1
    public WarmUp(double tolerance) {
        this.tolerance = tolerance;
    }

    /// Adds the cost of a request in the next slice; true if the server is warm.
    public boolean add(double cost) {
        slices.add(cost);
        if (slices.size() < SLICES) {
            return false;
        }
        List<Double> last = slices.subList(slices.size() - SLICES, slices.size());
        double smallest = Collections.min(last);
        return smallest > 0 && Collections.max(last) / smallest - 1 <= tolerance;
    }

    public List<Double> slices() {
        return List.copyOf(slices);
    }
}
