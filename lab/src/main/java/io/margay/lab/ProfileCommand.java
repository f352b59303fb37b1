package io.margay.lab;

import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.Catalog;
import io.margay.lab.study.ProfileStudy;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab profile`: where the CPU time of a request goes. Confined to the main thread.
@Command(
        name = "profile",
        sortOptions = false,
        description =
                "Tells which part of Margay the CPU time of a request goes to, by samples of the"
                        + " JDK's flight recorder. With native, time in the kernel shows up at the"
                        + " code after the call.")
final class ProfileCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Option(names = "--server", paramLabel = "NAME", description = "Default: margay:nio.")
    private String server = "margay:nio";

    @Option(
            names = "--path",
            paramLabel = "/PATH",
            description = "What to ask it for. Default: /heartbeat/heartbeat.jsp.")
    private String path = "/heartbeat/heartbeat.jsp";

    @Option(names = "--warmup", paramLabel = "SECONDS", description = "Default: 30.")
    private int warmUp = 30;

    @Option(names = "--seconds", paramLabel = "N", description = "Of samples. Default: 20.")
    private int seconds = 20;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the table goes. Default: lab-runs/profile.")
    private Path folder = Path.of("lab-runs/profile");

    @Override
    public void run() {
        LabException.unlessAtLeast("--warmup", warmUp, 1);
        LabException.unlessAtLeast("--seconds", seconds, 1);
        ServerSpec spec = spec();
        lab.get()
                .study(
                        folder,
                        "profile.md",
                        (here, own, says) ->
                                new ProfileStudy(here, own, says).run(spec, path, warmUp, seconds));
    }

    private ServerSpec spec() {
        try {
            return Catalog.all().spec(server);
        } catch (IllegalArgumentException e) {
            throw LabException.usage(String.valueOf(e.getMessage()));
        }
    }
}
