package io.margay.lab.report;

import io.margay.lab.machine.CallCounter;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.preset.Preset;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.RampStep;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import io.margay.lab.result.ServerFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// A run as one HTML page that needs nothing else: no network, no script. Stateless.
public final class HtmlReport {
    private static final String STYLE =
            """
            :root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6577; --paper: #ffffff;
              --line: #d9dee7; --t0: #2563eb; --t1: #d97706; --t2: #0d9488; --t3: #9333ea;
              --t4: #be185d; --t5: #4d7c0f; }
            @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa5b8;
              --paper: #14181f; --line: #323a48; --t0: #6ea8fe; --t1: #f2b35e; --t2: #4fd1c0;
              --t3: #c79bff;
              --t4: #f58bb8; --t5: #a3d65c; } }
            body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink);
              background: var(--paper); margin: 0 auto; max-width: 60rem; padding: 1rem; }
            h1 { font-size: 1.6rem; margin: .5rem 0 } h2 { margin: 2.5rem 0 .5rem;
              border-top: 1px solid var(--line); padding-top: 1.5rem; font-size: 1.25rem }
            h3 { font-size: 1rem; margin: 1.5rem 0 .3rem } .soft, .key { color: var(--soft) }
            .warn { border-left: .3rem solid var(--t1); padding: .3rem .8rem; margin: 1rem 0 }
            ul { padding-left: 1.2rem } .scroll { margin-bottom: 1.2rem }
            li { overflow-wrap: anywhere; margin-bottom: .3rem } a { color: var(--t0) }
            .scroll { overflow-x: auto }
            table { border-collapse: collapse; font-size: .875rem;
              font-variant-numeric: tabular-nums } th, td { padding: .25rem .7rem .25rem 0;
              text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line) }
            th { color: var(--soft); font-weight: 500 } th:first-child, td:first-child {
              text-align: left }
            code, pre { font: .875rem/1.5 ui-monospace, monospace } pre { overflow-x: auto;
              padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .4rem }
            .bar { display: flex; justify-content: space-between; gap: 1rem; font-size: .8125rem;
              margin: .6rem 0 .15rem; line-height: 1.3 } .bar b { font-weight: 400;
              color: var(--soft); white-space: nowrap }
            svg { overflow: visible; display: block } svg .axis { fill: var(--soft);
              font-size: 12px } svg .grid { stroke: var(--line) }
            svg .span { stroke: var(--soft); stroke-width: 2 }
            .u0 { fill: var(--t0); background: var(--t0) } .u1 { fill: var(--t1);
              background: var(--t1) } .u2 { fill: var(--t2); background: var(--t2) }
            .u3 { fill: var(--t3); background: var(--t3) }
            .u4, .s4 { fill: var(--t4); background: var(--t4) }
            .u5, .s5 { fill: var(--t5); background: var(--t5) }
            .s0, .s1, .s2, .s3, .s4, .s5 { opacity: .55 }
            .s0 { fill: var(--t0); background: var(--t0) }
            .s1 { fill: var(--t1); background: var(--t1) } .s2 { fill: var(--t2);
              background: var(--t2) } .s3 { fill: var(--t3); background: var(--t3) }
            .p0 { fill: var(--t2); background: var(--t2) } .p1 { fill: var(--t0);
              background: var(--t0) } .p2 { fill: var(--t1); background: var(--t1) }
            polyline { fill: none; stroke-width: 1.6 } .l0 { stroke: var(--t0) }
            .l1 { stroke: var(--t1) } .l2 { stroke: var(--t2) } .l3 { stroke: var(--t3) }
            .l4 { stroke: var(--t4) } .l5 { stroke: var(--t5) }
            .p3 { fill: var(--t3); background: var(--t3) }
            .key b { display: inline-block; font-weight: 400; max-width: 100%;
              margin-right: .7rem }
            .key span { display: inline-block; width: .8rem; height: .8rem; margin-right: .3rem;
              border-radius: .15rem; vertical-align: -.08rem }
            """;

