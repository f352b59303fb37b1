package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// The CPU time of the compilers in JVMs: while they work, code is still becoming faster.
/// Stateless.
public final class CompilerTime {
    private CompilerTime() {}

    /// What the compilers of these processes have used so far, of those threads that are there now,
    /// in seconds; 0 for a process that is no JVM.
    public static double seconds(Collection<List<Long>> processes) {
        return processes.stream().flatMap(List::stream).mapToDouble(CompilerTime::seconds).sum();
    }

    private static double seconds(long process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            return threads.mapToDouble(CompilerTime::ofThread).sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /// The kernel keeps fifteen letters of `C2 CompilerThread0`.
    private static double ofThread(Path thread) {
        try {
            if (!Files.readString(thread.resolve("comm")).matches("(?s)C[12] CompilerThre.*")) {
                return 0;
            }
            ProcStat time = ProcStat.of(thread.resolve("stat"));
            return time.userSeconds() + time.systemSeconds();
        } catch (IOException e) {
            return 0;
        }
    }
}
