package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Somebody's own application on several servers, with a recommendation.
record Mine(Page page) implements Preset {
    static final String NAME = "mine";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "your own application: --app FILE --path /PATH";
    }

    @Override
    public Then then() {
        return Then.NONE;
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                new Scenario(
                        "mine",
                        page.title(),
                        LoadJob.closed(100, false, true),
                        page,
                        Servers.all(
                                Servers.MARGAY,
                                List.of(Servers.TOMCAT, "nginx:proxy/" + Servers.MARGAY.get(1))),
                        Servers.TOMCAT,
                        Metric.CPU,
                        true));
    }

    @Override
    public List<String> why(RunResult result) {
        List<String> words = new ArrayList<>();
        for (ScenarioResult scenario : result.scenarios()) {
            Optional<CellResult> best =
                    scenario.cells().stream()
                            .filter(cell -> !cell.good().isEmpty())
                            .min(
                                    Comparator.comparingDouble(
                                            cell -> cell.median(RoundResult::cpuPer10k)));
            best.ifPresent(cell -> words.addAll(recommendation(cell, scenario, result.seed())));
        }
        return words;
    }

    private static List<String> recommendation(
            CellResult best, ScenarioResult scenario, long seed) {
        List<String> words = new ArrayList<>();
        List<String> equal = new ArrayList<>();
        for (CellResult other : scenario.cells()) {
            if (!other.server().equals(best.server()) && !other.good().isEmpty()) {
                Comparison comparison = Comparison.of(best, other, scenario.metric(), seed);
                if (comparison.differs()) {
                    words.add("The margin: " + comparison.words() + ".");
                } else {
                    equal.add(other.server());
                }
            }
        }
        words.addFirst(
                "Recommended for this page: "
                        + best.server()
                        + (equal.isEmpty()
                                ? "."
                                : "; not shown to be worse: " + String.join(", ", equal) + "."));
        return words;
    }
}