    /// So many system calls of a process are named.
    private static final int CALLS_NAMED = 5;

    /// Processes have so many colours.
    private static final int COLORS = 6;

    private HtmlReport() {}

    /// @param preset the run's preset; absent if this version does not know it
    public static String of(RunResult run, Optional<Preset> preset) {
        StringBuilder html = new StringBuilder();
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
        html.append(Html.text(run.preset())).append(" · Margay lab</title>\n<style>\n");
        html.append(STYLE).append("</style>\n</head>\n<body>\n<h1>");
        html.append(Html.text(run.preset())).append("</h1>\n");
        preset.ifPresent(it -> html.append(paragraph(it.title())));
        html.append("<p class=\"soft\">").append(Html.text(run.started())).append(" · ");
        html.append(Html.text(run.machine().cpu())).append(", ").append(run.machine().cores());
        html.append(" processors, ").append(run.machine().memoryMib()).append(" MiB · ");
        html.append(Html.text(run.machine().system())).append(" · ");
        html.append(Html.text(run.machine().java())).append("</p>\n");
        warnings(html, run);
        verdicts(html, preset, run);
        preset.ifPresent(it -> why(html, it, run));
        preset.ifPresent(it -> then(html, it));
        List<Overview> now = Overview.of(run);
        if (!now.isEmpty()) {
            html.append("<h2>Now</h2>\n");
            now.forEach(it -> html.append(Html.table(it.head(), it.rows())));
        }
        if (run.scenarios().size() > 1) {
            html.append("<h2>In detail</h2>\n<ul>\n");
            for (ScenarioResult scenario : run.scenarios()) {
                html.append("<li><a href=\"#").append(Html.text(scenario.id())).append("\">");
                html.append(Html.text(scenario.title())).append("</a></li>\n");
            }
            html.append("</ul>\n");
        }
        for (ScenarioResult scenario : run.scenarios()) {
            scenario(html, run, scenario);
        }
        servers(html, run);
        return html.append("</body>\n</html>\n").toString();
    }

    private static void warnings(StringBuilder html, RunResult run) {
        List<String> notes = new ArrayList<>(run.notes());
        if (run.interrupted()) {
            notes.add("Interrupted: this is what had been measured.");
        }
        notes.forEach(
                it -> html.append("<p class=\"warn\">").append(Html.text(it)).append("</p>\n"));
    }

    private static String paragraph(String text) {
        return "<p>" + Html.text(text) + "</p>\n";
    }

    private static void scenario(StringBuilder html, RunResult run, ScenarioResult scenario) {
        html.append("<h2 id=\"").append(Html.text(scenario.id())).append("\">");
        html.append(Html.text(scenario.title())).append("</h2>\n");
        html.append("<p class=\"soft\">").append(Html.text(scenario.id())).append(": ");
        html.append(Html.text(scenario.load().words()));
        html.append("</p>\n");
        html.append(Html.list(TextReport.verdicts(run, scenario)));
        List<CellResult> good =
                scenario.cells().stream().filter(cell -> !cell.good().isEmpty()).toList();
        boolean loaded = !scenario.metric().isOfStarts();
        if (loaded) {
            cpu(html, good);
            throughput(html, good);
            latency(html, good);
            profiles(html, scenario);
        }
        html.append("<h3>Figures</h3>\n");
        html.append(
                Html.table(
                        Columns.head(scenario.metric()),
                        scenario.cells().stream()
                                .map(cell -> Columns.row(scenario.metric(), cell))
                                .toList()));
        if (loaded) {
            tiers(html, good);
            ramps(html, good);
        }
        html.append("<p class=\"soft\">Compared in each answer: ");
        good.stream()
                .flatMap(cell -> cell.checks().stream())
                .distinct()
                .limit(3)
                .forEach(it -> html.append(Html.text(it)).append("; "));
        html.append("medians of rounds.</p>\n");
    }

