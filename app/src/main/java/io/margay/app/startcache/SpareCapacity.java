package io.margay.app.startcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether there are memory and processors for a second JVM beside the server, as far as Linux
/// tells: elsewhere there are. Stateless but for where it looks.
///
/// @param root `/`
/// @param loadMax how many tasks, on average of the last minute, may run or wait for each processor
record SpareCapacity(Path root, double loadMax) {
    /// What the second JVM takes, with what is left for the server, bytes.
    private static final long LIMIT_BYTES_MIN = 640L << 20;

    private static final long AVAILABLE_BYTES_MIN = 512L << 20;
    private static final List<String> LIMITS =
            List.of("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes");

    /// What this process will never have; null when it may have enough.
    @Nullable String lack() {
        for (String file : LIMITS) {
            long limit = number(first(file), Long.MAX_VALUE);
            if (limit < LIMIT_BYTES_MIN) {
                return "this container may have " + (limit >> 20) + " MiB";
            }
        }
        double processors = quota();
        return processors < 1
                ? "this container may have %.2f of a processor".formatted(processors)
                : null;
    }

    /// What is short now, but may not be for ever; null when nothing is.
    @Nullable String shortNow(int processors) {
        String line = line("proc/meminfo", "MemAvailable:");
        long available = number(line.replaceAll("[^0-9]", ""), Long.MAX_VALUE >> 10) << 10;
        if (available < AVAILABLE_BYTES_MIN) {
            return "this machine has " + (available >> 20) + " MiB left";
        }
        String load = first("proc/loadavg").split(" ", 2)[0];
        return load.matches("[0-9]{1,9}\\.[0-9]{1,9}")
                        && Double.parseDouble(load) > loadMax * processors
                ? "the load of this machine is " + load
                : null;
    }

    /// How many processors' time the container may use.
    private double quota() {
        String[] both = first("sys/fs/cgroup/cpu.max").split(" ", 2);
        if (both.length < 2) {
            both =
                    new String[] {
                        first("sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
                        first("sys/fs/cgroup/cpu/cpu.cfs_period_us")
                    };
        }
        long period = number(both[1], 0);
        return period == 0 ? Double.MAX_VALUE : (double) number(both[0], Long.MAX_VALUE) / period;
    }

    private static long number(String text, long otherwise) {
        return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : otherwise;
    }

    private String first(String file) {
        return line(file, "");
    }

    private String line(String file, String start) {
        try (var lines = Files.lines(root.resolve(file))) {
            return lines.filter(line -> line.startsWith(start)).findFirst().orElse("").strip();
        } catch (IOException e) {
            return "";
        }
    }
}
