package io.margay.lab;

import io.margay.lab.study.WarmUpStudy;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab warmup`: from a fresh start to the final rate. Confined to the main thread.
@Command(
        name = "warmup",
        sortOptions = false,
        description =
                "Measures how many requests Margay, with and without its cache, Tomcat and Jetty"
                        + " answer from a fresh start until they reach 90 %% of their final rate.")
final class WarmUpCommand implements Runnable {
    private static final int SECONDS_LEAST = 3;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Option(
            names = "--loads",
            split = ",",
            paramLabel = "LOAD",
            description = "Page, https, http2, file, gateway, ajp. Default: all of them.")
    private List<WarmUpStudy.Load> loads = List.of(WarmUpStudy.Load.values());

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Starts of each server for each load. Default: 3.")
    private int runs = 3;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description =
                    "Of load after each start; the last third shows the final rate. Default: 15.")
    private int seconds = 15;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description =
                    "Processors of the servers. Default: 1; of 2 the generator shares the second.")
    private int cores = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the table goes. Default: lab-runs/warmup.")
    private Path folder = Path.of("lab-runs/warmup");

    @Override
    public void run() {
        LabException.unlessAtLeast("--runs", runs, 1);
        LabException.unlessAtLeast("--seconds", seconds, SECONDS_LEAST);
        LabException.unlessAtLeast("--cores", cores, 1);
        lab.get()
                .study(
                        folder,
                        "warmup.md",
                        (here, own, says) ->
                                new WarmUpStudy(here, own, "0-" + (cores - 1), says)
                                        .run(loads, runs, seconds)
                                        .markdown());
    }
}
