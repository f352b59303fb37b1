package io.margay.app.command;

import io.margay.app.deploy.DeployProgress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Shows on a terminal how far the deployment or another long work is, on one line that is written
/// over. Nothing is shown when there is one application, or stderr is no terminal. Thread-safe.
final class Terminal implements DeployProgress {
    private static final Path STDERR = Path.of("/proc/self/fd/2");
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream err;
    private final boolean shown;

    Terminal(PrintStream err) {
        this.err = err;
        shown = isTerminal();
    }

    /// Whether stderr is a terminal, as far as Linux tells.
    static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(STDERR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    @Override
    public void deployed(int done, int total, String last) {
        show("deployed", done, total, last);
    }

    /// Shows how far something is.
    ///
    /// @param what has become of those that are done
    synchronized void show(String what, int done, int total, String last) {
        if (shown && total > 1) {
            String line = what + " " + done + "/" + total + ": " + last;
            err.print(CLEAR + (done < total ? line : ""));
            err.flush();
        }
    }
}
