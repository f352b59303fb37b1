package io.margay.app.startcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CacheFolderTest {
    @TempDir Path folder;

    private CacheFolder of(String name) {
        return new CacheFolder(folder.resolve(name));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(one -> one.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void turn_isOnesAlone_untilHeEnds() throws IOException {
        try (CacheFolder.Turn first = of("margay-1.aot").turn(false)) {
            assertNotNull(first);
            assertNull(of("margay-2.aot").turn(false));
        }
        try (CacheFolder.Turn next = of("margay-2.aot").turn(false)) {
            assertNotNull(next);
        }
    }

    @Test
    void failure_isKept_forTheSameCacheAlone() throws IOException {
        assertNull(of("margay-1.aot").failure());
        of("margay-1.aot").fail("exit code 1");
        assertEquals("exit code 1", of("margay-1.aot").failure());
        assertNull(of("margay-2.aot").failure());
    }

    @Test
    void put_leavesTheNewestOthers_andNoFailures() throws IOException {
        for (int i = 1; i <= 7; i++) {
            String kind = i == 3 || i == 4 ? "-gateway" : "";
            Path old = Files.writeString(folder.resolve("margay-" + i + kind + ".aot"), "old");
            Files.setLastModifiedTime(old, FileTime.fromMillis(i * 1000L));
        }
        CacheFolder.touch(folder.resolve("margay-1.aot"));
        of("margay-8.aot").fail("exit code 1");
        Files.writeString(folder.resolve("training-crash.log"), "");
        Path made = Files.writeString(folder.resolve("made"), "new");
        of("margay-8.aot").put(made);
        assertEquals(
                List.of(
                        "made",
                        "margay-1.aot",
                        "margay-4-gateway.aot",
                        "margay-5.aot",
                        "margay-6.aot",
                        "margay-7.aot",
                        "margay-8.aot"),
                names());
        assertEquals("new", Files.readString(folder.resolve("margay-8.aot")));
    }
}
