package io.margay.lab;

import io.margay.lab.study.StartStudy;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab start`: starts, memory and held connections. Confined to the main thread.
@Command(
        name = "start",
        sortOptions = false,
        description =
                "Measures how long Margay, with and without its cache, and Tomcat take to start,"
                        + " and their memory.")
final class StartCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Main main;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Starts of each. Default: 5; 0 for none.")
    private int runs = 5;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "Processors of the servers. Default: 1.")
    private int cores = 1;

    @Option(
            names = "--load",
            paramLabel = "SECONDS",
            description = "Of load before memory is taken. Default: 15; 0 for none.")
    private int load = 15;

    @Option(names = "--rest", paramLabel = "SECONDS", description = "After the load. Default: 15.")
    private int rest = 15;

    @Option(
            names = "--idle",
            paramLabel = "CONNECTIONS",
            description = "To hold. Default: 10000; 0 for none.")
    private int idle = 10_000;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the tables go. Default: lab-runs/start.")
    private Path folder = Path.of("lab-runs/start");

    @Override
    public void run() {
        Main.atLeast("--runs", runs, 0);
        Main.atLeast("--cores", cores, 1);
        Main.atLeast("--load", load, 0);
        Main.atLeast("--rest", rest, 0);
        Main.atLeast("--idle", idle, 0);
        main.lab()
                .study(
                        folder,
                        "start.md",
                        (here, own, says) ->
                                new StartStudy(here, own, "0-" + (cores - 1), says)
                                        .run(runs, load, rest, idle)
                                        .markdown());
    }
}
