package io.margay.lab.result;

import io.margay.lab.json.Json;
import io.margay.lab.json.JsonRecords;
import io.margay.lab.machine.Machine;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Everything a run measured. Immutable.
///
/// @param format of the file; 1
/// @param preset its name
/// @param started moment in ISO 8601
/// @param command what to type to run it again
/// @param quick whether it was a rough run
/// @param interrupted whether it was ended before its end
/// @param seed of the resampling, so that a report drawn again says the same
/// @param pinned whether servers and generator had a core each
/// @param notes what a reader must know
@RecordBuilder
public record RunResult(
        int format,
        String preset,
        String started,
        String command,
        boolean quick,
        boolean interrupted,
        long seed,
        boolean pinned,
        Machine machine,
        List<ServerFacts> servers,
        List<ScenarioResult> scenarios,
        List<String> notes) {
    /// The note of a run in which Margay had its cache of loaded classes.
    public static final String WITH_CACHE =
            "Margay was started with its cache of loaded classes and profiles, as users start it.";

    private static final int FORMAT = 1;

    public RunResult {
        servers = List.copyOf(servers);
        scenarios = List.copyOf(scenarios);
        notes = List.copyOf(notes);
    }

    /// The current format.
    public static int currentFormat() {
        return FORMAT;
    }

    /// Reads a file that a run has written.
    ///
    /// @throws IllegalArgumentException if it is none
    public static RunResult read(Path file) throws IOException {
        String text = Files.readString(file);
        RunResult result;
        try {
            result = JsonRecords.record(RunResult.class, Json.parse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        if (result.format != FORMAT || result.preset.isEmpty()) {
            throw new IllegalArgumentException(file + " is not the result of a lab run");
        }
        return result;
    }

    /// The same with other scenarios.
    public RunResult with(List<ScenarioResult> newScenarios) {
        return RunResultBuilder.builder(this).scenarios(newScenarios).build();
    }

    public void write(Path file) throws IOException {
        Files.writeString(file, Json.pretty(JsonRecords.tree(this)));
    }
}
