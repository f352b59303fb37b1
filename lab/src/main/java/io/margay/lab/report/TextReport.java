package io.margay.lab.report;

import io.margay.lab.preset.Preset;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import io.margay.lab.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A run as text for a terminal. Stateless.
public final class TextReport {
    private TextReport() {}

    /// @param preset the run's preset; absent if this version does not know it
    public static String of(RunResult run, Optional<Preset> preset) {
        StringBuilder text = new StringBuilder();
        text.append(run.preset());
        preset.ifPresent(it -> text.append(": ").append(it.title()));
        text.append(run.quick() ? " (quick and rough)" : "").append('\n');
        for (ScenarioResult scenario : run.scenarios()) {
            text.append('\n').append(scenario.id()).append(": ").append(scenario.title());
            text.append(" (").append(scenario.load().words()).append(")\n");
            Table table = new Table(Columns.head(scenario.metric()));
            scenario.cells().forEach(cell -> table.row(Columns.row(scenario.metric(), cell)));
            text.append(table);
            verdicts(run, scenario).forEach(it -> text.append("  ").append(it).append('\n'));
        }
        preset.ifPresent(it -> thenAndWhy(text, it, run));
        for (String note : run.notes()) {
            text.append("\nNote: ").append(note);
        }
        if (run.interrupted()) {
            text.append("\nNote: interrupted; this is what had been measured.");
        }
        return text.append('\n').toString();
    }

    /// How far the rounds of a scenario are: a head, and a line for each server.
    public static List<String> live(ScenarioResult scenario) {
        Optional<CellResult> reference = scenario.cell(scenario.reference());
        Table table =
                new Table(List.of(scenario.id(), "CPU-s/10k", "requests/s", "ratio", "rounds"));
        for (CellResult cell : scenario.cells()) {
            double own = figure(scenario, cell);
            table.row(
                    List.of(
                            cell.server(),
                            own == 0 ? "–" : Figures.of(cell.median(RoundResult::cpuPer10k)),
                            own == 0
                                    ? "–"
                                    : Figures.count(cell.median(round -> round.load().perSecond())),
                            reference.map(to -> ratio(scenario, cell, to)).orElse("–"),
                            cell.failure().isEmpty()
                                    ? String.valueOf(cell.good().size())
                                    : "failed"));
        }
        return table.toString().lines().toList();
    }

    /// The figure that the verdict will name, as far as it is known.
    private static String ratio(ScenarioResult scenario, CellResult cell, CellResult reference) {
        Interval ratio = Comparison.of(cell, reference, scenario.metric(), 0).ratio();
        return ratio.rounds() == 0 ? "–" : String.format(Locale.ROOT, "%.2f", ratio.estimate());
    }

    /// What the servers of a scenario are compared by.
    private static double figure(ScenarioResult scenario, CellResult cell) {
        return cell.median(
                scenario.metric() == Metric.CPU
                        ? RoundResult::cpuPer10k
                        : round -> round.load().perSecond());
    }

    private static void thenAndWhy(StringBuilder text, Preset preset, RunResult run) {
        Preset.Then then = preset.then();
        if (!then.rows().isEmpty()) {
            text.append("\nThen\n");
            Table table = new Table(then.head());
            then.rows().forEach(table::row);
            text.append(table).append("  ").append(then.conditions()).append('\n');
        }
        List<Overview> now = Overview.of(run);
        if (!now.isEmpty()) {
            text.append("\nNow\n");
            now.forEach(it -> text.append(it).append('\n'));
            text.setLength(text.length() - 1);
        }
        List<String> why = preset.why(run);
        if (!why.isEmpty()) {
            text.append('\n').append(preset.whyTitle()).append('\n');
            why.forEach(it -> text.append("  - ").append(it).append('\n'));
        }
    }

    /// What follows for each server beside the reference.
    public static List<String> verdicts(RunResult run, ScenarioResult scenario) {
        List<String> words = new ArrayList<>();
        Optional<CellResult> reference = scenario.cell(scenario.reference());
        for (CellResult cell : scenario.cells()) {
            if (!cell.failure().isEmpty()) {
                words.add(cell.server() + " failed: " + cell.failure());
            } else if (reference.isPresent() && !cell.server().equals(scenario.reference())) {
                words.add(
                        Comparison.of(cell, reference.get(), scenario.metric(), run.seed())
                                .words());
            }
        }
        return words;
    }
}
