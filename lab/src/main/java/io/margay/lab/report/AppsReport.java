package io.margay.lab.report;

import io.margay.lab.stats.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What servers need to start many copies of an application, as a table in Markdown. Immutable.
public record AppsReport(List<Start> starts) {
    /// One start, until the first page of each application.
    ///
    /// @param apps how many
    /// @param again whether its work folder was that of the start before
    /// @param mib proportional set size then
    public record Start(
            int apps, String server, boolean again, double millis, double cpuSeconds, double mib) {}

    private record Row(int apps, String server, boolean again) {}

    public AppsReport {
        starts = List.copyOf(starts);
    }

    /// The table.
    public String markdown() {
        Map<Row, List<Start>> rows = new LinkedHashMap<>();
        for (Start start : starts) {
            Row row = new Row(start.apps, start.server, start.again);
            rows.computeIfAbsent(row, _ -> new ArrayList<>()).add(start);
        }
        StringBuilder text =
                new StringBuilder(
                        """
                        | apps | server | start | to the last first page, ms | CPU-s | MiB then |
                        |---|---|---|---|---|---|
                        """);
        rows.forEach((row, all) ->
                text.append(
                        String.format(
                                Locale.ROOT,
                                "| %d | %s | %s | %.0f | %.2f | %.0f |%n",
                                row.apps,
                                row.server,
                                row.again ? "again" : "first",
                                median(all, Start::millis),
                                median(all, Start::cpuSeconds),
                                median(all, Start::mib))));
        return text.toString();
    }

    private static double median(List<Start> all, ToDoubleFunction<Start> figure) {
        return Medians.of(all.stream().map(figure::applyAsDouble).toList());
    }
}
