package io.margay.lab;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/// Tells on stderr what the lab is doing: on a terminal by a table and a line below it that are
/// written over, elsewhere only what is finished. Confined to the lab's thread.
@SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
final class Progress {
    /// From the cursor to the end of the screen.
    private static final String CLEAR = "\u001b[J";

    private static final String UP = "\u001b[A";

    /// Lines that are too long for the window are cut, so that each takes one row.
    private static final String WRAP_OFF = "\u001b[?7l";

    private static final String WRAP_ON = "\u001b[?7h";

    private final PrintStream err;
    private final boolean terminal;
    private List<String> table = List.of();
    private String line = "";
    private int rows;

    Progress(PrintStream err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /// Whether what goes on is shown, not only what is finished.
    boolean isLive() {
        return terminal;
    }

    /// Something is finished.
    void done(String format, Object... values) {
        write(String.format(Locale.ROOT, format, values) + System.lineSeparator());
    }

    /// Something goes on.
    void now(String format, Object... values) {
        line = String.format(Locale.ROOT, format, values);
        if (terminal) {
            write("");
        }
    }

    /// How far it is, by lines that the next ones replace.
    void table(List<String> lines) {
        table = List.copyOf(lines);
        if (terminal) {
            write("");
        }
    }

    /// What the table says now is final, and nothing goes on.
    void keep() {
        List<String> lines = table;
        table = List.of();
        line = "";
        if (terminal) {
            StringBuilder text = new StringBuilder();
            lines.forEach(it -> text.append(it).append(System.lineSeparator()));
            write(text.toString());
        }
    }

    /// Puts text that stays in the place of the table and the line, and both below it again.
    private void write(String text) {
        if (!terminal) {
            err.print(text);
            err.flush();
            return;
        }
        StringBuilder out = new StringBuilder("\r").append(UP.repeat(rows)).append(CLEAR);
        out.append(text).append(WRAP_OFF);
        table.forEach(it -> out.append(it).append(System.lineSeparator()));
        out.append(line).append(WRAP_ON);
        rows = table.size();
        err.print(out);
        err.flush();
    }
}
