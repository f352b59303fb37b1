package io.margay.app.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How long this process has been running, JVM start included. Stateless.
public final class ProcessAge {
    /// Clock ticks per second in `/proc`: a constant of the Linux interface.
    private static final long TICKS = 100;

    private static final int START_TIME = 19;

    private ProcessAge() {}

    /// Milliseconds since the system started the process, to a tick of 10 ms; where there is no
    /// `/proc`, or where the launcher has built first and says so, since `mainNanos`.
    ///
    /// @param mainNanos `System.nanoTime()` at the beginning of the program
    public static long millis(long mainNanos) {
        if (Boolean.getBoolean("margay.built")) {
            return (System.nanoTime() - mainNanos) / 1_000_000;
        }
        try {
            String uptime = Files.readString(Path.of("/proc/uptime"));
            String stat = Files.readString(Path.of("/proc/self/stat"));
            // The fields after the name, which is in parentheses and may hold anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long started = Long.parseLong(fields[START_TIME]) * 1000 / TICKS;
            long now = (long) (Double.parseDouble(uptime.split(" ")[0]) * 1000);
            return now - started;
        } catch (IOException | RuntimeException e) {
            return (System.nanoTime() - mainNanos) / 1_000_000;
        }
    }
}
