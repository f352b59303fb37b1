package io.margay.lab.stats;

import java.util.ArrayList;
import java.util.List;

/// How a server becomes fast under a load that waits for it: answers and CPU time so far, at
/// moments about a tenth of a second apart, from the first request on. Confined to one thread.
///
/// The last third shows what the server reaches: the final rate, and what a request costs then.
public final class RateCurve {
    /// What part of the final rate counts as warm.
    public static final double WARM = 0.9;

    /// So many moments together have a rate: one alone shows chance.
    private static final int WINDOW = 5;

    private static final int LEAST = 3 * WINDOW;

    /// What a curve says. Immutable.
    ///
    /// @param seconds until the rate of half a second was [#WARM] of the final one
    /// @param requests answered by then
    /// @param cpuSeconds used by then
    /// @param beyondSeconds CPU time of the whole load beyond what its requests cost at the end
    /// @param finalPerSecond requests per second at the end
    /// @param finalCpu CPU seconds of 10 000 requests at the end
    public record Warmth(
            double seconds,
            long requests,
            double cpuSeconds,
            double beyondSeconds,
            double finalPerSecond,
            double finalCpu) {}

    private record Point(double seconds, long answers, double cpuSeconds) {}

    private final List<Point> points = new ArrayList<>();

    /// Adds a moment.
    ///
    /// @param seconds since the first request
    /// @param answers so far
    /// @param cpuSeconds so far
    public void add(double seconds, long answers, double cpuSeconds) {
        if (points.isEmpty()) {
            points.add(new Point(0, 0, 0));
        }
        points.add(new Point(seconds, answers, cpuSeconds));
    }

    /// @throws IllegalStateException if it is too short to say anything, or nothing was answered
    public Warmth warmth() {
        Point last = points.isEmpty() ? new Point(0, 0, 0) : points.getLast();
        if (points.size() <= LEAST || last.answers == 0) {
            throw new IllegalStateException(
                    "a load with %d moments and %d answers".formatted(points.size(), last.answers));
        }
        Point third = points.get(points.size() * 2 / 3);
        double perSecond = rate(third, last);
        double cost =
                (last.cpuSeconds - third.cpuSeconds) / Math.max(1, last.answers - third.answers);
        Point warm = last;
        for (int i = 0; i + WINDOW < points.size(); i++) {
            if (rate(points.get(i), points.get(i + WINDOW)) >= WARM * perSecond) {
                warm = points.get(i);
                break;
            }
        }
        return new Warmth(
                warm.seconds,
                warm.answers,
                warm.cpuSeconds,
                last.cpuSeconds - last.answers * cost,
                perSecond,
                cost * 10_000);
    }

    private static double rate(Point from, Point to) {
        return (to.answers - from.answers) / (to.seconds - from.seconds);
    }
}
