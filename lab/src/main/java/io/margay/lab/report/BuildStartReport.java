package io.margay.lab.report;

import io.margay.lab.stats.Medians;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Starts of several builds as a table in Markdown: medians, with the least and the most, and the
/// medians of the ratios to the first build in the same round. Immutable.
///
/// @param starts of each kind, those of one round after those of the round before
public record BuildStartReport(List<Start> starts) {
    private static final String HEAD =
            """
            | kind | build | CPU-s | ratio | ms | ratio | MiB | ratio | threads | CPU-s at rest |
            |---|---|---|---|---|---|---|---|---|---|
            """;

    /// One start until the first page.
    ///
    /// @param mib proportional set size a second later
    /// @param rested CPU time of the seconds after that, in which nothing is asked
    public record Start(
            String kind,
            String build,
            double cpuSeconds,
            double millis,
            double mib,
            int threads,
            double rested) {}

    public BuildStartReport {
        starts = List.copyOf(starts);
    }

    /// The table.
    public String markdown() {
        Map<String, Map<String, List<Start>>> kinds = new LinkedHashMap<>();
        for (Start start : starts) {
            kinds.computeIfAbsent(start.kind, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(start.build, _ -> new ArrayList<>())
                    .add(start);
        }
        StringBuilder text = new StringBuilder(HEAD);
        kinds.forEach((kind, builds) -> {
            List<Start> first = builds.values().iterator().next();
            builds.forEach((build, own) -> {
                text.append("| " + kind + " | " + build);
                text.append(compared(2, own, first, Start::cpuSeconds));
                text.append(compared(0, own, first, Start::millis));
                text.append(compared(0, own, first, Start::mib));
                text.append(" | " + number(0, Medians.of(values(own, Start::threads))));
                text.append(" | " + number(2, Medians.of(values(own, Start::rested))) + " |\n");
            });
        });
        return text.toString();
    }

    private static List<Double> values(List<Start> starts, ToDoubleFunction<Start> figure) {
        return starts.stream().map(figure::applyAsDouble).toList();
    }

    private static String compared(
            int digits, List<Start> own, List<Start> first, ToDoubleFunction<Start> figure) {
        List<Double> values = values(own, figure);
        List<Double> others = values(first, figure);
        List<Double> ratios =
                IntStream.range(0, Math.min(values.size(), others.size()))
                        .mapToObj(i -> values.get(i) / others.get(i))
                        .toList();
        return " | %s (%s..%s) | %s"
                .formatted(
                        number(digits, Medians.of(values)),
                        number(digits, Collections.min(values)),
                        number(digits, Collections.max(values)),
                        number(2, Medians.of(ratios)));
    }

    private static String number(int digits, double value) {
        return String.format(Locale.ROOT, digits == 0 ? "%.0f" : "%.2f", value);
    }
}
