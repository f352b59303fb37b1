package io.margay.lab.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Tells when a server has become as fast as it gets: when the last slices of load differ by no
/// more than a tolerance, and its compilers have next to nothing left to do. Confined to one
/// thread.
///
/// Costs alone do not tell: on a slow processor they stand still for a minute while code waits to
/// be compiled once more.
///
/// What was measured before is cut.
public final class WarmUp {
    private static final int SLICES = 4;

    /// What compilers may use of a slice.
    private static final double COMPILING_MAX = 0.05;

    private final double tolerance;
    private final List<Double> slices = new ArrayList<>();

    /// Of the last slices, how many in a row had idle compilers.
    private int quiet;

    /// @param tolerance largest over smallest of the last four slices, minus 1
    public WarmUp(double tolerance) {
        this.tolerance = tolerance;
    }

    /// Adds a slice; true if the server is warm.
    ///
    /// @param cost of a request
    /// @param compiling the part of the server's CPU time that its compilers used
    public boolean add(double cost, double compiling) {
        slices.add(cost);
        quiet = compiling <= COMPILING_MAX ? quiet + 1 : 0;
        if (quiet < SLICES) {
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
