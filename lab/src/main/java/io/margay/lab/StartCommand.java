package io.margay.lab;

import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.study.AppsStudy;
import io.margay.lab.study.BuildStartStudy;
import io.margay.lab.study.StartStudy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
            names = "--builds",
            split = ",",
            paramLabel = "DIR",
            description =
                    "Measures nothing but starts of these built checkouts or distributions, in"
                            + " turn, with ratios to the first; --rest takes the processor time at"
                            + " rest, too.")
    private List<Path> builds = List.of();

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description =
                    "Of --builds: an application with a page named on the command line or in a"
                            + " margay.yaml, or a gateway. Default: page,yaml,gateway.")
    private List<String> kinds = List.of("page", "yaml", "gateway");

    @Option(
            names = "--scarce",
            split = ",",
            paramLabel = "SHARE",
            description =
                    "Measures nothing but starts with so much of a processor, such as 0.5,0.1, of"
                            + " Jetty, too; as root, by a control group of Linux.")
    private List<Double> scarce = List.of();

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
        apps.forEach(it -> LabException.unlessAtLeast("--apps", it, 1));
        for (String kind : kinds) {
            if (!BuildStartStudy.KINDS.containsKey(kind)) {
                throw LabException.usage("--kinds takes page, yaml and gateway, not " + kind);
            }
        }
        if (!apps.isEmpty()) {
            lab.get().study(folder, "apps.md", this::apps);
        } else if (!builds.isEmpty()) {
            lab.get().study(folder, "builds.md", this::builds);
        } else if (!scarce.isEmpty()) {
            lab.get().study(folder, "scarce.md", this::scarce);
        } else {
            lab.get().study(folder, "start.md", this::starts);
        }
    }

    private String processors() {
        return "0-" + (cores - 1);
    }

    private String apps(LabEnvironment here, Path own, Consumer<String> says) throws IOException {
        Path served = app.orElse(here.webapps().resolve("heartbeat"));
        // As users start it: with its cache.
        LabEnvironment cached = here.caching(here.peers().resolve("margay-cache"));
        return new AppsStudy(cached, own, processors(), served, page, servers, says)
                .run(apps, runs)
                .markdown();
    }

    private String builds(LabEnvironment here, Path own, Consumer<String> says) throws IOException {
        List<Path> all = builds.stream().map(it -> it.toAbsolutePath().normalize()).toList();
        return new BuildStartStudy(here, own, processors(), all, says)
                .run(kinds, runs, rest)
                .markdown();
    }

    private String scarce(LabEnvironment here, Path own, Consumer<String> says) throws IOException {
        return new StartStudy(here, own, processors(), says).scarce(scarce, runs).markdown();
    }

    private String starts(LabEnvironment here, Path own, Consumer<String> says) throws IOException {
        return new StartStudy(here, own, processors(), says)
                .run(runs, load, rest, idle, fronts)
                .markdown();
    }
}
