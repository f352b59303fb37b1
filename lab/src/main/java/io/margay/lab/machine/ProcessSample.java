package io.margay.lab.machine;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the processes of one tier have used so far, all together. Immutable.
///
/// A process that ends, and whose parent waited for it, leaves its time with its parent, so that
/// the sum never falls. Switches of threads that have ended are lost; a server under load keeps its
/// threads.
///
/// @param userSeconds CPU time of all processes in their own code
/// @param systemSeconds CPU time inside the kernel for them
/// @param ranSeconds the same as both together by the scheduler's own clock, of those threads that
///   are there now; 0 where the kernel does not tell
/// @param residentKib memory: shared pages are counted once, by their share in each process
/// @param switchesWaiting context switches because a thread had nothing to do or waited
/// @param switchesForced context switches because another thread's turn had come
/// @param processes how many there are
@RecordBuilder
public record ProcessSample(
        double userSeconds,
        double systemSeconds,
        double ranSeconds,
        long residentKib,
        long switchesWaiting,
        long switchesForced,
        int processes) {
    /// How far user and system time of a process may be off: a tick of each is cut off.
    private static final double TICKS_SECONDS = 0.02;

    /// Nothing at all.
    public static final ProcessSample NONE = new ProcessSample(0, 0, 0, 0, 0, 0, 0);

    /// A process and its descendants, as they are now.
    public static ProcessSample of(ProcessHandle root) {
        List<ProcessHandle> all = new ArrayList<>();
        all.add(root);
        try (Stream<ProcessHandle> children = root.descendants()) {
            children.forEach(all::add);
        }
        ProcessSample sum = NONE;
        for (ProcessHandle process : all) {
            sum = sum.plus(one(process.pid()));
        }
        return sum;
    }

    /// One process without its children; nothing if it has ended meanwhile.
    private static ProcessSample one(long pid) {
        Path proc = Path.of("/proc", String.valueOf(pid));
        try {
            ProcStat stat = ProcStat.of(pid);
            long waiting = 0;
            long forced = 0;
            double ran = 0;
            try (Stream<Path> threads = Files.list(proc.resolve("task"))) {
                for (Path thread : threads.toList()) {
                    List<String> status = lines(thread.resolve("status"));
                    ran += ranSeconds(thread);
                    waiting += number(status, "voluntary_ctxt_switches:");
                    forced += number(status, "nonvoluntary_ctxt_switches:");
                }
            }
            List<String> rollup = lines(proc.resolve("smaps_rollup"));
            long resident = number(rollup, "Pss:");
            if (resident == 0) {
                resident = number(lines(proc.resolve("status")), "VmRSS:");
            }
            return new ProcessSample(
                    stat.userSeconds(), stat.systemSeconds(), ran, resident, waiting, forced, 1);
        } catch (IOException e) {
            return NONE;
        }
    }

    /// How long a thread has run: the first number of `schedstat`, in nanoseconds.
    private static double ranSeconds(Path thread) {
        List<String> lines = lines(thread.resolve("schedstat"));
        return lines.isEmpty() ? 0 : Long.parseLong(lines.getFirst().split(" ", 2)[0]) / 1e9;
    }

    /// The lines of a file of `/proc`; none if it cannot be read, as when its process has ended.
    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static long number(List<String> lines, String name) {
        for (String line : lines) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    /// Both together.
    public ProcessSample plus(ProcessSample other) {
        return new ProcessSample(
                userSeconds + other.userSeconds,
                systemSeconds + other.systemSeconds,
                ranSeconds + other.ranSeconds,
                residentKib + other.residentKib,
                switchesWaiting + other.switchesWaiting,
                switchesForced + other.switchesForced,
                processes + other.processes);
    }

    /// The same with the memory of another moment.
    public ProcessSample holding(long newResidentKib) {
        return ProcessSampleBuilder.builder(this).residentKib(newResidentKib).build();
    }

    /// What was used since then; memory and processes as they are now.
    ///
    /// User and system time are told in whole ticks. The scheduler tells the sum to the nanosecond,
    /// but forgets threads that have ended: it is taken as far as the ticks allow it.
    public ProcessSample since(ProcessSample earlier) {
        double user = userSeconds - earlier.userSeconds;
        double system = systemSeconds - earlier.systemSeconds;
        double ran = ranSeconds - earlier.ranSeconds;
        double sum = user + system;
        if (ranSeconds > 0 && sum > 0) {
            double off = TICKS_SECONDS * Math.max(processes, earlier.processes);
            double factor = Math.clamp(ran, Math.max(0, sum - off), sum + off) / sum;
            user *= factor;
            system *= factor;
        }
        return new ProcessSample(
                user,
                system,
                ran,
                residentKib,
                switchesWaiting - earlier.switchesWaiting,
                switchesForced - earlier.switchesForced,
                processes);
    }

    /// User and system.
    public double cpuSeconds() {
        return userSeconds + systemSeconds;
    }
}
