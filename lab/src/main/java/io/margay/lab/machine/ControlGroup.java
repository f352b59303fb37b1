package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A control group of Linux, whose processes share a part of a processor. Root makes it. Confined
/// to one thread.
public final class ControlGroup implements AutoCloseable {
    private static final int PERIOD_MICROS = 100_000;
    private static final long EMPTY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = 10_000_000L;

    private final Path folder;

    /// @param processors how many its processes have, such as 0.1; what else runs on the machine
    ///   must not take them away
    public ControlGroup(double processors) throws IOException {
        Path first = Path.of("/sys/fs/cgroup/cpu");
        Path all = Files.isDirectory(first) ? first : Path.of("/sys/fs/cgroup");
        folder = Files.createDirectory(all.resolve("margay-" + ProcessHandle.current().pid()));
        long quota = Math.round(processors * PERIOD_MICROS);
        if (Files.exists(folder.resolve("cpu.cfs_quota_us"))) {
            set("cpu.cfs_period_us", "" + PERIOD_MICROS);
            set("cpu.cfs_quota_us", "" + quota);
            set("cpu.shares", "100000");
        } else {
            set("cpu.max", quota + " " + PERIOD_MICROS);
            set("cpu.weight", "10000");
        }
    }

    private void set(String name, String value) throws IOException {
        Files.writeString(folder.resolve(name), value);
    }

    /// The words before a command that runs in the group.
    public List<String> prefix() {
        String enter = "echo $$ >'" + folder.resolve("cgroup.procs") + "' && exec \"$@\"";
        return List.of("sh", "-c", enter, "sh");
    }

    /// Removes it, once its processes have ended.
    @Override
    public void close() throws IOException {
        long until = System.nanoTime() + EMPTY_NANOS;
        while (!Files.readString(folder.resolve("cgroup.procs")).isEmpty()
                && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        Files.delete(folder);
    }
}
