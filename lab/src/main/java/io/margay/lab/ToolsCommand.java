package io.margay.lab;

import io.margay.lab.study.RatioStudy;
import io.margay.lab.study.ToolAgreement;
import io.margay.lab.study.ToolStudy;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab tools`: the load generator beside other tools. Confined to the main thread.
@Command(
        name = "tools",
        sortOptions = false,
        description =
                "Sets the load generator beside wrk, ab, h2load and openssl, in turn on the same"
                        + " servers; fails unless they agree.")
final class ToolsCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Option(names = "--rounds", paramLabel = "N", description = "Default: 5.")
    private int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Of each tool in a round. Default: 3.")
    private int seconds = 3;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the table goes. Default: lab-runs/tools.")
    private Path folder = Path.of("lab-runs/tools");

    @Option(
            names = "--ratios",
            description =
                    "Instead, compares what the README says of Margay and other servers by the"
                            + " lab's generator with the same by wrk (HTTP/1.1) and h2load"
                            + " (HTTP/2).")
    private boolean ratios;

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            description = "Warm-up of each server for --ratios. Default: 15.")
    private int warmup = 15;

    @Override
    public Integer call() {
        LabException.unlessAtLeast("--rounds", rounds, 1);
        LabException.unlessAtLeast("--seconds", seconds, 1);
        if (ratios) {
            lab.get()
                    .study(
                            folder,
                            "ratios.md",
                            (here, own, says) ->
                                    new RatioStudy(here, own, "0", says)
                                            .run(rounds, seconds, warmup));
            return CommandLine.ExitCode.OK;
        }
        AtomicBoolean agrees = new AtomicBoolean();
        lab.get()
                .study(
                        folder,
                        "tools.txt",
                        (here, own, says) -> {
                            ToolAgreement agreement =
                                    new ToolStudy(here, own, says).run(rounds, seconds);
                            agrees.set(agreement.agrees());
                            return agreement.text();
                        });
        return agrees.get() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
