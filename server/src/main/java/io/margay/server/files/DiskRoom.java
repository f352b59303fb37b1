package io.margay.server.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// Whether a disk has room. Stateless.
public final class DiskRoom {
    /// What a server needs for its next file: a compiled page, a part of an upload, the key of
    /// sessions.
    static final long BYTES_MIN = 256 << 10;

    private static final int CAUSES_MAX = 32;

    private DiskRoom() {}

    /// Whether the disk of a folder is full, or nearly; false where that cannot be told.
    public static boolean isUsedUp(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace() < BYTES_MIN;
        } catch (IOException | SecurityException e) {
            return false;
        }
    }

    /// Whether a failure comes of a full disk, or of the end of a quota: the JDK has no exception
    /// of its own for that, but the system's words (ENOSPC, EDQUOT).
    public static boolean isCauseOf(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
            if (cause instanceof NoRoomException
                    || (cause instanceof IOException
                            && (text.contains("no space left on device")
                                    || text.contains("disk quota exceeded")
                                    || text.contains("not enough space on the disk")))) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
