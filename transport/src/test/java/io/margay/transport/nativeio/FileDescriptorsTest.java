package io.margay.transport.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether this JDK still lets a file's descriptor be found.
final class FileDescriptorsTest {
    @TempDir Path folder = Path.of("");

    @Test
    void openFile_hasItsNumber() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "a").toRealPath();
        try (FileChannel channel = FileChannel.open(file)) {
            int number = FileDescriptors.of(channel);
            assertTrue(number > 2, "descriptor " + number);
            assertEquals(file, Path.of("/proc/self/fd/" + number).toRealPath());
        }
    }

    @Test
    void closedFile_hasNone() throws Exception {
        FileChannel channel = FileChannel.open(Files.writeString(folder.resolve("a"), "a"));
        channel.close();
        assertEquals(FileDescriptors.NONE, FileDescriptors.of(channel));
    }
}
