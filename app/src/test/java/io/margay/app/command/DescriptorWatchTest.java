package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Descriptors of contexts that come, change and go while the server runs.
final class DescriptorWatchTest {
    @TempDir Path base;

    @Test
    void change_thatTwoLooksHaveFound_isReadOnce() throws Exception {
        Path folder = Files.createDirectories(base.resolve("conf/Catalina/localhost"));
        Path file = folder.resolve("shop.xml");
        AtomicInteger reloads = new AtomicInteger();
        DescriptorWatch watch = new DescriptorWatch(base, reloads::incrementAndGet);
        watch.look();
        Files.writeString(file, "<Context/>");
        watch.look();
        assertEquals(0, reloads.get(), "it may still be written");
        watch.look();
        watch.look();
        assertEquals(1, reloads.get());
        Files.writeString(file, "<Context reloadable='false'/>");
        watch.look();
        watch.look();
        assertEquals(2, reloads.get());
        Files.delete(file);
        Files.writeString(folder.resolve("notes.txt"), "none of them");
        watch.look();
        watch.look();
        watch.look();
        assertEquals(3, reloads.get());
    }
}
