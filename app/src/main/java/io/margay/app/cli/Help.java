package io.margay.app.cli;

import java.util.List;

/// Writes help texts for a terminal of 80 columns.
public final class Help {
    private static final int COLUMNS = 80;
    private static final int INDENT = 4;

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
        for (Command command : commands) {
            String line = command.name() + " " + command.operands();
            out.append("  ").append(line).append(" ".repeat(Math.max(1, 20 - line.length())));
            out.append(command.summary()).append('\n');
        }
        out.append("\n\"margay COMMAND --help\" describes a command, with" + " examples.\n\n");
        out.append("Exit codes: 0 done, 1 failed, 2 wrong usage.\n\nEnvironment:\n");
        out.append("  MARGAY_JAVA_HOME    the JDK to run on (25 or newer)\n");
        out.append("  MARGAY_JAVA_OPTS    more options for the JVM\n");
        out.append("  MARGAY_LOG          what is logged: error, warning, info, debug, trace\n");
        out.append("  MARGAY_DEBUG=1      shows where in the program an error came from\n");
        return out.toString();
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
