package io.margay.app.cli;

import java.util.List;

/// Writes help texts for a terminal of 80 columns.
public final class Help {
    private static final int COLUMNS = 80;
    private static final int INDENT = 4;

    /// Where meanings begin in lists.
    private static final int COLUMN = 22;

    private Help() {}

    /// The help of one command.
    public static String of(Command command) {
        StringBuilder out = new StringBuilder();
        out.append("margay ").append(command.name()).append(": ");
        out.append(command.summary()).append("\n\nUsage: margay ").append(command.name());
        if (!command.options().isEmpty()) {
            out.append(" [OPTION...]");
        }
        if (!command.operands().isEmpty()) {
            out.append(' ').append(command.operands());
        }
        out.append('\n');
        for (String paragraph : command.details()) {
            out.append('\n');
            wrap(out, paragraph, 0);
        }
        out.append("\nOptions:\n");
        for (Option option : command.options()) {
            out.append("  ").append(option.usage()).append('\n');
            wrap(out, option.meaning(), 2 * INDENT);
        }
        out.append("\nExamples:\n");
        for (Command.Example example : command.examples()) {
            out.append("  ").append(example.line()).append('\n');
            wrap(out, example.does(), 2 * INDENT);
        }
        return out.toString();
    }

    /// The help of the program.
    public static String of(List<Command> commands, String summary) {
        StringBuilder out = new StringBuilder("margay: ").append(summary).append("\n\n");
        out.append("Usage: margay COMMAND [OPTION...] [FILE...]\n\nCommands:\n");
        commands.forEach(
                command -> row(out, command.name() + " " + command.operands(), command.summary()));
        out.append("\n\"margay COMMAND --help\" describes a command, with examples.\n\n");
        out.append("Exit codes:\n");
        row(out, "0", "success");
        row(out, "1", "failure; stderr has the reason");
        row(out, "2", "wrong usage; stderr has the reason");
        row(out, "3", "the server ended itself: heap full, or a thread died");
        out.append("\nEnvironment:\n");
        row(out, "MARGAY_JAVA_HOME", "the JDK to run on (25 or newer)");
        row(out, "MARGAY_JAVA_OPTS", "more options for the JVM");
        row(out, "MARGAY_LOG", "the log level: error, warning, info, debug, trace");
        row(out, "MARGAY_LOG_FORMAT", "text, or json: a JSON object per line");
        row(out, "MARGAY_DEBUG=1", "adds stack traces to errors");
        row(out, "MARGAY_ADMIN_TOKEN", "the token of the admin listener");
        row(out, "MARGAY_CACHE_DIR", "folder of the cache for faster starts");
        row(out, "MARGAY_NO_CACHE=1", "neither makes nor uses that cache");
        row(out, "MARGAY_NO_BUILD=1", "uses a checkout as it is built");
        return out.toString();
    }

    /// A word and its meaning, which begins on a line of its own if the word is long.
    private static void row(StringBuilder out, String word, String meaning) {
        out.append("  ").append(word);
        int blanks = COLUMN - 2 - word.length();
        out.append(blanks > 0 ? " ".repeat(blanks) : "\n" + " ".repeat(COLUMN));
        out.append(meaning).append('\n');
    }

    private static void wrap(StringBuilder out, String text, int indent) {
        String margin = " ".repeat(indent);
        StringBuilder line = new StringBuilder(margin);
        for (String word : text.split(" ")) {
            if (line.length() > indent && line.length() + 1 + word.length() > COLUMNS) {
                out.append(line).append('\n');
                line.setLength(indent);
            }
            if (line.length() > indent) {
                line.append(' ');
            }
            line.append(word);
        }
        out.append(line).append('\n');
    }
}
