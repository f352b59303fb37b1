package io.margay.lab.report;

import io.margay.lab.load.Course;
import io.margay.lab.load.Latency;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.RoundResult;
import io.margay.lab.stats.Medians;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Latency of the servers of a scenario as curves: over the percentiles, and over the time of a
/// trace. Stateless.
final class LatencyLines {
    /// Nines to the right of the median: 99.99 % is where few rounds have answers beyond.
    private static final double NINES = 4;

    private static final int POINTS = 80;

    private LatencyLines() {}

    static String of(List<CellResult> cells) {
        return percentiles(cells) + overTime(cells);
    }

    /// On a scale on which each nine is as wide as the one before it.
    private static String percentiles(List<CellResult> cells) {
        List<LineChart.Tick> ticks = new ArrayList<>();
        for (double percentile : new double[] {0, 50, 90, 99, 99.9, 99.99}) {
            ticks.add(
                    new LineChart.Tick(
                            -Math.log10(1 - percentile / 100) / NINES,
                            LatencyChart.words(percentile) + " %"));
        }
        LineChart chart = new LineChart("Latency by percentile, both logarithmic", ticks);
        for (CellResult cell : cells) {
            Latency latency = cell.latency();
            List<LineChart.Point> points = new ArrayList<>();
            for (int i = 0; i <= POINTS; i++) {
                double x = (double) i / POINTS;
                double percentile = 100 * (1 - Math.pow(10, -NINES * x));
                points.add(new LineChart.Point(x, latency.percentileMillis(percentile)));
            }
            chart.line(cell.title(), points);
        }
        return chart.toString();
    }

    /// The p99 of each second: the median of the rounds, all of which send the same.
    private static String overTime(List<CellResult> cells) {
        int seconds = 0;
        for (CellResult cell : cells) {
            for (RoundResult round : cell.good()) {
                for (Course.Slice slice : round.load().course().slices()) {
                    seconds = Math.max(seconds, slice.second() + 1);
                }
            }
        }
        if (seconds < 2) {
            return "";
        }
        int last = seconds - 1;
        LineChart chart =
                new LineChart(
                        "99th percentile of each second, logarithmic",
                        List.of(
                                new LineChart.Tick(0, "0 s"),
                                new LineChart.Tick(0.5, LatencyChart.words(last / 2.0) + " s"),
                                new LineChart.Tick(1, last + " s")));
        for (CellResult cell : cells) {
            Map<Integer, List<Double>> all = new TreeMap<>();
            for (RoundResult round : cell.good()) {
                for (Course.Slice slice : round.load().course().slices()) {
                    all.computeIfAbsent(slice.second(), _ -> new ArrayList<>())
                            .add(slice.p99Millis());
                }
            }
            List<LineChart.Point> points = new ArrayList<>();
            all.forEach((second, millis) ->
                    points.add(new LineChart.Point((double) second / last, Medians.of(millis))));
            chart.line(cell.title(), points);
        }
        return "<h3>99th percentile over time</h3>\n" + chart;
    }
}
