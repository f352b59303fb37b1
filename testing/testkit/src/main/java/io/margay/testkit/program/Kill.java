package io.margay.testkit.program;

import java.io.IOException;

/// Sends signals to processes by the shell, which is everywhere: the program `kill` is not.
/// Stateless.
public final class Kill {
    private Kill() {}

    /// @param signal its name without `SIG`, such as `TERM`
    /// @throws IOException where there is no such process, or it may not be sent signals
    public static void send(String signal, long pid) throws IOException, InterruptedException {
        Process shell =
                new ProcessBuilder("/bin/sh", "-c", "kill -s \"$1\" \"$2\"", "sh", signal, "" + pid)
                        .inheritIO()
                        .start();
        int code = shell.waitFor();
        if (code != 0) {
            throw new IOException("no signal " + signal + " to " + pid + ": exit code " + code);
        }
    }
}
