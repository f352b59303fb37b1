package io.margay.server.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
final class FileCacheTest {
    private static final FileCacheLimits LIMITS = FileCacheLimits.defaults();
    private static final long FRESH_NANOS = LIMITS.freshFor().toNanos();
    @TempDir Path folder = Path.of("");
    private final AtomicLong now = new AtomicLong();
    private FileCache files;
    private long times = 1_700_000_000_000L;

    @BeforeEach
    void open() throws IOException {
        FolderLookup lookup =
                new FolderLookup(folder, FolderLookup.Links.REFUSED, LIMITS.freshFor(), now::get);
        files = new FileCache(new FolderFiles(lookup), LIMITS, true, _ -> "x/y", now::get);
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
        FileEntry first = files.find("/a.txt");
        write("a.txt", "second");
        now.addAndGet(FRESH_NANOS - 1);
        assertSame(first, files.find("/a.txt"));
    }

    @Test
    void file_unchangedAfterASecond_staysInMemory() throws Exception {
        write("a.txt", "first");
        FileEntry first = files.find("/a.txt");
        now.addAndGet(FRESH_NANOS);
        assertSame(first, files.find("/a.txt"));
    }

    @Test
    void file_changed_isSeenAfterASecond() throws Exception {
        write("a.txt", "first");
        String tag = files.find("/a.txt").tagText();
        write("a.txt", "other");
        now.addAndGet(FRESH_NANOS);
        assertEquals("other", text("/a.txt"));
        assertTrue(!files.find("/a.txt").tagText().equals(tag));
        assertEquals(5, files.weight());
    }

    @Test
    void file_deleted_isGoneAfterASecond() throws Exception {
        write("a.txt", "first");
        assertNotNull(files.find("/a.txt"));
        Files.delete(folder.resolve("a.txt"));
        now.addAndGet(FRESH_NANOS);
        assertNull(files.find("/a.txt"));
        assertEquals(0, files.weight());
    }

    @Test
    void variant_addedChangedAndDeleted_isSeenAfterASecond() throws Exception {
        write("a.txt", "plain");
        assertEquals(List.of(), files.find("/a.txt").variants());
        write("a.txt.gz", "zipped");
        now.addAndGet(FRESH_NANOS);
        FileEntry variant = files.find("/a.txt").variants().getFirst();
        assertEquals("gzip", variant.coding());
        assertArrayEquals("zipped".getBytes(), variant.content());
        write("a.txt.br", "brotli");
        now.addAndGet(FRESH_NANOS);
        assertEquals("br", files.find("/a.txt").variants().getFirst().coding());
        Files.delete(folder.resolve("a.txt.gz"));
        now.addAndGet(FRESH_NANOS);
        assertEquals(1, files.find("/a.txt").variants().size());
        assertEquals("plain".length() + "brotli".length(), files.weight());
    }

    @Test
    void largeFile_isLookedAtEachTime() throws Exception {
        write("large", "x".repeat(LIMITS.contentBytesMax() + 1));
        FileEntry first = files.find("/large");
        assertNull(first.content());
        write("large", "x".repeat(LIMITS.contentBytesMax() + 2));
        assertEquals(LIMITS.contentBytesMax() + 2, files.find("/large").length());
        assertEquals(0, files.weight());
    }

    @Test
    void fileOfMiddleSize_askedForTwiceWithinASecond_isInMemory() throws Exception {
        write("middle", "x".repeat(LIMITS.smallBytesMax() + 1));
        assertNull(files.find("/middle").content());
        assertEquals(0, files.weight());
        FileEntry second = files.find("/middle");
        assertEquals(LIMITS.smallBytesMax() + 1, second.content().length);
        assertSame(second, files.find("/middle"));
        assertEquals(LIMITS.smallBytesMax() + 1, files.weight());
    }

    @Test
    void fileOfMiddleSize_askedForLater_isNotInMemory() throws Exception {
        write("middle", "x".repeat(LIMITS.contentBytesMax()));
        for (int i = 0; i < 3; i++) {
            assertNull(files.find("/middle").content());
            now.addAndGet(FRESH_NANOS);
        }
        assertEquals(0, files.weight());
    }

    @Test
    void memory_isBounded() throws Exception {
        String text = "x".repeat(LIMITS.smallBytesMax());
        long fit = LIMITS.contentsBytesMax() / LIMITS.smallBytesMax();
        for (int i = 0; i < fit + 10; i++) {
            write("file" + i, text);
            assertEquals(text.length(), files.find("/file" + i).content().length);
        }
        assertEquals(LIMITS.contentsBytesMax(), files.weight());
    }

    @Test
    void folderAndNothing_areNotFiles() throws Exception {
        Files.createDirectory(folder.resolve("folder"));
        assertNull(files.find("/folder"));
        assertNull(files.find("/none"));
    }

    @Test
    void ready_onlyWhatWasSeenWithinASecond_andIsInMemory() throws Exception {
        write("a.txt", "first");
        write("middle", "x".repeat(LIMITS.smallBytesMax() + 1));
        assertNull(files.ready("/a.txt"));
        FileEntry first = files.find("/a.txt");
        assertSame(first, files.ready("/a.txt"));
        now.addAndGet(FRESH_NANOS);
        assertNull(files.ready("/a.txt"));
        assertSame(first, files.find("/a.txt"));
        assertSame(first, files.ready("/a.txt"));
        assertNotNull(files.find("/middle"));
        assertNull(files.ready("/middle"));
        assertSame(files.find("/middle"), files.ready("/middle"));
    }

    /// A large file beside a small one is looked at each time, as it is sent from the file system.
    @Test
    void fileWithALargeVariant_isNotRemembered() throws Exception {
        write("a.txt", "plain");
        write("a.txt.gz", "x".repeat(LIMITS.contentBytesMax() + 1));
        assertEquals("plain", text("/a.txt"));
        assertNull(files.ready("/a.txt"));
        assertEquals(0, files.weight());
    }

    @Test
    void fileReplacedByALink_isGoneAfterASecond() throws Exception {
        write("a.txt", "first");
        assertEquals("first", text("/a.txt"));
        Path secret = Files.writeString(folder.resolve("b.txt"), "other");
        Files.delete(folder.resolve("a.txt"));
        Files.createSymbolicLink(folder.resolve("a.txt"), secret);
        assertEquals("first", text("/a.txt"));
        now.addAndGet(FRESH_NANOS);
        assertNull(files.find("/a.txt"));
    }
}
