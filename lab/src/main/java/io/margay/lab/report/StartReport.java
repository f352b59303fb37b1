package io.margay.lab.report;

import io.margay.lab.stats.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Starts and memory of servers as tables in Markdown. Immutable.
///
/// @param loadSeconds how long the load was, after which memory was taken
public record StartReport(
        List<Start> starts,
        List<Memory> memories,
        List<Front> fronts,
        List<Held> held,
        int loadSeconds,
        int restSeconds) {
    /// One start until the first page.
    ///
    /// @param mib proportional set size then
    public record Start(String server, double millis, double cpuSeconds, double mib) {}

    /// Memory of a server with the heap that it chooses itself, in MiB.
    public record Memory(
            String server, double first, double loaded, double rested, long requests) {}

    /// Memory of a front end with the heap that it chooses itself, in MiB: idle after its start,
    /// and idle again after a few requests.
    public record Front(String server, double idle, double after, int threads) {}

    /// By how much connections that are held have made the memory grow, in MiB.
    public record Held(String connections, double mib) {}

    public StartReport {
        fronts = List.copyOf(fronts);
        held = List.copyOf(held);
        starts = List.copyOf(starts);
        memories = List.copyOf(memories);
    }

    /// The tables.
    public String markdown() {
        StringBuilder text = new StringBuilder();
        if (!starts.isEmpty()) {
            text.append("| server | start to first page, ms (median, all) | CPU-s | MiB then |\n");
            text.append("|---|---|---|---|\n");
            byServer().forEach((server, all) -> text.append(row(server, all)));
        }
        if (!memories.isEmpty()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%n| server, its own heap | MiB at the first page | after %d s of"
                                    + " load | and %d s of rest | requests |%n"
                                    + "|---|---|---|---|---|%n",
                            loadSeconds,
                            restSeconds));
            memories.forEach(it ->
                    text.append(
                            String.format(
                                    Locale.ROOT,
                                    "| %s | %.0f | %.0f | %.0f | %d |%n",
                                    it.server,
                                    it.first,
                                    it.loaded,
                                    it.rested,
                                    it.requests)));
        }
        if (!fronts.isEmpty()) {
            text.append(
                    """

                    | front end, its own heap | MiB idle | after 1 000 requests | threads |
                    |---|---|---|---|
                    """);
            fronts.forEach(it ->
                    text.append(
                            String.format(
                                    Locale.ROOT,
                                    "| %s | %.0f | %.0f | %d |%n",
                                    it.server,
                                    it.idle,
                                    it.after,
                                    it.threads)));
        }
        if (!held.isEmpty()) {
            text.append("\n| connections | memory grown by, MiB |\n|---|---|\n");
            held.forEach(it ->
                    text.append(
                            String.format(Locale.ROOT, "| %s | %.0f |%n", it.connections, it.mib)));
        }
        return text.toString();
    }

    private Map<String, List<Start>> byServer() {
        Map<String, List<Start>> all = new LinkedHashMap<>();
        starts.forEach(it -> all.computeIfAbsent(it.server, _ -> new ArrayList<>()).add(it));
        return all;
    }

    private static String row(String server, List<Start> all) {
        return String.format(
                Locale.ROOT,
                "| %s | %.0f (%s) | %.2f | %.0f |%n",
                server,
                median(all, Start::millis),
                all.stream()
                        .map(it -> String.format(Locale.ROOT, "%.0f", it.millis))
                        .collect(Collectors.joining(", ")),
                median(all, Start::cpuSeconds),
                median(all, Start::mib));
    }

    private static double median(List<Start> all, ToDoubleFunction<Start> figure) {
        return Medians.of(all.stream().map(figure::applyAsDouble).toList());
    }
}
