package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One descriptor for all who send a file.
final class SharedFileTest {
    @TempDir Path folder;
    private final List<FileChannel> opened = new ArrayList<>();
    private SharedFile file;

    @BeforeEach
    void file() throws IOException {
        Path path = Files.writeString(folder.resolve("file"), "0123456789");
        file =
                new SharedFile(() -> {
                    FileChannel channel = FileChannel.open(path);
                    opened.add(channel);
                    return channel;
                });
    }

    private static char at(FileChannel channel, long position) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        assertEquals(1, channel.read(one, position));
        return (char) one.get(0);
    }

    @Test
    void leases_atTheSameTime_areOneOpenFileUntilTheLastIsClosed() throws IOException {
        FileChannel first = file.lease();
        FileChannel second = file.lease();
        assertEquals(1, opened.size());
        assertSame(SharedFile.opened(first), SharedFile.opened(second));
        assertEquals('7', at(second, 7));
        assertEquals('3', at(first, 3));
        second.close();
        second.close();
        assertEquals('4', at(first, 4), "closing twice counts once");
        first.close();
        assertFalse(opened.getFirst().isOpen());
    }

    @Test
    void lease_afterTheLastWasClosed_opensAnew() throws IOException {
        file.lease().close();
        try (FileChannel next = file.lease()) {
            assertEquals(2, opened.size());
            assertEquals('9', at(next, 9));
        }
        assertFalse(opened.getLast().isOpen());
    }

    @Test
    void lease_whoseFileAnotherUsersInterruptHasClosed_goesOn() throws Exception {
        FileChannel first = file.lease();
        FileChannel second = file.lease();
        FileChannel interrupted = file.lease();
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            Thread.currentThread().interrupt();
                            try {
                                at(interrupted, 1);
                            } catch (IOException e) {
                                seen.set(e);
                            }
                        });
        thread.join();
        assertInstanceOf(ClosedByInterruptException.class, seen.get());
        assertFalse(opened.getFirst().isOpen());
        assertEquals('2', at(first, 2));
        assertEquals(10, second.size());
        assertEquals(2, opened.size(), "one more for all the others");
        interrupted.close();
        first.close();
        assertEquals('5', at(second, 5));
        second.close();
        assertFalse(opened.getLast().isOpen());
        assertThrows(ClosedChannelException.class, () -> at(second, 5));
    }

    @Test
    void lease_afterAnInterruptHasClosedTheFile_opensAnew() throws IOException {
        FileChannel broken = file.lease();
        opened.getFirst().close(); // As the JDK does when a reading thread is interrupted.
        try (FileChannel next = file.lease()) {
            assertNotSame(SharedFile.opened(broken), SharedFile.opened(next));
            broken.close();
            assertTrue(opened.getLast().isOpen(), "a lease of the closed one ends nothing else");
            assertEquals('0', at(next, 0));
        }
    }
}
