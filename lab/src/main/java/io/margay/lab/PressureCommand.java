package io.margay.lab;

import io.margay.lab.servers.kinds.PressedHost;
import io.margay.lab.study.PressureStudy;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab pressure`: slow clients, storms and bad requests. Confined to the main thread.
@Command(
        name = "pressure",
        sortOptions = false,
        description =
                "Measures what slow clients, a storm of connections and bad requests do to other"
                        + " clients and to memory.")
final class PressureCommand implements Runnable {
    /// The heap is in memory from the start, so that what grows is something else.
    private static final List<String> OPTIONS =
            List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch");

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Option(
            names = "--slow",
            paramLabel = "N",
            description =
                    "Slow senders, and as many slow readers. Default: 10000, or what the limit of"
                            + " open files allows.")
    private int slow = -1;

    @Option(
            names = "--uploads",
            paramLabel = "N",
            description = "Clients that send content slowly. Default: 1000.")
    private int uploads = 1000;

    @Option(
            names = "--storm",
            paramLabel = "N",
            description = "Connections opened and closed at once. Default: 50000.")
    private int storm = 50_000;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Of which one in ten is bad. Default: 1000000.")
    private int requests = 1_000_000;

    @Option(names = "--seconds", paramLabel = "N", description = "Of each measurement. Default: 5.")
    private int seconds = 5;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Measurements, of which the median counts. Default: 3.")
    private int rounds = 3;

    @Option(names = "--transport", paramLabel = "NAME", description = "Default: native.")
    private String transport = "native";

    @Option(names = "--dispatch", paramLabel = "NAME", description = "Default: inline.")
    private String dispatch = "inline";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the tables go. Default: lab-runs/pressure.")
    private Path folder = Path.of("lab-runs/pressure");

    @Override
    public void run() {
        LabException.unlessAtLeast("--seconds", seconds, 1);
        LabException.unlessAtLeast("--rounds", rounds, 1);
        LabException.unlessAtLeast("--uploads", uploads, 0);
        LabException.unlessAtLeast("--storm", storm, 0);
        LabException.unlessAtLeast("--requests", requests, 0);
        int senders = slow < 0 ? PressureStudy.slowMax() : slow;
        PressureStudy.Sizes sizes =
                new PressureStudy.Sizes(senders, uploads, storm, requests, seconds, rounds);
        lab.get()
                .study(
                        folder,
                        "pressure.md",
                        (here, own, says) ->
                                new PressureStudy(
                                                here.withOptions(OPTIONS),
                                                own,
                                                new PressedHost(transport, dispatch),
                                                says)
                                        .run(sizes)
                                        .markdown());
    }
}
