package io.margay.app.command;

import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import java.util.List;

/// `margay lab` in the list of commands. The launcher starts the lab, a program of its own, instead
/// of this one.
final class LabCommand {
    static final Command COMMAND =
            new Command(
                    "lab",
                    "measures servers side by side",
                    "ACTION [NAME...]",
                    List.of(
                            Command.paragraph(
                                    """
                                    A separate program: "./margay lab --help" lists its options,
                                    docs/guide/lab.md describes its method.
                                    """)),
                    List.of(Option.flag("--help", "The help of the lab.")),
                    List.of(
                            new Example("margay lab list", "Presets and servers."),
                            new Example("margay lab run heartbeat --quick", "A first look.")));

    private LabCommand() {}

    /// The message for a user who has not come by the launcher.
    static UsageException notHere() {
        return new UsageException("the lab is started by the launcher, ./margay lab");
    }
}
