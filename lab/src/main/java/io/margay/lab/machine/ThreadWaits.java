package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// How long threads could run and had to wait for a processor. Stateless.
public final class ThreadWaits {
    private ThreadWaits() {}

    /// Of those threads of a process that are there now and whose names begin so, in seconds; 0
    /// where the system does not tell.
    public static double seconds(long process, String prefix) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            return threads.mapToDouble(thread -> seconds(thread, prefix)).sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /// The second number of `schedstat`, in nanoseconds.
    private static double seconds(Path thread, String prefix) {
        try {
            if (!Files.readString(thread.resolve("comm")).startsWith(prefix)) {
                return 0;
            }
            List<String> numbers =
                    List.of(Files.readString(thread.resolve("schedstat")).split(" "));
            return Long.parseLong(numbers.get(1)) / 1e9;
        } catch (IOException e) {
            return 0;
        }
    }
}
