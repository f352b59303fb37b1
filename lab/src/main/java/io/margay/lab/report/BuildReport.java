package io.margay.lab.report;

import io.margay.lab.result.BuildComparison;
import io.margay.lab.result.BuildComparison.Figure;
import io.margay.lab.result.BuildComparison.Verdict;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ServerFacts;
import io.margay.lab.stats.Interval;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/// What a change has done to each kind of request, as a table in Markdown. Immutable.
public final class BuildReport {
    private final RunResult run;
    private final List<BuildComparison> rows;

    public BuildReport(RunResult run) {
        this.run = run;
        rows =
                run.scenarios().stream()
                        .map(scenario -> BuildComparison.of(scenario, run.seed()))
                        .toList();
    }

    /// How many rows have that verdict.
    public long count(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).count();
    }

    /// The table, what it compares, and the verdicts counted.
    public String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("Before: ").append(before()).append("  \n");
        text.append("After: ").append(after()).append("\n\n");
        text.append(
                "| row | requests/s | ratio | CPU-s/10k | ratio | p99 ms | ratio | verdict |\n");
        text.append("|---|---|---|---|---|---|---|---|\n");
        for (BuildComparison row : rows) {
            text.append("| ").append(row.scenario().title()).append(" | ");
            figure(text, row.throughput(), Figures::count);
            figure(text, row.cpu(), Figures::of);
            figure(text, row.p99(), Figures::millis);
            text.append(verdict(row)).append(" |\n");
        }
        text.append(
                String.format(
                        Locale.ROOT,
                        "%n%d worse, %d equal, %d better, %d without a verdict.%n",
                        count(Verdict.WORSE),
                        count(Verdict.EQUAL),
                        count(Verdict.BETTER),
                        count(Verdict.NONE)));
        again(text);
        text.append(
                "\nA ratio is after to before, the median of the rounds with its 95 % interval; CPU"
                        + " is that of the front process. Among many figures, a few differ at"
                        + " random.\n");
        run.notes().forEach(note -> text.append("\nNote: ").append(note).append('\n'));
        return text.toString();
    }

    /// Two builds of somebody's application are on one server.
    private String before() {
        return isOfApplication()
                ? "--app on " + version(run.servers().getFirst().name())
                : version("before");
    }

    private String after() {
        return isOfApplication()
                ? "--against on " + version(run.servers().getLast().name())
                : version("margay", "gateway");
    }

    private boolean isOfApplication() {
        return run.preset().equals("mine") && !run.servers().isEmpty();
    }

    /// How to measure those once more that are worse or not measured.
    private void again(StringBuilder text) {
        String ids =
                rows.stream()
                        .filter(row ->
                                row.verdict() == Verdict.WORSE || row.verdict() == Verdict.NONE)
                        .map(row -> row.scenario().id())
                        .collect(Collectors.joining(","));
        if (!ids.isEmpty()) {
            String command = run.command().replaceFirst(" --scenarios [^ ]+", "");
            text.append("\nThose once more: `").append(command);
            text.append(" --scenarios ").append(ids).append("`\n");
        }
    }

    private static void figure(StringBuilder text, Figure figure, DoubleFunction<String> form) {
        Interval ratio = figure.ratio();
        if (figure.verdict() == Verdict.NONE) {
            text.append("– | – | ");
            return;
        }
        text.append(form.apply(figure.before())).append(" → ");
        text.append(form.apply(figure.after())).append(" | ");
        text.append(
                String.format(
                        Locale.ROOT,
                        "%.2f (%.2f to %.2f) | ",
                        ratio.estimate(),
                        ratio.low(),
                        ratio.high()));
    }

    private static String verdict(BuildComparison row) {
        String rough = row.isRough() ? "rough: " : "";
        List<String> worse = row.named(Verdict.WORSE);
        List<String> better = row.named(Verdict.BETTER);
        return switch (row.verdict()) {
            case NONE -> "none: " + row.refusal().lines().findFirst().orElse("");
            case EQUAL -> rough + "equal";
            case BETTER -> rough + "better: " + String.join(", ", better);
            case WORSE ->
                    rough
                            + "**worse: "
                            + String.join(", ", worse)
                            + "**"
                            + (better.isEmpty() ? "" : "; better: " + String.join(", ", better));
        };
    }

    /// What the first server of one of those kinds says of itself.
    private String version(String... kinds) {
        for (ServerFacts server : run.servers()) {
            for (String kind : kinds) {
                if (server.name().startsWith(kind) && !server.versions().isEmpty()) {
                    String text = server.versions().getFirst();
                    return text.substring(text.indexOf(": ") + 2);
                }
            }
        }
        return "not started";
    }
}
