package io.margay.lab.report;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// One figure of every server in every scenario as a table, in the form of the published ones:
/// whichever there are more of, servers or scenarios, are its rows. Immutable.
record Overview(List<String> head, List<List<String>> rows) {
    Overview {
        head = List.copyOf(head);
        rows = List.copyOf(rows);
    }

    /// Those of a run; none for a run of one scenario, whose own table says the same.
    static List<Overview> of(RunResult run) {
        return run.scenarios().size() < 2
                ? List.of()
                : List.of(
                        of(
                                run,
                                "requests/s",
                                cell ->
                                        Figures.count(
                                                cell.median(round -> round.load().perSecond()))),
                        ofCost(run));
    }

    /// CPU time per request alone.
    static Overview ofCost(RunResult run) {
        return of(run, "CPU-s/10k", cell -> Figures.of(cell.median(RoundResult::cpuPer10k)));
    }

    private static Overview of(RunResult run, String what, Function<CellResult, String> figure) {
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
            ScenarioResult scenario, String server, Function<CellResult, String> figure) {
        Optional<CellResult> cell = scenario.cell(server).filter(it -> !it.good().isEmpty());
        return cell.map(figure).orElse("–");
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
