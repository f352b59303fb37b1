package io.margay.lab.report;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// One figure of every server in every scenario as a table, in the form of the published ones:
/// whichever there are more of, servers or scenarios, are its rows. Immutable.
record Overview(List<String> head, List<List<String>> rows) {
    Overview {
        head = List.copyOf(head);
        rows = List.copyOf(rows);
    }

    /// Those of a run; none for a run of one scenario, whose own table says the same.
    static List<Overview> of(RunResult run) {
        if (run.scenarios().size() < 2) {
            return List.of();
        }
        List<Overview> all = new ArrayList<>();
        all.add(
                of(
                        loaded(run),
                        "requests/s",
                        (_, cell) ->
                                Figures.count(cell.median(round -> round.load().perSecond()))));
        all.add(ofCost(run));
        ofStarts(run).ifPresent(all::add);
        return all;
    }

    /// The run without the scenarios whose rounds are starts.
    private static RunResult loaded(RunResult run) {
        return run.with(run.scenarios().stream().filter(it -> !it.metric().isOfStarts()).toList());
    }

    /// Time, CPU and memory of the starts, if the run has any.
    static Optional<Overview> ofStarts(RunResult run) {
        List<String> head = new ArrayList<>(List.of("each round a start"));
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (ScenarioResult scenario : run.scenarios()) {
            boolean starts = scenario.metric() == Metric.START;
            if (scenario.metric().isOfStarts()) {
                List<String> figures = starts ? List.of("ms", "CPU-s", "MiB") : List.of("MiB");
                figures.forEach(it -> head.add(scenario.id() + ", " + it));
                for (CellResult cell : scenario.cells()) {
                    List<String> row =
                            rows.computeIfAbsent(cell.server(), it -> new ArrayList<>(List.of(it)));
                    // A server that an earlier scenario did not have has no figures of it.
                    while (row.size() < head.size() - figures.size()) {
                        row.add("–");
                    }
                    List<String> all = Columns.row(scenario.metric(), cell);
                    row.addAll(all.subList(1, 1 + figures.size()));
                }
            }
        }
        rows.values()
                .forEach(row -> {
                    while (row.size() < head.size()) {
                        row.add("–");
                    }
                });
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Overview(head, List.copyOf(rows.values())));
    }

    /// CPU time per request alone: of what a scenario compares.
    static Overview ofCost(RunResult run) {
        return of(
                loaded(run),
                "CPU-s/10k",
                (scenario, cell) ->
                        Figures.of(cell.median(round -> round.cpuPer10k(scenario.metric()))));
    }

    private static Overview of(
            RunResult run, String what, BiFunction<ScenarioResult, CellResult, String> figure) {
        Set<String> servers = new LinkedHashSet<>();
        run.scenarios().forEach(it -> it.cells().forEach(cell -> servers.add(cell.server())));
        List<ScenarioResult> scenarios = run.scenarios();
        List<String> head = new ArrayList<>(List.of(what));
        List<List<String>> rows = new ArrayList<>();
        if (scenarios.size() > servers.size()) {
            head.addAll(servers);
            for (ScenarioResult scenario : scenarios) {
                List<String> row = new ArrayList<>(List.of(scenario.id()));
                servers.forEach(server -> row.add(figure(scenario, server, figure)));
                rows.add(row);
            }
        } else {
            scenarios.forEach(scenario -> head.add(scenario.id()));
            for (String server : servers) {
                List<String> row = new ArrayList<>(List.of(server));
                scenarios.forEach(scenario -> row.add(figure(scenario, server, figure)));
                rows.add(row);
            }
        }
        return new Overview(head, rows);
    }

    private static String figure(
            ScenarioResult scenario,
            String server,
            BiFunction<ScenarioResult, CellResult, String> figure) {
        Optional<CellResult> cell = scenario.cell(server).filter(it -> !it.good().isEmpty());
        return cell.map(it -> figure.apply(scenario, it)).orElse("–");
    }

    /// As Markdown.
    String markdown() {
        StringBuilder text = new StringBuilder();
        line(text, head);
        line(text, head.stream().map(_ -> "---").toList());
        rows.forEach(row -> line(text, row));
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /// For a terminal.
    @Override
    public String toString() {
        Table table = new Table(head);
        rows.forEach(table::row);
        return table.toString();
    }
}
