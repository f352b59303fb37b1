package io.margay.lab.result;

import io.margay.lab.stats.Bootstrap;
import io.margay.lab.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// One server beside another under the same load, and the verdict in words. Immutable.
///
/// @param ratio of the metric: the server's figure over the reference's, round by round
/// @param refusal why there is no verdict, or empty
public record Comparison(
        String server, String reference, Metric metric, Interval ratio, String refusal) {
    /// Differences below it matter to nobody, and two starts of one server may show them.
    static final double MARGIN = 0.02;

    /// With few rounds only differences above it are named.
    static final double MARGIN_ROUGH = 0.10;

    /// Compares two servers of a scenario.
    public static Comparison of(CellResult cell, CellResult reference, Metric metric, long seed) {
        Interval ratio = ratio(cell, reference, round -> figure(round, metric), seed);
        return new Comparison(
                cell.server(),
                reference.server(),
                metric,
                ratio,
                refusal(cell, reference, metric, ratio));
    }

    /// The ratio of a figure of one server to that of another, from the rounds that both have.
    static Interval ratio(
            CellResult cell,
            CellResult reference,
            ToDoubleFunction<RoundResult> figure,
            long seed) {
        Map<String, Double> other = new TreeMap<>();
        for (RoundResult round : reference.good()) {
            other.put(round.launch() + "." + round.number(), figure.applyAsDouble(round));
        }
        Map<Integer, List<Double>> byLaunch = new TreeMap<>();
        for (RoundResult round : cell.good()) {
            Double to = other.get(round.launch() + "." + round.number());
            double own = figure.applyAsDouble(round);
            if (to != null && to > 0 && own > 0) {
                byLaunch.computeIfAbsent(round.launch(), _ -> new ArrayList<>()).add(own / to);
            }
        }
        return Bootstrap.ofRatios(List.copyOf(byLaunch.values()), seed);
    }

    private static String refusal(
            CellResult cell, CellResult reference, Metric metric, Interval ratio) {
        if (ratio.rounds() == 0) {
            return "no round of both counts";
        }
        for (CellResult each : List.of(cell, reference)) {
            if (each.isGeneratorBound() && metric != Metric.BOTH_ENDS) {
                return "the load generator was the bottleneck for " + each.server();
            }
        }
        return "";
    }

    private static double figure(RoundResult round, Metric metric) {
        return switch (metric) {
            case CPU, FRONT, BOTH_ENDS -> round.cpuPer10k(metric);
            case THROUGHPUT, KNEE -> round.load().perSecond();
            case START -> round.seconds();
            case MEMORY -> round.residentMib();
        };
    }

    /// Whether a difference is shown.
    public boolean differs() {
        return refusal.isEmpty() && ratio.differsBy(ratio.isRough() ? MARGIN_ROUGH : MARGIN);
    }

    /// The verdict.
    public String words() {
        if (!refusal.isEmpty()) {
            return "%s beside %s: no verdict, %s".formatted(server, reference, refusal);
        }
        String bounds =
                ratio.rounds() == 1
                        ? "(n = 1)"
                        : String.format(
                                Locale.ROOT,
                                "(%s to %s, n = %d)",
                                digits(ratio.low()),
                                digits(ratio.high()),
                                ratio.rounds());
        String rough = ratio.isRough() ? "rough: " : "";
        if (!differs()) {
            String least =
                    ratio.isRough()
                            ? " of 10 % or more"
                            : ratio.excludesOne() ? " of 2 % or more" : "";
            return "%sno difference%s in %s shown between %s and %s %s"
                    .formatted(rough, least, name(), server, reference, bounds);
        }
        return switch (metric) {
            case CPU ->
                    "%s%s uses %s × the CPU of %s %s"
                            .formatted(rough, server, digits(ratio.estimate()), reference, bounds);
            case FRONT ->
                    "%s%s itself uses %s × the CPU of %s %s"
                            .formatted(rough, server, digits(ratio.estimate()), reference, bounds);
            case BOTH_ENDS ->
                    "%s%s with its clients uses %s × the CPU of %s with its %s"
                            .formatted(rough, server, digits(ratio.estimate()), reference, bounds);
            case THROUGHPUT ->
                    "%s%s answers %s × the requests per second of %s %s"
                            .formatted(rough, server, digits(ratio.estimate()), reference, bounds);
            case KNEE ->
                    "%s%s sustains %s × the requests per second of %s %s"
                            .formatted(rough, server, digits(ratio.estimate()), reference, bounds);
            case START ->
                    "%s%s needs %s × the time of %s until it answers %s"
                            .formatted(rough, server, digits(ratio.estimate()), reference, bounds);
            case MEMORY ->
                    "%s%s holds %s × the memory of %s %s"
                            .formatted(rough, server, digits(ratio.estimate()), reference, bounds);
        };
    }

    private String name() {
        return switch (metric) {
            case CPU -> "CPU per request";
            case FRONT -> "CPU of the front end per request";
            case BOTH_ENDS -> "CPU of server and clients per request";
            case THROUGHPUT -> "requests per second";
            case KNEE -> "sustained requests per second";
            case START -> "the time until it answers";
            case MEMORY -> "memory";
        };
    }

    private static String digits(double ratio) {
        return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.1f", ratio);
    }
}
