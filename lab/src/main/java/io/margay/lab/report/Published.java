package io.margay.lab.report;

import io.margay.lab.load.Latency;
import io.margay.lab.preset.Preset;
import io.margay.lab.preset.Presets;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import io.margay.lab.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Copies of runs that are to be kept with a project: `PRESET.json`, `PRESET.html` and an index. In
/// a copy the latencies of a server's rounds are one histogram of two digits, and paths of the
/// machine are cut off. Stateless.
public final class Published {
    private static final int DIGITS = 2;

    private Published() {}

    /// Copies a run there.
    ///
    /// @param file its `result.json`
    public static void copy(Path file, Path target) throws IOException {
        RunResult run = small(RunResult.read(file));
        String folder = String.valueOf(file.toAbsolutePath().normalize().getParent());
        Files.createDirectories(target);
        Path json = target.resolve(run.preset() + ".json");
        run.write(json);
        Files.writeString(json, withoutPaths(Files.readString(json), folder));
        Files.writeString(
                target.resolve(run.preset() + ".html"),
                withoutPaths(HtmlReport.of(run, Presets.find(run.preset())), folder));
    }

    private static String withoutPaths(String text, String folder) {
        return text.replace(folder + "/", "").replace(folder, ".");
    }

    private static RunResult small(RunResult run) {
        List<ScenarioResult> scenarios =
                run.scenarios().stream()
                        .map(it -> it.with(it.cells().stream().map(Published::small).toList()))
                        .toList();
        return run.with(scenarios);
    }

    private static CellResult small(CellResult cell) {
        List<RoundResult> rounds = new ArrayList<>();
        boolean first = true;
        for (RoundResult round : cell.rounds()) {
            boolean holds = first && round.counts();
            first &= !holds;
            rounds.add(round.withLatency(holds ? latency(cell) : ""));
        }
        return cell.with(rounds);
    }

    private static String latency(CellResult cell) {
        return Latency.of(cell.good().stream().map(it -> it.load().latency()).toList())
                .encoded(DIGITS);
    }

    /// Writes the index of all copies there.
    ///
    /// @return the comparisons that stand for all, as a Markdown table; nothing for none
    public static String index(Path target) throws IOException {
        List<RunResult> runs = new ArrayList<>();
        for (Preset preset : Presets.all()) {
            Path json = target.resolve(preset.name() + ".json");
            if (Files.exists(json)) {
                runs.add(RunResult.read(json));
            }
        }
        String headlines = Headlines.of(runs);
        StringBuilder text = new StringBuilder("# Results of the lab\n\n");
        text.append("Made by `bin/lab-publish` from whole runs (docs/lab.md says how they are");
        text.append(" measured). Ratios are of one\nrun on one machine; compare them, not the");
        text.append(" figures, with those of another.\n");
        if (!headlines.isEmpty()) {
            text.append("\n## In short\n\n").append(headlines);
        }
        for (RunResult run : runs) {
            section(text, run);
        }
        Files.writeString(target.resolve("README.md"), text);
        return headlines;
    }

    private static void section(StringBuilder text, RunResult run) {
        Optional<Preset> preset = Presets.find(run.preset());
        text.append("\n## ").append(run.preset()).append("\n\n");
        preset.ifPresent(it -> text.append(upper(it.title())).append(". "));
        text.append("[Report](").append(run.preset()).append(".html), [JSON](");
        text.append(run.preset()).append(".json). ").append(run.started()).append(", ");
        text.append(run.machine().cpu()).append(", ").append(run.machine().cores());
        text.append(" processors, ").append(run.machine().system()).append(", ");
        text.append(run.machine().java()).append(".\n\n```\n").append(run.command());
        text.append("\n```\n");
        preset.ifPresent(it -> then(text, it.then()));
        List<Overview> now = Overview.of(run);
        if (!now.isEmpty()) {
            text.append("\nNow:\n");
            now.forEach(it -> text.append('\n').append(it.markdown()));
        }
        for (ScenarioResult scenario : run.scenarios()) {
            List<String> verdicts = TextReport.verdicts(run, scenario);
            if (!verdicts.isEmpty()) {
                text.append('\n').append(scenario.title()).append(":\n\n");
                verdicts.forEach(it -> text.append("- ").append(oneLine(it)).append('\n'));
            }
        }
        preset.ifPresent(it -> {
            List<String> why = it.why(run);
            if (!why.isEmpty()) {
                text.append('\n').append(it.whyTitle()).append(":\n\n");
                why.forEach(each -> text.append("- ").append(oneLine(each)).append('\n'));
            }
        });
        text.append('\n');
        run.notes().forEach(it -> text.append("Note: ").append(oneLine(it)).append("\n\n"));
        text.setLength(text.length() - 1);
    }

    private static void then(StringBuilder text, Preset.Then then) {
        if (!then.rows().isEmpty()) {
            text.append("\nThen: ").append(then.conditions()).append("\n\n");
            text.append(new Overview(then.head(), then.rows()).markdown());
        }
    }

    private static String upper(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static String oneLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
