package io.margay.app.startcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SpareCapacityTest {
    @TempDir Path root;

    @BeforeEach
    void machine() throws IOException {
        write("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable:    8000000 kB\n");
        write("proc/loadavg", "1.99 3.00 4.00 2/300 17\n");
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    private SpareCapacity capacity() {
        return new SpareCapacity(root, 1);
    }

    @Test
    void container_withoutLimit_hasEnough() throws IOException {
        write("sys/fs/cgroup/memory.max", "max\n");
        write("sys/fs/cgroup/cpu.max", "max 100000\n");
        assertNull(capacity().lack());
    }

    @Test
    void container_with256MiB_hasTooLittleMemory() throws IOException {
        write("sys/fs/cgroup/memory.max", "268435456\n");
        assertEquals("this container may have 256 MiB", capacity().lack());
    }

    @Test
    void container_ofVersion1_with256MiB_hasTooLittleMemory() throws IOException {
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");
        assertEquals("this container may have 256 MiB", capacity().lack());
    }

    @Test
    void container_withHalfAProcessor_hasNone() throws IOException {
        write("sys/fs/cgroup/cpu.max", "50000 100000\n");
        assertEquals("this container may have 0.50 of a processor", capacity().lack());
    }

    @Test
    void container_ofVersion1_withATenthOfAProcessor_hasNone() throws IOException {
        write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "10000\n");
        write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        assertEquals("this container may have 0.10 of a processor", capacity().lack());
        write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        assertNull(capacity().lack());
    }

    @Test
    void machine_withLittleMemoryLeft_isShortNow() throws IOException {
        write("proc/meminfo", "MemAvailable:    102400 kB\n");
        assertEquals("this machine has 100 MiB left", capacity().shortNow(2));
    }

    @Test
    void machine_withMoreTasksThanProcessors_isShortNow() {
        assertNull(capacity().shortNow(2));
        assertEquals("the load of this machine is 1.99", capacity().shortNow(1));
    }

    @Test
    void otherSystem_hasEnough() {
        SpareCapacity unknown = new SpareCapacity(root.resolve("nothing"), 1);
        assertNull(unknown.lack());
        assertNull(unknown.shortNow(1));
    }
}
