package io.margay.servlet.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.resource.FolderResources;
import io.margay.servlet.resource.WebResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is remembered of files, how long, and how much of it.
final class KnownFilesTest {
    @TempDir Path folder = Path.of("");
    private final AtomicLong now = new AtomicLong();
    private KnownFiles files;
    private long times = 1_700_000_000_000L;

    @BeforeEach
    void open() throws IOException {
        WebResources resources = new FolderResources(folder, List.of());
        files = new KnownFiles(resources, now::get);
    }

    private void write(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(times += 1000));
    }

    private String text(String path) {
        return new String(files.find(path).content());
    }

    @Test
    void file_withinASecond_isNotLookedAtAgain() throws Exception {
        write("a.txt", "first");
        KnownFile first = files.find("/a.txt");
        write("a.txt", "second");
        now.addAndGet(KnownFiles.FRESH_NANOS - 1);
        assertSame(first, files.find("/a.txt"));
    }

    @Test
    void file_unchangedAfterASecond_staysInMemory() throws Exception {
        write("a.txt", "first");
        KnownFile first = files.find("/a.txt");
        now.addAndGet(KnownFiles.FRESH_NANOS);
        assertSame(first, files.find("/a.txt"));
    }

    @Test
    void file_changed_isSeenAfterASecond() throws Exception {
        write("a.txt", "first");
        String tag = files.find("/a.txt").tagText();
        write("a.txt", "other");
        now.addAndGet(KnownFiles.FRESH_NANOS);
        assertEquals("other", text("/a.txt"));
        assertTrue(!files.find("/a.txt").tagText().equals(tag));
        assertEquals(5, files.weight());
    }

    @Test
    void file_deleted_isGoneAfterASecond() throws Exception {
        write("a.txt", "first");
        assertNotNull(files.find("/a.txt"));
        Files.delete(folder.resolve("a.txt"));
        now.addAndGet(KnownFiles.FRESH_NANOS);
        assertNull(files.find("/a.txt"));
        assertEquals(0, files.weight());
    }

    @Test
    void variant_addedChangedAndDeleted_isSeenAfterASecond() throws Exception {
        write("a.txt", "plain");
        assertEquals(List.of(), files.find("/a.txt").variants());
        write("a.txt.gz", "zipped");
        now.addAndGet(KnownFiles.FRESH_NANOS);
        KnownFile variant = files.find("/a.txt").variants().getFirst();
        assertEquals("gzip", variant.coding());
        assertArrayEquals("zipped".getBytes(), variant.content());
        write("a.txt.br", "brotli");
        now.addAndGet(KnownFiles.FRESH_NANOS);
        assertEquals("br", files.find("/a.txt").variants().getFirst().coding());
        Files.delete(folder.resolve("a.txt.gz"));
        now.addAndGet(KnownFiles.FRESH_NANOS);
        assertEquals(1, files.find("/a.txt").variants().size());
        assertEquals("plain".length() + "brotli".length(), files.weight());
    }

    @Test
    void largeFile_isLookedAtEachTime() throws Exception {
        write("large", "x".repeat(KnownFiles.CONTENT_BYTES_MAX + 1));
        KnownFile first = files.find("/large");
        assertNull(first.content());
        write("large", "x".repeat(KnownFiles.CONTENT_BYTES_MAX + 2));
        assertEquals(KnownFiles.CONTENT_BYTES_MAX + 2, files.find("/large").resource().length());
        assertEquals(0, files.weight());
    }

    @Test
    void fileOfMiddleSize_askedForTwiceWithinASecond_isInMemory() throws Exception {
        write("middle", "x".repeat(KnownFiles.SMALL_BYTES_MAX + 1));
        assertNull(files.find("/middle").content());
        assertEquals(0, files.weight());
        KnownFile second = files.find("/middle");
        assertEquals(KnownFiles.SMALL_BYTES_MAX + 1, second.content().length);
        assertSame(second, files.find("/middle"));
        assertEquals(KnownFiles.SMALL_BYTES_MAX + 1, files.weight());
    }

    @Test
    void fileOfMiddleSize_askedForLater_isNotInMemory() throws Exception {
        write("middle", "x".repeat(KnownFiles.CONTENT_BYTES_MAX));
        for (int i = 0; i < 3; i++) {
            assertNull(files.find("/middle").content());
            now.addAndGet(KnownFiles.FRESH_NANOS);
        }
        assertEquals(0, files.weight());
    }

    @Test
    void memory_isBounded() throws Exception {
        String text = "x".repeat(KnownFiles.SMALL_BYTES_MAX);
        long fit = KnownFiles.CONTENTS_BYTES_MAX / KnownFiles.SMALL_BYTES_MAX;
        for (int i = 0; i < fit + 10; i++) {
            write("file" + i, text);
            assertEquals(text.length(), files.find("/file" + i).content().length);
        }
        assertEquals(KnownFiles.CONTENTS_BYTES_MAX, files.weight());
    }

    @Test
    void folderAndNothing_areNotFiles() throws Exception {
        Files.createDirectory(folder.resolve("folder"));
        assertNull(files.find("/folder"));
        assertNull(files.find("/none"));
    }
}
