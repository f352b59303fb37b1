package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// How long threads could run and had to wait for a processor. Stateless.
public final class ThreadWaits {
    private ThreadWaits() {}

    /// Of those threads of a process that are there now and whose names begin so, in seconds; 0
    /// where the system does not tell.
    public static double seconds(long process, String prefix) {
        return NamedThreads.sum(process, name -> name.startsWith(prefix), ThreadWaits::ofThread);
    }

    /// The second number of `schedstat`, in nanoseconds.
    private static double ofThread(Path thread) throws IOException {
        List<String> numbers = List.of(Files.readString(thread.resolve("schedstat")).split(" "));
        return Long.parseLong(numbers.get(1)) / 1e9;
    }
}
