package io.margay.lab.machine;

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
/// @param residentKib memory: shared pages are counted once, by their share in each process
/// @param switchesWaiting context switches because a thread had nothing to do or waited
/// @param switchesForced context switches because another thread's turn had come
/// @param processes how many there are
public record ProcessSample(
        double userSeconds,
        double systemSeconds,
        long residentKib,
        long switchesWaiting,
        long switchesForced,
        int processes) {
    /// Nothing at all.
    public static final ProcessSample NONE = new ProcessSample(0, 0, 0, 0, 0, 0);

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
            try (Stream<Path> threads = Files.list(proc.resolve("task"))) {
                for (Path thread : threads.toList()) {
                    List<String> status = lines(thread.resolve("status"));
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
                    stat.userSeconds(), stat.systemSeconds(), resident, waiting, forced, 1);
        } catch (IOException e) {
            return NONE;
        }
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
                residentKib + other.residentKib,
                switchesWaiting + other.switchesWaiting,
                switchesForced + other.switchesForced,
                processes + other.processes);
    }

    /// What was used since then; memory and processes as they are now.
    public ProcessSample since(ProcessSample earlier) {
        return new ProcessSample(
                userSeconds - earlier.userSeconds,
                systemSeconds - earlier.systemSeconds,
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
