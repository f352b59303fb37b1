package io.margay.app.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryLeftTest {
    @TempDir Path root;

    @BeforeEach
    void machine() throws IOException {
        write("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable:    8000000 kB\n");
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    @Test
    void container_withoutLimit_hasMemory() throws IOException {
        write("sys/fs/cgroup/memory.max", "max\n");
        assertNull(new MemoryLeft(root).lack());
    }

    @Test
    void container_with256MiB_hasNone() throws IOException {
        write("sys/fs/cgroup/memory.max", "268435456\n");
        assertEquals("this container may have 256 MiB", new MemoryLeft(root).lack());
    }

    @Test
    void container_ofVersion1_with256MiB_hasNone() throws IOException {
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");
        assertEquals("this container may have 256 MiB", new MemoryLeft(root).lack());
    }

    @Test
    void machine_withLittleLeft_hasNone() throws IOException {
        write("proc/meminfo", "MemAvailable:    102400 kB\n");
        assertEquals("this machine has 100 MiB left", new MemoryLeft(root).lack());
    }

    @Test
    void otherSystem_hasMemory() {
        assertNull(new MemoryLeft(root.resolve("nothing")).lack());
    }
}
