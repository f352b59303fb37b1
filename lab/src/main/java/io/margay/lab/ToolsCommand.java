package io.margay.lab;

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

    @Override
    public Integer call() {
        LabException.unlessAtLeast("--rounds", rounds, 1);
        LabException.unlessAtLeast("--seconds", seconds, 1);
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
