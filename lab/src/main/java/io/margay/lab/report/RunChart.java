package io.margay.lab.report;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.util.List;
import java.util.Locale;

/// The servers of each scenario of a run as bars, in a drawing (SVG) that stands alone: light or
/// dark as the reader's screen is. Immutable.
record RunChart(RunResult run) {
    private static final int WIDTH = 760;
    private static final int LABEL = 270;
    private static final int VALUE = 90;
    private static final int ROW = 20;
    private static final int BAR = 12;
    private static final int HEAD = 30;

    /// How the names of Margay's servers begin.
    private static final List<String> OWN = List.of("margay", "gateway", "boot:margay");

    private static final String STYLE =
            """
            text { font: 12px system-ui, sans-serif; fill: #1c2330 } .head { font-weight: 600 }
            rect { fill: #94a3b8 } .own { fill: #2563eb }
            @media (prefers-color-scheme: dark) { text { fill: #e6e9ef } rect { fill: #64748b }
              .own { fill: #6ea8fe } }
            """;

    /// What its bars are.
    static String title(RunResult run) {
        return isKnee(run) ? "requests/s sustained" : "CPU-seconds per 10 000 requests";
    }

    private static boolean isKnee(RunResult run) {
        return run.scenarios().stream().anyMatch(it -> it.metric() == Metric.KNEE);
    }

    /// What the servers of a scenario are drawn by.
    private double figure(ScenarioResult scenario, CellResult cell) {
        return cell.median(
                switch (scenario.metric()) {
                    case START -> round -> round.seconds() * 1e3;
                    case MEMORY -> RoundResult::residentMib;
                    case CPU, FRONT, BOTH_ENDS, THROUGHPUT, KNEE ->
                            isKnee(run)
                                    ? round -> round.load().perSecond()
                                    : round -> round.cpuPer10k(scenario.metric());
                });
    }

    private static String unit(ScenarioResult scenario) {
        return switch (scenario.metric()) {
            case START -> ", ms";
            case MEMORY -> ", MiB";
            case FRONT -> ", front end";
            case BOTH_ENDS -> ", with clients";
            case CPU, THROUGHPUT, KNEE -> "";
        };
    }

    @Override
    public String toString() {
        StringBuilder bars = new StringBuilder();
        int y = ROW;
        text(bars, "head", 0, y, run.preset() + ": " + title(run));
        for (ScenarioResult scenario : run.scenarios()) {
            List<CellResult> cells =
                    scenario.cells().stream().filter(it -> !it.good().isEmpty()).toList();
            double most = cells.stream().mapToDouble(it -> figure(scenario, it)).max().orElse(0);
            y += HEAD;
            text(bars, "head", 0, y, scenario.title() + unit(scenario));
            for (CellResult cell : cells) {
                y += ROW;
                bar(bars, y, scenario, cell, most);
            }
        }
        return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" role="img">
        <title>%s</title>
        <style>
        %s</style>
        %s</svg>
        """
                .formatted(WIDTH, y + ROW, WIDTH, Html.text(title(run)), STYLE, bars);
    }

    private void bar(
            StringBuilder bars, int y, ScenarioResult scenario, CellResult cell, double most) {
        double figure = figure(scenario, cell);
        double width = most == 0 ? 0 : figure / most * (WIDTH - LABEL - VALUE);
        boolean own = OWN.stream().anyMatch(cell.server()::startsWith);
        text(bars, "", 0, y, cell.server());
        bars.append(
                String.format(
                        Locale.ROOT,
                        "<rect%s x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                        own ? " class=\"own\"" : "",
                        LABEL,
                        y - BAR + 2,
                        Math.max(1, width),
                        BAR));
        text(
                bars,
                "",
                LABEL + (int) width + 6,
                y,
                isKnee(run) || scenario.metric().isOfStarts()
                        ? Figures.count(figure)
                        : Figures.of(figure));
    }

    private static void text(StringBuilder bars, String style, int x, int y, String text) {
        bars.append("<text");
        if (!style.isEmpty()) {
            bars.append(" class=\"").append(style).append('"');
        }
        bars.append(" x=\"").append(x).append("\" y=\"").append(y).append("\">");
        bars.append(Html.text(text)).append("</text>\n");
    }
}
