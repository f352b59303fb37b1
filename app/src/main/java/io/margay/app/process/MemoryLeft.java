package io.margay.app.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether there is memory for a second JVM beside the server, as far as Linux tells: elsewhere
/// there is. Stateless but for where it looks.
///
/// @param root `/`
public record MemoryLeft(Path root) {
    /// What the second JVM takes, with what is left for the server, bytes.
    private static final long LIMIT_BYTES_MIN = 640L << 20;

    private static final long AVAILABLE_BYTES_MIN = 512L << 20;
    private static final List<String> LIMITS =
            List.of("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes");

    /// Why there is none; null when there is.
    public @Nullable String lack() {
        for (String file : LIMITS) {
            long limit = number(first(file), Long.MAX_VALUE);
            if (limit < LIMIT_BYTES_MIN) {
                return "this container may have " + (limit >> 20) + " MiB";
            }
        }
        String line = line("proc/meminfo", "MemAvailable:");
        long available = number(line.replaceAll("[^0-9]", ""), Long.MAX_VALUE >> 10) << 10;
        return available < AVAILABLE_BYTES_MIN
                ? "this machine has " + (available >> 20) + " MiB left"
                : null;
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
