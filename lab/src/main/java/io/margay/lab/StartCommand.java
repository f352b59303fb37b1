package io.margay.lab;

import io.margay.lab.study.AppsStudy;
import io.margay.lab.study.StartStudy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
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
    private Supplier<Lab> lab;

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
            names = "--fronts",
            description =
                    "Takes the memory of idle front ends, too: Margay's gateway, nginx, HAProxy.")
    private boolean fronts;

    @Option(
            names = "--apps",
            split = ",",
            paramLabel = "N",
            description =
                    "Measures nothing but starts with so many copies of an application, such as"
                            + " 1,10,50: to the first page of each, with an empty work folder and"
                            + " with that of the start before.")
    private List<Integer> apps = List.of();

    @Option(
            names = "--app",
            paramLabel = "FILE",
            description =
                    "The application for --apps: a WAR file or its folder. Default: the"
                            + " heartbeat page.")
    private Optional<Path> app = Optional.empty();

    @Option(
            names = "--page",
            paramLabel = "PATH",
            description = "The page of --apps. Default: /heartbeat.jsp.")
    private String page = "/heartbeat.jsp";

    @Option(
            names = "--servers",
            split = ",",
            paramLabel = "SERVER",
            description =
                    "Of --apps. Default: margay:native,tomcat:production; tomcat9:nio for"
                            + " javax applications.")
    private List<String> servers = List.of("margay:native", "tomcat:production");

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the tables go. Default: lab-runs/start.")
    private Path folder = Path.of("lab-runs/start");

    @Override
    public void run() {
        LabException.unlessAtLeast("--runs", runs, 0);
        LabException.unlessAtLeast("--cores", cores, 1);
        LabException.unlessAtLeast("--load", load, 0);
        LabException.unlessAtLeast("--rest", rest, 0);
        LabException.unlessAtLeast("--idle", idle, 0);
        if (!apps.isEmpty()) {
            apps.forEach(it -> LabException.unlessAtLeast("--apps", it, 1));
            lab.get()
                    .study(
                            folder,
                            "apps.md",
                            (here, own, says) ->
                                    new AppsStudy(
                                                    here,
                                                    own,
                                                    "0-" + (cores - 1),
                                                    app.orElse(here.webapps().resolve("heartbeat")),
                                                    page,
                                                    servers,
                                                    says)
                                            .run(apps, runs)
                                            .markdown());
            return;
        }
        lab.get()
                .study(
                        folder,
                        "start.md",
                        (here, own, says) ->
                                new StartStudy(here, own, "0-" + (cores - 1), says)
                                        .run(runs, load, rest, idle, fronts)
                                        .markdown());
    }
}
