package io.margay.lab.report;

import io.margay.lab.machine.Machine;
import io.margay.lab.preset.Preset;
import io.margay.lab.preset.Presets;
import io.margay.lab.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The figures of several runs as one page in Markdown with a drawing for each run: what a reader
/// wants to see, and the commands that measure it again. Immutable.
public final class MeasurementsPage {
    private static final String BEGIN = "<!-- lab:begin";
    private static final String END = "<!-- lab:end";

    private final List<RunResult> runs;

    /// @param runs one of each preset, in any order
    public MeasurementsPage(List<RunResult> runs) {
        List<RunResult> sorted = new ArrayList<>();
        for (Preset preset : Presets.all()) {
            runs.stream()
                    .filter(run -> run.preset().equals(preset.name()))
                    .map(run -> shown(run, preset))
                    .forEach(sorted::add);
        }
        this.runs = List.copyOf(sorted);
    }

    private static RunResult shown(RunResult run, Preset preset) {
        return run.with(run.scenarios().stream().filter(it -> preset.isMain(it.id())).toList());
    }

    /// Writes the page, `README.md`, and its drawings, `PRESET.svg`.
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (RunResult run : runs) {
            Files.writeString(folder.resolve(run.preset() + ".svg"), new RunChart(run).toString());
        }
        Files.writeString(folder.resolve("README.md"), markdown());
    }

    /// The page.
    String markdown() {
        StringBuilder text = new StringBuilder("# Measurements\n\n");
        text.append("Written by `./margay lab publish` from whole runs of the lab");
        text.append(" ([how it measures](../guide/lab.md)).\n\n");
        runs.stream().map(RunResult::machine).distinct().forEach(it -> machine(text, it));
        text.append("> Servers on one processor, the load generator on the other; every Java");
        text.append(" server on the same JDK with\n> `-Xms512m -Xmx512m -XX:+UseSerialGC`.");
        text.append(" CPU is in seconds per 10 000 requests, of all processes.\n");
        if (runs.stream().allMatch(run -> run.notes().contains(RunResult.WITH_CACHE))) {
            text.append("> ").append(RunResult.WITH_CACHE).append('\n');
        }
        text.append("> Compare ratios with those of another machine, not figures. Other pages");
        text.append(" were measured\n> in the same way on such machines, unless they say so.\n");
        String headlines = Headlines.of(runs);
        if (!headlines.isEmpty()) {
            text.append("\n## In short\n\n").append(headlines);
        }
        runs.forEach(run -> section(text, run));
        text.append(
                "\n`./margay lab publish docs/measurements RUN...` writes this page again from");
        text.append(" the folders of such runs.\n");
        return text.toString();
    }

    private static void machine(StringBuilder text, Machine machine) {
        text.append("> **Machine:** ").append(machine.cpu()).append(", ").append(machine.cores());
        text.append(" processors, ").append(machine.memoryMib()).append(" MiB, ");
        text.append(machine.system()).append(", ").append(machine.java()).append(".\n");
    }

    private static void section(StringBuilder text, RunResult run) {
        Optional<Preset> preset = Presets.find(run.preset());
        text.append("\n## ").append(run.preset()).append("\n\n");
        preset.ifPresent(it -> text.append(upper(it.title())).append(": "));
        text.append(
                run.scenarios().stream()
                        .map(it -> "`" + it.id() + "` " + it.title())
                        .collect(Collectors.joining("; ")));
        text.append(".\n\n![").append(RunChart.title(run)).append("](").append(run.preset());
        text.append(".svg)\n\n").append(Overview.ofCost(run).markdown());
        Overview.ofStarts(run).ifPresent(it -> text.append('\n').append(it.markdown()));
        text.append("\nAgain: `").append(run.command()).append("`\n");
    }

    private static String upper(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /// Puts the comparisons that stand for all between two marks of another page, the lines `<!--
    /// lab:begin -->` and `<!-- lab:end -->`.
    ///
    /// @throws IOException if the page has no such marks
    public void headlinesInto(Path page) throws IOException {
        List<String> lines = Files.readAllLines(page);
        int begin = marked(lines, BEGIN);
        int end = marked(lines, END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no lines " + BEGIN + " --> and " + END + " -->");
        }
        List<String> changed = new ArrayList<>(lines.subList(0, begin + 1));
        changed.addAll(Headlines.of(runs).lines().toList());
        changed.addAll(lines.subList(end, lines.size()));
        Files.write(page, changed);
    }

    private static int marked(List<String> lines, String mark) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(mark)) {
                return i;
            }
        }
        return -1;
    }
}