    private static void cpu(StringBuilder html, List<CellResult> cells) {
        List<String> tiers = tierNames(cells);
        html.append("<h3>CPU-seconds per 10 000 requests</h3>\n<p class=\"key\">");
        for (int i = 0; i < tiers.size(); i++) {
            String tier = Html.text(tiers.get(i));
            html.append(
                    "<b><span class=\"u%d\"></span>%s, own code</b> ".formatted(i % COLORS, tier));
            html.append(
                    "<b><span class=\"s%d\"></span>%s, kernel</b> ".formatted(i % COLORS, tier));
        }
        html.append("</p>\n");
        BarChart chart = new BarChart("CPU-seconds per 10 000 requests");
        for (CellResult cell : cells) {
            List<BarChart.Segment> segments = new ArrayList<>();
            for (String tier : cell.tiers()) {
                int color = tiers.indexOf(tier) % COLORS;
                segments.add(
                        new BarChart.Segment(
                                "u" + color, cell.tierPer10k(tier, ProcessSample::userSeconds)));
                segments.add(
                        new BarChart.Segment(
                                "s" + color, cell.tierPer10k(tier, ProcessSample::systemSeconds)));
            }
            chart.bar(cell.title(), Figures.of(cell.median(RoundResult::cpuPer10k)), segments);
        }
        html.append(chart);
    }

    private static List<String> tierNames(List<CellResult> cells) {
        return cells.stream().flatMap(cell -> cell.tiers().stream()).distinct().toList();
    }

    private static void throughput(StringBuilder html, List<CellResult> cells) {
        html.append("<h3>Requests per second</h3>\n");
        BarChart chart = new BarChart("Requests per second");
        for (CellResult cell : cells) {
            double perSecond = cell.median(round -> round.load().perSecond());
            String least = cell.isGeneratorBound() ? "≥ " : "";
            chart.bar(
                    cell.title(),
                    least + Figures.count(perSecond),
                    List.of(new BarChart.Segment("u0", perSecond)));
        }
        html.append(chart);
        if (cells.stream().anyMatch(CellResult::isGeneratorBound)) {
            html.append("<p class=\"soft\">≥: the load generator set the pace; ");
            html.append("the server may carry more.</p>\n");
        }
    }

    private static void latency(StringBuilder html, List<CellResult> cells) {
        html.append("<h3>Latency</h3>\n<p class=\"key\">");
        for (int i = 0; i < LatencyChart.PERCENTILES.length; i++) {
            html.append("<b><span class=\"p%d\"></span>".formatted(i));
            html.append(LatencyChart.words(LatencyChart.PERCENTILES[i])).append(" %</b> ");
        }
        html.append("</p>\n");
        LatencyChart chart = new LatencyChart();
        cells.forEach(cell -> chart.row(cell.title(), cell.latency()));
        html.append(chart).append(LatencyLines.of(cells));
    }

    private static void profiles(StringBuilder html, ScenarioResult scenario) {
        if (scenario.profiles().isEmpty()) {
            return;
        }
        html.append("<h3>Processor time by method, and collections</h3>\n<p class=\"soft\">");
        html.append("Under the same load after the rounds; callers above what they called, ");
        html.append("methods below 0.5 % left out.</p>\n");
        scenario.profiles()
                .forEach((server, profile) -> {
                    html.append("<p>").append(Html.text(server)).append(": ");
                    html.append(Html.text(profile.collections().words())).append("</p>\n");
                    if (profile.stacks().samples() > 0) {
                        html.append(FlameChart.of(server, profile.stacks()));
                    }
                });
    }

    private static void tiers(StringBuilder html, List<CellResult> cells) {
        List<List<String>> rows = new ArrayList<>();
        for (CellResult cell : cells) {
            for (String tier : cell.tiers()) {
                double cpu = cell.tierPer10k(tier, ProcessSample::cpuSeconds);
                rows.add(
                        List.of(
                                cell.server(),
                                tier,
                                Figures.of(cpu),
                                Figures.percent(cell.median(round -> round.tierShare(tier))),
                                perRequest(cell, tier, ProcessSample::switchesWaiting),
                                perRequest(cell, tier, ProcessSample::switchesForced),
                                Figures.count(
                                        cell.median(round ->
                                                round.tiers()
                                                        .getOrDefault(tier, ProcessSample.NONE)
                                                        .processes())),
                                calls(cell, tier),
                                callNames(cell, tier)));
            }
        }
        html.append("<h3>By process, per request</h3>\n");
        html.append(
                Html.table(
                        List.of(
                                "server",
                                "process",
                                "CPU-s/10k",
                                "CPU",
                                "waits",
                                "pre-emptions",
                                "processes",
                                "system calls",
                                "of them"),
                        rows));
    }

