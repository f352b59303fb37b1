package io.margay.server.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.files.FolderLookup.Links;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What links are good for, and when a link is noticed that was a file or a folder before.
final class FolderLookupTest {
    private static final Duration FRESH = Duration.ofSeconds(1);
    @TempDir Path temp = Path.of("");
    private final AtomicLong now = new AtomicLong();
    private Path root;
    private Path outside;

    @BeforeEach
    void build() throws IOException {
        root = Files.createDirectories(temp.resolve("root")).toRealPath();
        Files.createDirectories(root.resolve("a/b/c"));
        Files.writeString(root.resolve("a/b/c/file"), "ours");
        Files.createDirectories(root.resolve("other/c"));
        Files.writeString(root.resolve("other/c/file"), "also");
        outside = Files.createDirectories(temp.resolve("outside/c")).toRealPath().getParent();
        Files.writeString(outside.resolve("c/file"), "secret");
    }

    private FolderLookup lookup(Links links) throws IOException {
        return new FolderLookup(root, links, FRESH, now::get);
    }

    private static String text(FolderLookup lookup, String path) throws IOException {
        FolderLookup.Found found = lookup.find(path);
        return found == null ? null : Files.readString(found.real());
    }

    private void replace(Path what, Path target) throws IOException {
        Files.move(what, temp.resolve("moved"));
        Files.createSymbolicLink(what, target);
    }

    @ParameterizedTest
    @EnumSource
    void fileReplacedByALinkOut_isRefusedAtOnce(Links links) throws IOException {
        FolderLookup lookup = lookup(links);
        assertEquals("ours", text(lookup, "/a/b/c/file"));
        replace(root.resolve("a/b/c/file"), outside.resolve("c/file"));
        assertNull(lookup.find("/a/b/c/file"));
    }

    @ParameterizedTest
    @EnumSource
    void folderReplacedByALinkOut_isRefusedAtOnce(Links links) throws IOException {
        FolderLookup lookup = lookup(links);
        assertEquals("ours", text(lookup, "/a/b/c/file"));
        assertNotNull(lookup.find("/a/b/c"));
        replace(root.resolve("a/b"), outside);
        assertNull(lookup.find("/a/b/c/file"));
        assertNull(lookup.find("/a/b/c"));
    }

    /// The one swap that the number of the file does not tell: it leads to the same file.
    @Test
    void folderReplacedByALinkToItself_isRefusedAfterASecond() throws IOException {
        FolderLookup lookup = lookup(Links.REFUSED);
        assertEquals("ours", text(lookup, "/a/b/c/file"));
        replace(root.resolve("a/b"), temp.resolve("moved"));
        now.addAndGet(FRESH.toNanos() - 1);
        assertEquals("ours", text(lookup, "/a/b/c/file"));
        now.addAndGet(1);
        assertNull(lookup.find("/a/b/c/file"));
    }

    @Test
    void link_thatWasOneFromTheBeginning_isFollowedWithinTheFolderOnly() throws IOException {
        Files.createSymbolicLink(root.resolve("in"), root.resolve("other"));
        Files.createSymbolicLink(root.resolve("out"), outside);
        FolderLookup refused = lookup(Links.REFUSED);
        assertNull(refused.find("/in/c/file"));
        assertNull(refused.find("/out/c/file"));
        FolderLookup within = lookup(Links.WITHIN);
        assertEquals("also", text(within, "/in/c/file"));
        assertNull(within.find("/out/c/file"));
    }

    /// The link of a deployment that is switched from one release to the next.
    @Test
    void linkWithin_thatIsSwitched_isFollowedAnewAfterASecond() throws IOException {
        Files.createSymbolicLink(root.resolve("now"), root.resolve("other"));
        FolderLookup lookup = lookup(Links.WITHIN);
        assertEquals("also", text(lookup, "/now/c/file"));
        Files.delete(root.resolve("now"));
        Files.createSymbolicLink(root.resolve("now"), root.resolve("a/b"));
        now.addAndGet(FRESH.toNanos());
        assertEquals("ours", text(lookup, "/now/c/file"));
        Files.delete(root.resolve("now"));
        Files.createSymbolicLink(root.resolve("now"), outside);
        now.addAndGet(FRESH.toNanos());
        assertNull(lookup.find("/now/c/file"));
    }

    @Test
    void fileRewritten_showsItsNewLengthAtOnce() throws IOException {
        FolderLookup lookup = lookup(Links.REFUSED);
        assertEquals(4, lookup.find("/a/b/c/file").attributes().size());
        Files.writeString(root.resolve("a/b/c/file"), "longer");
        assertEquals(6, lookup.find("/a/b/c/file").attributes().size());
        Files.delete(root.resolve("a/b/c/file"));
        assertNull(lookup.find("/a/b/c/file"));
        Files.writeString(root.resolve("a/b/c/file"), "new");
        assertEquals(3, lookup.find("/a/b/c/file").attributes().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../outside/c/file", "/a/../../outside/c/file", "/a\\b", "/none"})
    void anythingElse_isNothing(String path) throws IOException {
        assertNull(lookup(Links.REFUSED).find(path));
        assertNull(lookup(Links.WITHIN).find(path));
    }

    @Test
    void root_isAFolder() throws IOException {
        assertTrue(lookup(Links.WITHIN).find("/").attributes().isDirectory());
    }

    /// Somebody who may write into the folder swaps one of its folders for a link again and again,
    /// while its file is asked for. `-Dmargay.race.seconds=60` has it go on for longer.
    @ParameterizedTest
    @EnumSource(Links.class)
    void folderSwappedForALink_whileAFileIsOpened_leadsNowhere(Links links) throws Exception {
        Path folder = root.resolve("a/b");
        Path aside = root.resolve("aside");
        Files.writeString(folder.resolve("raced.txt"), "inside");
        Files.writeString(outside.resolve("raced.txt"), "outside");
        Files.writeString(outside.resolve("outside.txt"), "outside");
        FolderLookup lookup = new FolderLookup(root, links, Duration.ofMillis(1), System::nanoTime);
        long end = System.nanoTime() + Long.getLong("margay.race.seconds", 2) * 1_000_000_000;
        AtomicBoolean over = new AtomicBoolean();
        Thread swaps =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!over.get()) {
                                swap(folder, aside);
                            }
                        });
        int inside = 0;
        try {
            while (System.nanoTime() < end) {
                FolderLookup.Found found = lookup.find("/a/b/raced.txt");
                if (found != null) {
                    inside += read(found) ? 1 : 0;
                }
                FolderLookup.Found listed = lookup.find("/a/b");
                if (listed != null) {
                    assertFalse(names(listed).contains("outside.txt"), "listed from outside");
                }
            }
        } finally {
            over.set(true);
            swaps.join();
        }
        assertTrue(inside > 0, "it was never found");
    }

    private static Set<String> names(FolderLookup.Found folder) {
        try {
            return Beneath.list(folder.root(), folder.real(), 100).keySet();
        } catch (IOException e) {
            return Set.of();
        }
    }

    private void swap(Path folder, Path aside) {
        try {
            Files.move(folder, aside);
            Files.createSymbolicLink(folder, outside);
            Files.delete(folder);
            Files.move(aside, folder);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Whether it could be read, by either way.
    private static boolean read(FolderLookup.Found found) {
        try (InputStream whole = found.input();
                FileChannel sent = found.open()) {
            ByteBuffer text = ByteBuffer.allocate(20);
            sent.read(text, 0);
            assertEquals("inside", new String(text.array(), 0, text.position(), US_ASCII));
            assertEquals("inside", new String(whole.readAllBytes(), US_ASCII));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
