package io.margay.lab;

import io.margay.lab.study.ApplicationsStudy;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab applications`: many applications in one server. Confined to the main thread.
@Command(
        name = "applications",
        sortOptions = false,
        description =
                "Measures what a request costs and what memory is held with ever more copies of a"
                        + " small application, the requests spread over all.")
final class ApplicationsCommand implements Runnable {
    /// A small young generation, so that what grows belongs to applications.
    private static final List<String> OPTIONS = List.of("-Xmx768m", "-Xmn64m", "-XX:+UseSerialGC");

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Option(
            names = "--apps",
            split = ",",
            paramLabel = "N",
            description = "How many copies, ascending. Default: 1,10,50,200.")
    private List<Integer> apps = List.of(1, 10, 50, 200);

    @Option(
            names = "--servers",
            split = ",",
            paramLabel = "SERVER",
            description = "Default: margay:native,tomcat:production.")
    private List<String> servers = List.of("margay:native", "tomcat:production");

    @Option(names = "--rounds", paramLabel = "N", description = "Default: 5.")
    private int rounds = 5;

    @Option(names = "--seconds", paramLabel = "N", description = "Of each round. Default: 3.")
    private int seconds = 3;

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            description = "Of load for each server before the first round. Default: 10.")
    private int warmup = 10;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the table goes. Default: lab-runs/applications.")
    private Path folder = Path.of("lab-runs/applications");

    @Override
    public void run() {
        apps.forEach(it -> LabException.unlessAtLeast("--apps", it, 1));
        LabException.unlessAtLeast("--rounds", rounds, 1);
        LabException.unlessAtLeast("--seconds", seconds, 1);
        LabException.unlessAtLeast("--warmup", warmup, 1);
        lab.get()
                .study(
                        folder,
                        "applications.md",
                        (here, own, says) ->
                                new ApplicationsStudy(
                                                here.withOptions(OPTIONS), own, "0", servers, says)
                                        .run(apps, rounds, seconds, warmup)
                                        .markdown());
    }
}
