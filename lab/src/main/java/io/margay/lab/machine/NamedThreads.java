package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Threads of a process by their names, of which the kernel keeps fifteen letters. Stateless.
final class NamedThreads {
    private NamedThreads() {}

    /// Reads a figure of one thread.
    interface Figure {
        /// @param thread its folder in `/proc`
        double of(Path thread) throws IOException;
    }

    /// The sum of a figure of those threads that are there now; 0 where the system does not tell.
    static double sum(long process, Predicate<String> names, Figure figure) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            return threads.mapToDouble(thread -> of(thread, names, figure)).sum();
        } catch (IOException e) {
            return 0;
        }
    }

    private static double of(Path thread, Predicate<String> names, Figure figure) {
        try {
            String name = Files.readString(thread.resolve("comm")).strip();
            return names.test(name) ? figure.of(thread) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
