package io.margay.app.admin;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
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
/// @param threads platform threads
public record ProcessReading(
        double cpuSeconds,
        double startSeconds,
        long filesOpen,
        long filesMax,
        Memory memory,
        int threads,
        List<Collector> collectors) {
    /// Memory, in bytes.
    ///
    /// @param resident that the process has; -1 = not known
    /// @param nonHeapUsed classes, compiled code and the like
    public record Memory(long resident, long heapUsed, long heapMax, long nonHeapUsed) {}

    /// A garbage collector since the start.
    public record Collector(String name, long count, double seconds) {}

    /// Fewer descriptors are too few for a request that opens some.
    private static final long FILES_LEFT_MIN = 16;

    private static final MeterTable<ProcessReading> METERS =
            new MeterTable<ProcessReading>("")
                    .counter(
                            "process_cpu_seconds",
                            "CPU time of all threads.",
                            ProcessReading::cpuSeconds)
                    .gauge(
                            "process_start_time_seconds",
                            "When the process started.",
                            ProcessReading::startSeconds)
                    .gauge("jvm_threads_current", "Platform threads.", ProcessReading::threads);

    private static final MeterTable<Collector> COLLECTIONS =
            new MeterTable<Collector>("jvm_gc_")
                    .counter("collections", "Collections of garbage.", Collector::count)
                    .counter("seconds", "Time of them.", Collector::seconds);

    /// Its numbers, those left out that are not known.
    public List<Meter> meters() {
        List<Meter> all = new ArrayList<>(METERS.of(this));
        addKnown(all, "process_open_fds", "Open descriptors.", filesOpen);
        addKnown(all, "process_max_fds", "Descriptors at most.", filesMax);
        addKnown(
                all,
                "process_resident_memory_bytes",
                "Memory that the process has.",
                memory.resident);
        String used = "jvm_memory_used_bytes";
        all.add(Meter.gauge(used, "Memory in use.", memory::heapUsed).with("area", "heap"));
        all.add(Meter.gauge(used, "Memory in use.", memory::nonHeapUsed).with("area", "nonheap"));
        all.add(
                Meter.gauge("jvm_memory_max_bytes", "Heap at most.", memory::heapMax)
                        .with("area", "heap"));
        collectors.forEach(one -> all.addAll(COLLECTIONS.of(one, "gc", one.name)));
        return all;
    }

    private static void addKnown(List<Meter> to, String name, String help, long value) {
        if (value >= 0) {
            to.add(Meter.gauge(name, help, () -> value));
        }
    }

    /// What they are now.
    public static ProcessReading now() {
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
        MemoryMXBean used = ManagementFactory.getMemoryMXBean();
        return new ProcessReading(
                Math.max(0, cpuNanos) / 1e9,
                ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3,
                open,
                most,
                new Memory(
                        residentNow(),
                        used.getHeapMemoryUsage().getUsed(),
                        used.getHeapMemoryUsage().getMax(),
                        used.getNonHeapMemoryUsage().getUsed()),
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
