package io.margay.transport.factory;

import io.margay.transport.epoll.EpollSockets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Pages of the JVM's class archives (`.aot`, `.jsa`) that a process has mapped and only reads. A
/// start touches most of them, by reading what lies near, and each counts as memory of the process
/// for as long as it is mapped. Given back, they stay in the system's cache of files, and whatever
/// is read again is mapped again without a read from the disk.
///
/// Stateless.
final class ArchivePages {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Path SMAPS = Path.of("/proc/self/smaps");

    /// The first line of a mapping (proc_pid_maps(5)): addresses, permissions, offset, device,
    /// inode, path.
    private static final Pattern READ_ONLY =
            Pattern.compile("(\\p{XDigit}+)-(\\p{XDigit}+) r--p .*");

    /// Pages of it that are no longer those of the file: what was written must not be given back.
    private static final String ANONYMOUS = "Anonymous:";

    /// Part of the process's memory, octets.
    record Range(long address, long bytes) {}

    private ArchivePages() {}

    /// Gives back what can be. Takes some milliseconds where there is an archive.
    static void giveBack() {
        try {
            if (lines(MAPS).stream().noneMatch(it -> archive(it) != null)) {
                return;
            }
            for (Range range : of(lines(SMAPS))) {
                EpollSockets.dropPages(range.address(), range.bytes());
            }
        } catch (IOException e) {
            // Without /proc they stay.
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    }

    /// The mappings of archives that are read-only, and of which no page has been written.
    ///
    /// @param smaps the lines of `/proc/PID/smaps`
    static List<Range> of(List<String> smaps) {
        List<Range> ranges = new ArrayList<>();
        Range current = null;
        for (String line : smaps) {
            Range archive = archive(line);
            if (archive != null) {
                current = archive;
            } else if (current != null && line.startsWith(ANONYMOUS)) {
                if (line.substring(ANONYMOUS.length()).strip().equals("0 kB")) {
                    ranges.add(current);
                }
                current = null;
            }
        }
        return ranges;
    }

    /// What the first line of a mapping says; null for other lines and mappings.
    private static @Nullable Range archive(String line) {
        if (!line.endsWith(".aot") && !line.endsWith(".jsa")) {
            return null;
        }
        Matcher archive = READ_ONLY.matcher(line);
        if (!archive.matches()) {
            return null;
        }
        long from = HexFormat.fromHexDigitsToLong(archive.group(1));
        return new Range(from, HexFormat.fromHexDigitsToLong(archive.group(2)) - from);
    }
}
