package io.margay.lab;

import java.io.PrintStream;
import java.util.Locale;

/// Tells on stderr what the lab is doing: on a terminal on one line that is written over, elsewhere
/// only what is finished. Confined to the lab's thread.
@SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
final class Progress {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream err;
    private final boolean terminal;

    Progress(PrintStream err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /// Something is finished.
    void done(String format, Object... values) {
        err.println((terminal ? CLEAR : "") + String.format(Locale.ROOT, format, values));
    }

    /// Something goes on.
    void now(String format, Object... values) {
        if (terminal) {
            err.print(CLEAR + String.format(Locale.ROOT, format, values));
            err.flush();
        }
    }
}
