package io.margay.app.cli;

/// One option of a command. Immutable.
///
/// @param name with its dashes, such as `--http`
/// @param argument how help calls its value; empty for an option without value
/// @param repeatable whether it may be given more than once
public record Option(String name, String argument, boolean repeatable, String meaning) {
    /// What every command explains itself by.
    public static final Option HELP = flag("--help", "This help.");

    /// What a command has whose errors may come from within the program.
    public static final Option DEBUG =
            flag("--debug", "Shows stack traces with errors; also MARGAY_DEBUG=1.");

    /// An option with a value.
    public static Option of(String name, String argument, String meaning) {
        return new Option(name, argument, false, meaning);
    }

    /// An option with a value that may be given several times.
    public static Option many(String name, String argument, String meaning) {
        return new Option(name, argument, true, meaning);
    }

    /// An option without value.
    public static Option flag(String name, String meaning) {
        return new Option(name, "", false, meaning);
    }

    /// The option with its argument, as help shows it.
    String usage() {
        return argument.isEmpty() ? name : name + " " + argument;
    }
}
