package io.margay.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `margay lab trials`: the test of the lab itself. Confined to the main thread.
@Command(
        name = "trials",
        sortOptions = false,
        description =
                "Tests the lab on servers whose difference is known, many times over; fails if"
                        + " fewer than 19 of 20 trials say what is true.")
final class TrialsCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Parameters(
            paramLabel = "PRESET",
            arity = "1",
            description = "aa, the same server twice, or ten, one that costs 10 %% more.")
    private String preset = "";

    @Option(names = "--trials", paramLabel = "N", description = "Default: 20.")
    private int trials = 20;

    @Option(names = "--rounds", paramLabel = "N", description = "Of each trial. Default: 10.")
    private int rounds = 10;

    @Option(names = "--seconds", paramLabel = "N", description = "Length of a round. Default: 0.8.")
    private double seconds = 0.8;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "Seconds of warm-up at most. Default: 5.")
    private double warmUp = 5;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go. Default: lab-runs/trials.")
    private Path folder = Path.of("lab-runs/trials");

    @Override
    public Integer call() {
        LabOptions options =
                LabOptionsBuilder.builder()
                        .presets(List.of(preset))
                        .servers(List.of())
                        .scenarios(List.of())
                        .before("")
                        .rounds(rounds)
                        .seconds(seconds)
                        .warmUp(warmUp)
                        .cores(1)
                        .out("")
                        .own(LabOptions.Own.NONE)
                        .command("./margay lab trials " + preset)
                        .build();
        return lab.get().trials(options, trials, folder)
                ? CommandLine.ExitCode.OK
                : CommandLine.ExitCode.SOFTWARE;
    }
}
