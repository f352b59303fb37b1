package io.margay.app.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How many more threads the system may start for this process, as Linux tells it: by the limits of
/// tasks of its control groups (`pids.max`, which are also those of containers and of systemd's
/// `TasksMax`), and by that of its user, if it is not root, as far as its own threads tell.
/// Immutable.
///
/// @param process what `/proc/self` has
/// @param groups what `/sys/fs/cgroup` has
record ThreadRoom(Path process, Path groups) {
    /// Fewer are too few for a request that starts some, or for a program.
    private static final long LEFT_MIN = 16;

    private static final ThreadRoom SYSTEM =
            new ThreadRoom(Path.of("/proc/self"), Path.of("/sys/fs/cgroup"));

    static ThreadRoom ofSystem() {
        return SYSTEM;
    }

    boolean isShort() {
        return left() < LEFT_MIN;
    }

    /// [Long#MAX_VALUE] where no limit is known.
    long left() {
        long left = leftToUser();
        for (Path group : own()) {
            long max = number(first(group.resolve("pids.max")), Long.MAX_VALUE);
            long current = number(first(group.resolve("pids.current")), 0);
            left = Math.min(left, max - current);
        }
        return left;
    }

    /// Those that the process is in, each with those above it; some may not be there.
    private List<Path> own() {
        List<Path> all = new ArrayList<>();
        for (String line : lines(process.resolve("cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3 || !(parts[0].equals("0") || parts[1].equals("pids"))) {
                continue;
            }
            Path root = parts[1].isEmpty() ? groups : groups.resolve(parts[1]);
            Path at = root.resolve(parts[2].substring(1)).normalize();
            while (at != null && at.startsWith(root)) {
                all.add(at);
                at = at.getParent();
            }
        }
        return all;
    }

    private long leftToUser() {
        List<String> status = lines(process.resolve("status"));
        long user = number(field(status, "Uid:", 1), 0);
        long max = number(field(lines(process.resolve("limits")), "Max processes", 2), -1);
        return user == 0 || max < 0
                ? Long.MAX_VALUE
                : max - number(field(status, "Threads:", 1), 0);
    }

    /// A word of the line that begins so; empty where there is none.
    private static String field(List<String> lines, String name, int word) {
        for (String line : lines) {
            String[] words = line.split("\\s+");
            if (line.startsWith(name) && words.length > word) {
                return words[word];
            }
        }
        return "";
    }

    private static String first(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? "" : lines.getFirst();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static long number(String text, long otherwise) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
