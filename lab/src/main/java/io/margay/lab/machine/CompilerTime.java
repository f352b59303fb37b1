package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/// The CPU time of the compilers in JVMs: while they work, code is still becoming faster.
/// Stateless.
public final class CompilerTime {
    private CompilerTime() {}

    /// What the compilers of these processes have used so far, of those threads that are there now,
    /// in seconds; 0 for a process that is no JVM.
    public static double seconds(Collection<List<Long>> processes) {
        return processes.stream().flatMap(List::stream).mapToDouble(CompilerTime::seconds).sum();
    }

    /// Of `C1 CompilerThread0`, `C2 CompilerThread0` and their like.
    private static double seconds(long process) {
        return NamedThreads.sum(
                process, name -> name.matches("C[12] CompilerThre.*"), CompilerTime::ofThread);
    }

    private static double ofThread(Path thread) throws IOException {
        ProcStat time = ProcStat.of(thread.resolve("stat"));
        return time.userSeconds() + time.systemSeconds();
    }
}