    private static void ramps(StringBuilder html, List<CellResult> cells) {
        List<List<String>> rows = new ArrayList<>();
        for (CellResult cell : cells) {
            for (RampStep step : cell.ramp()) {
                rows.add(
                        List.of(
                                cell.server(),
                                Figures.count(step.wanted()),
                                Figures.count(step.perSecond()),
                                Figures.millis(step.p99Millis()),
                                step.errors().isEmpty() ? "–" : step.errors().toString(),
                                step.sustained() ? "yes" : "no"));
            }
        }
        if (!rows.isEmpty()) {
            html.append("<h3>Ramps</h3>\n");
            html.append(
                    Html.table(
                            List.of(
                                    "server",
                                    "asked/s",
                                    "answered/s",
                                    "p99 ms",
                                    "errors",
                                    "sustained"),
                            rows));
        }
    }

    private static String calls(CellResult cell, String tier) {
        Double all = cell.calls().getOrDefault(tier, Map.of()).get(CallCounter.ALL);
        return all == null ? "–" : Figures.of(all);
    }

    /// The most frequent calls by name.
    private static String callNames(CellResult cell, String tier) {
        return cell.calls().getOrDefault(tier, Map.of()).entrySet().stream()
                .filter(it -> !it.getKey().equals(CallCounter.ALL))
                .limit(CALLS_NAMED)
                .map(it -> it.getKey() + " " + Figures.of(it.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String perRequest(
            CellResult cell, String tier, ToLongFunction<ProcessSample> figure) {
        return Figures.of(cell.tierPer10k(tier, sample -> figure.applyAsLong(sample)) / 1e4);
    }

    /// What came of it, before anything else; those of a single scenario stand at its head.
    private static void verdicts(StringBuilder html, Optional<Preset> preset, RunResult run) {
        if (run.scenarios().size() < 2) {
            return;
        }
        html.append("<h2>Verdicts</h2>\n");
        for (ScenarioResult scenario : run.scenarios()) {
            if (preset.isEmpty() || preset.get().isMain(scenario.id())) {
                html.append(paragraph(scenario.title()));
                html.append(Html.list(TextReport.verdicts(run, scenario)));
            }
        }
    }

    private static void then(StringBuilder html, Preset preset) {
        Preset.Then then = preset.then();
        if (!then.rows().isEmpty()) {
            html.append("<h2>Then</h2>\n").append(Html.table(then.head(), then.rows()));
            html.append("<p class=\"soft\">").append(Html.text(then.conditions()));
            html.append("</p>\n");
        }
    }

    private static void why(StringBuilder html, Preset preset, RunResult run) {
        List<String> why = preset.why(run);
        if (!why.isEmpty()) {
            html.append("<h2>").append(preset.whyTitle()).append("</h2>\n");
            html.append(Html.list(why));
        }
    }

    private static void servers(StringBuilder html, RunResult run) {
        html.append("<h2>Servers</h2>\n");
        List<List<String>> rows = new ArrayList<>();
        for (ServerFacts server : run.servers()) {
            String files = server.digests().size() + " files";
            rows.add(List.of(server.name(), String.join("; ", server.versions()), files));
        }
        html.append(Html.table(List.of("server", "versions", "configuration"), rows));
        html.append("<p class=\"soft\">The configuration files and their SHA-256 are beside this");
        html.append(" page and in its JSON. To run it again:</p>\n<pre>");
        html.append(Html.text(run.command())).append("</pre>\n");
    }
}
