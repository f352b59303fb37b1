package io.margay.app.command;

import io.margay.app.ServerVersion;
import io.margay.app.cli.Command;
import io.margay.app.cli.Option;
import java.io.PrintStream;
import java.util.List;

/// `margay version`.
final class VersionCommand {
    static final Command COMMAND =
            new Command(
                    "version",
                    "prints the version, the JDK and the system",
                    "",
                    List.of(),
                    List.of(Option.HELP),
                    List.of(
                            new Command.Example(
                                    "margay version", "What to include in a bug report.")));

    private VersionCommand() {}

    static int run(PrintStream out) {
        out.println("margay " + ServerVersion.number());
        out.println("java " + Runtime.version() + ", " + System.getProperty("java.vm.vendor"));
        out.println(System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        return ExitCode.DONE;
    }
}
