package io.margay.lab.report;

import io.margay.lab.stats.Medians;
import io.margay.lab.stats.RateCurve.Warmth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// How soon servers are as fast as they get, as a table in Markdown. Immutable.
public record WarmUpReport(List<Run> runs) {
    /// One start and the load that followed.
    ///
    /// @param load what was asked for
    /// @param startCpuSeconds until the first answer, before the load
    public record Run(String load, String server, double startCpuSeconds, Warmth warmth) {}

    private record Row(String load, String server) {}

    public WarmUpReport {
        runs = List.copyOf(runs);
    }

    /// The table.
    public String markdown() {
        Map<Row, List<Run>> rows = new LinkedHashMap<>();
        for (Run run : runs) {
            Row row = new Row(run.load, run.server);
            rows.computeIfAbsent(row, _ -> new ArrayList<>()).add(run);
        }
        StringBuilder text =
                new StringBuilder(
                        """
                        | load | server | start, CPU-s | requests until 90 % | seconds | CPU-s \
                        | CPU-s beyond the final cost | final requests/s | CPU-s per 10 000 |
                        |---|---|---|---|---|---|---|---|---|
                        """);
        rows.forEach((row, all) ->
                text.append(
                        String.format(
                                Locale.ROOT,
                                "| %s | %s | %.2f | %.0f | %s | %.2f | %s | %.0f | %.4f |%n",
                                row.load,
                                row.server,
                                median(all, Run::startCpuSeconds),
                                median(all, it -> it.warmth.requests()),
                                spread(all, it -> it.warmth.seconds(), "%.1f"),
                                median(all, it -> it.warmth.cpuSeconds()),
                                spread(all, it -> it.warmth.beyondSeconds(), "%.2f"),
                                median(all, it -> it.warmth.finalPerSecond()),
                                median(all, it -> it.warmth.finalCpu()))));
        return text.toString();
    }

    private static double median(List<Run> all, ToDoubleFunction<Run> figure) {
        return Medians.of(all.stream().map(figure::applyAsDouble).toList());
    }

    /// The median, and the least and the most of several.
    private static String spread(List<Run> all, ToDoubleFunction<Run> figure, String format) {
        String middle = String.format(Locale.ROOT, format, median(all, figure));
        if (all.size() == 1) {
            return middle;
        }
        double least = all.stream().mapToDouble(figure).min().orElseThrow();
        double most = all.stream().mapToDouble(figure).max().orElseThrow();
        String range = String.format(Locale.ROOT, " (" + format + ".." + format + ")", least, most);
        return middle + range;
    }
}
