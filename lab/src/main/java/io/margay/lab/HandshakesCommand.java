package io.margay.lab;

import io.margay.lab.servers.kinds.HostFiles;
import io.margay.lab.study.HandshakeStudy;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab handshakes`: memory over many handshakes. Confined to the main thread.
@Command(
        name = "handshakes",
        sortOptions = false,
        description =
                "Makes full TLS handshakes, and prints the server's memory after each round: does"
                        + " anything leak?")
final class HandshakesCommand implements Runnable {
    private static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:+UseSerialGC");

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Option(names = "--rounds", paramLabel = "N", description = "Default: 20.")
    private int rounds = 20;

    @Option(names = "--seconds", paramLabel = "N", description = "Of each round. Default: 30.")
    private int seconds = 30;

    @Option(names = "--transport", paramLabel = "NAME", description = "Default: native.")
    private String transport = "native";

    @Option(names = "--tls", paramLabel = "NAME", description = "openssl (default) or jsse.")
    private String tls = "openssl";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the table goes. Default: lab-runs/handshakes.")
    private Path folder = Path.of("lab-runs/handshakes");

    @Override
    public void run() {
        LabException.unlessAtLeast("--rounds", rounds, 1);
        LabException.unlessAtLeast("--seconds", seconds, 1);
        lab.get()
                .study(
                        folder,
                        "handshakes.md",
                        (here, own, says) ->
                                new HandshakeStudy(
                                                here.withOptions(OPTIONS),
                                                own,
                                                new HostFiles(transport, tls),
                                                says)
                                        .run(rounds, seconds));
    }
}
