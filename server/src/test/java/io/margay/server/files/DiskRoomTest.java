package io.margay.server.files;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskRoomTest {
    @Test
    void failureOfTheSystem_isKnown_alsoAsACause() {
        IOException full = new IOException("No space left on device");
        assertTrue(DiskRoom.isCauseOf(full));
        assertTrue(DiskRoom.isCauseOf(new UncheckedIOException("page", full)));
        assertTrue(DiskRoom.isCauseOf(new IOException("a: Disk quota exceeded")));
        assertTrue(DiskRoom.isCauseOf(new NoRoomException(507, "upload")));
        assertFalse(DiskRoom.isCauseOf(new IOException("Permission denied")));
        assertFalse(DiskRoom.isCauseOf(new IllegalStateException("No space left on device")));
    }

    @Test
    void deviceThatIsFull_isSeen() {
        Path device = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(device));
        IOException failure =
                assertThrows(
                        IOException.class,
                        () -> {
                            try (FileOutputStream out = new FileOutputStream(device.toFile())) {
                                out.write(1);
                            }
                        });
        assertTrue(DiskRoom.isCauseOf(failure), failure::toString);
    }

    @Test
    void folderThatIsNotThere_isNotTakenForFull(@TempDir Path folder) {
        assertFalse(DiskRoom.isUsedUp(folder.resolve("nowhere")));
    }
}
