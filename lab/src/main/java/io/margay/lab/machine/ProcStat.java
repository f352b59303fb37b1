package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What `/proc/PID/stat` says about the time of one process (proc(5)). Immutable.
///
/// @param userTicks of all its threads, and of children that have ended and been waited for
/// @param systemTicks the same inside the kernel
public record ProcStat(long userTicks, long systemTicks) {
    private static final double TICKS_PER_SECOND = 100;

    // Fields as numbered in proc(5), from the state (3) on, which follows the name in parentheses.
    private static final int FIRST = 3;
    private static final int UTIME = 14;
    private static final int STIME = 15;
    private static final int CUTIME = 16;
    private static final int CSTIME = 17;

    /// @throws IOException if there is no such process, or no `/proc`
    public static ProcStat of(long pid) throws IOException {
        return of(Path.of("/proc", String.valueOf(pid), "stat"));
    }

    /// Of a process or a thread.
    ///
    /// @throws IOException if it has ended
    static ProcStat of(Path stat) throws IOException {
        String[] fields = fields(stat);
        return new ProcStat(
                number(fields, UTIME) + number(fields, CUTIME),
                number(fields, STIME) + number(fields, CSTIME));
    }

    /// CPU time of the children of a process that have ended and been waited for.
    ///
    /// @throws IOException if there is no such process, or no `/proc`
    public static double endedChildrenSeconds(long pid) throws IOException {
        String[] fields = fields(Path.of("/proc", String.valueOf(pid), "stat"));
        return (number(fields, CUTIME) + number(fields, CSTIME)) / TICKS_PER_SECOND;
    }

    private static String[] fields(Path file) throws IOException {
        String stat = Files.readString(file);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static long number(String[] fields, int field) {
        return Long.parseLong(fields[field - FIRST]);
    }

    public double userSeconds() {
        return userTicks / TICKS_PER_SECOND;
    }

    public double systemSeconds() {
        return systemTicks / TICKS_PER_SECOND;
    }
}
