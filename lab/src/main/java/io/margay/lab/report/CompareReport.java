package io.margay.lab.report;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.util.List;
import java.util.Locale;

/// Two runs side by side as text. Rounds of two runs are no pairs, so this shows figures and gives
/// no verdict. Stateless.
public final class CompareReport {
    private CompareReport() {}

    public static String of(RunResult first, RunResult second) {
        StringBuilder text = new StringBuilder();
        text.append("A: ").append(line(first)).append("\nB: ").append(line(second)).append('\n');
        if (!first.machine().equals(second.machine())) {
            text.append("The machines differ: compare ratios, not figures.\n");
        }
        boolean any = false;
        for (ScenarioResult a : first.scenarios()) {
            for (ScenarioResult b : second.scenarios()) {
                if (a.id().equals(b.id())) {
                    any = true;
                    scenario(text, a, b);
                }
            }
        }
        if (!any) {
            text.append("They have no scenario in common.\n");
        }
        return text.toString();
    }

    private static String line(RunResult run) {
        return run.preset() + ", " + run.started() + (run.quick() ? ", quick and rough" : "");
    }

    private static void scenario(StringBuilder text, ScenarioResult a, ScenarioResult b) {
        text.append('\n').append(a.id()).append(": ").append(a.title()).append('\n');
        Table table =
                new Table(
                        List.of(
                                "server",
                                "A CPU-s/10k",
                                "B CPU-s/10k",
                                "B/A",
                                "A requests/s",
                                "B requests/s",
                                "B/A"));
        for (CellResult cell : a.cells()) {
            b.cell(cell.server()).ifPresent(other -> table.row(row(cell, other)));
        }
        text.append(table);
    }

    private static List<String> row(CellResult a, CellResult b) {
        double cpuA = a.median(RoundResult::cpuPer10k);
        double cpuB = b.median(RoundResult::cpuPer10k);
        double perSecondA = a.median(round -> round.load().perSecond());
        double perSecondB = b.median(round -> round.load().perSecond());
        return List.of(
                a.server(),
                Figures.of(cpuA),
                Figures.of(cpuB),
                ratio(cpuA, cpuB),
                Figures.count(perSecondA),
                Figures.count(perSecondB),
                ratio(perSecondA, perSecondB));
    }

    private static String ratio(double a, double b) {
        return a == 0 || b == 0 ? "–" : String.format(Locale.ROOT, "%.2f", b / a);
    }
}
