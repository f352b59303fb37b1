package io.margay.app.command;

import io.margay.app.cli.Command;
import java.util.List;

/// The commands of the program, for tests in other packages.
public final class CommandTables {
    private CommandTables() {}

    public static List<Command> all() {
        return Main.COMMANDS;
    }
}
