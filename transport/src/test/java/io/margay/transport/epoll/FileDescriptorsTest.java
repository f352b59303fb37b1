package io.margay.transport.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.SharedFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether this JDK still lets a file's descriptor be found, and be kept open.
final class FileDescriptorsTest {
    @TempDir Path folder = Path.of("");

    private static Path of(FileDescriptors.Held held) throws Exception {
        return Path.of("/proc/self/fd/" + held.number()).toRealPath();
    }

    @Test
    void openFile_hasItsNumber() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "a").toRealPath();
        try (FileChannel channel = FileChannel.open(file);
                var held = FileDescriptors.hold(channel)) {
            assertNotNull(held);
            assertTrue(held.number() > 2, "descriptor " + held.number());
            assertEquals(file, of(held));
        }
    }

    @Test
    void closedFile_hasNone() throws Exception {
        FileChannel channel = FileChannel.open(Files.writeString(folder.resolve("a"), "a"));
        channel.close();
        assertNull(FileDescriptors.hold(channel));
    }

    @Test
    void heldFile_whenAnotherUserIsInterrupted_isClosedOnlyAfterwards() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "a").toRealPath();
        var shared = new SharedFile(() -> FileChannel.open(file));
        try (FileChannel mine = shared.lease();
                FileChannel other = shared.lease()) {
            var reading =
                    new FutureTask<Exception>(() -> {
                        Thread.currentThread().interrupt();
                        try {
                            int count = other.read(ByteBuffer.allocate(1), 0);
                            throw new AssertionError("read " + count);
                        } catch (ClosedByInterruptException e) {
                            return e;
                        }
                    });
            Thread reader = Thread.ofPlatform().unstarted(reading);
            try (var held = FileDescriptors.hold(mine)) {
                assertNotNull(held);
                reader.start();
                while (SharedFile.opened(mine).isOpen()
                        || (reader.getState() != Thread.State.TIMED_WAITING && reader.isAlive())) {
                    Thread.onSpinWait();
                }
                assertFalse(reading.isDone());
                assertEquals(file, of(held), "the number is no other file's");
            }
            assertNotNull(reading.get(10, TimeUnit.SECONDS));
            assertNull(FileDescriptors.hold(mine));
        }
    }
}
