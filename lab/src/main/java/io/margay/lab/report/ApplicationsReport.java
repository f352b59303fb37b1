package io.margay.lab.report;

import io.margay.lab.stats.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a request costs where many applications share a server, as a table in Markdown. Immutable.
public record ApplicationsReport(List<Round> rounds, List<Held> held) {
    /// One measurement.
    ///
    /// @param cost CPU seconds of 10 000 requests
    public record Round(String server, int apps, double cost, double perSecond) {}

    /// The memory of a server after the load and a full collection, in MiB.
    public record Held(String server, int apps, double mib) {}

    private record Row(String server, int apps) {}

    public ApplicationsReport {
        rounds = List.copyOf(rounds);
        held = List.copyOf(held);
    }

    /// The table. Costs are compared with those of the same server with the fewest applications,
    /// round by round.
    public String markdown() {
        Map<Row, List<Round>> rows = new LinkedHashMap<>();
        for (Round round : rounds) {
            Row row = new Row(round.server, round.apps);
            rows.computeIfAbsent(row, _ -> new ArrayList<>()).add(round);
        }
        Map<String, Row> firsts = new LinkedHashMap<>();
        rows.keySet().forEach(row -> firsts.putIfAbsent(row.server, row));
        StringBuilder text =
                new StringBuilder(
                        """
                        | server | apps | CPU-s per 10 000 | of that with the fewest | requests/s \
                        | MiB then | MiB per further app |
                        |---|---|---|---|---|---|---|
                        """);
        rows.forEach((row, all) -> {
            Row first = firsts.getOrDefault(row.server, row);
            List<Round> base = rows.getOrDefault(first, all);
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %d | %.4f | %s | %.0f | %.0f | %s |%n",
                            row.server,
                            row.apps,
                            Medians.of(all.stream().map(Round::cost).toList()),
                            ratios(all, base),
                            Medians.of(all.stream().map(Round::perSecond).toList()),
                            mib(row),
                            further(row, first)));
        });
        return text.toString();
    }

    /// The median of the ratios of rounds that were measured one soon after the other, and the
    /// least and the most of them.
    private static String ratios(List<Round> all, List<Round> base) {
        if (all.equals(base)) {
            return "1";
        }
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(all.size(), base.size()); i++) {
            ratios.add(all.get(i).cost / base.get(i).cost);
        }
        ratios.sort(null);
        return String.format(
                Locale.ROOT,
                "%.2f (%.2f..%.2f)",
                Medians.of(ratios),
                ratios.getFirst(),
                ratios.getLast());
    }

    private double mib(Row row) {
        return held.stream()
                .filter(it -> it.server.equals(row.server) && it.apps == row.apps)
                .mapToDouble(Held::mib)
                .findFirst()
                .orElse(0);
    }

    private String further(Row row, Row first) {
        return row.equals(first)
                ? ""
                : String.format(
                        Locale.ROOT, "%.2f", (mib(row) - mib(first)) / (row.apps - first.apps));
    }
}
