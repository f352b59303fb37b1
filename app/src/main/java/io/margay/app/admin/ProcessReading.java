package io.margay.app.admin;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the process and its JVM use, at this moment. Immutable.
///
/// @param cpuSeconds of all threads since the start
/// @param startSeconds when it started, since 1970
/// @param filesOpen descriptors; -1 = not known
/// @param filesMax how many there may be; -1 = not known
/// @param resident bytes of memory that the process has; -1 = not known
/// @param heapUsed bytes, like the rest of the memory
/// @param nonHeapUsed classes, compiled code and the like
/// @param threads platform threads
record ProcessReading(
        double cpuSeconds,
        double startSeconds,
        long filesOpen,
        long filesMax,
        long resident,
        long heapUsed,
        long heapMax,
        long nonHeapUsed,
        int threads,
        List<Collector> collectors) {
    /// A garbage collector since the start.
    record Collector(String name, long count, double seconds) {}

    /// Fewer descriptors are too few for a request that opens some.
    private static final long FILES_LEFT_MIN = 16;

    static ProcessReading now() {
        long cpuNanos = -1;
        long open = -1;
        long most = -1;
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            cpuNanos = system.getProcessCpuTime();
        }
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof UnixOperatingSystemMXBean unix) {
            open = unix.getOpenFileDescriptorCount();
            most = unix.getMaxFileDescriptorCount();
        }
        List<Collector> collectors = new ArrayList<>();
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            collectors.add(
                    new Collector(
                            each.getName(),
                            Math.max(0, each.getCollectionCount()),
                            Math.max(0, each.getCollectionTime()) / 1e3));
        }
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        return new ProcessReading(
                Math.max(0, cpuNanos) / 1e9,
                ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3,
                open,
                most,
                residentNow(),
                memory.getHeapMemoryUsage().getUsed(),
                memory.getHeapMemoryUsage().getMax(),
                memory.getNonHeapMemoryUsage().getUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                List.copyOf(collectors));
    }

    /// Whether the process may open hardly any more files and connections.
    static boolean isShortOfFiles() {
        try {
            return ManagementFactory.getOperatingSystemMXBean()
                            instanceof UnixOperatingSystemMXBean unix
                    && unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
                            < FILES_LEFT_MIN;
        } catch (InternalError e) {
            return true; // It takes a descriptor to count them.
        }
    }

    /// As Linux tells it; other systems do not have the file.
    private static long residentNow() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | UncheckedIOException e) {
            return -1;
        }
    }
}
