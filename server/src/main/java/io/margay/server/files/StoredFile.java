package io.margay.server.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// One file as it was found at one moment. Thread-safe.
public interface StoredFile {
    /// The canonical path by which it was found, starting with `/`.
    String path();

    /// Bytes.
    long length();

    /// Nanoseconds since the epoch, 0 when unknown.
    long modifiedNanos();

    /// Opens it for reading.
    InputStream open() throws IOException;

    /// Opens it for sending from the file system, unless it has become a link meanwhile; null when
    /// it does not lie there.
    @Nullable FileChannel openChannel() throws IOException;

    /// Whether another look has found the same file with the same content, as far as length and
    /// time tell.
    default boolean isSameAs(StoredFile other) {
        return length() == other.length()
                && modifiedNanos() == other.modifiedNanos()
                && path().equals(other.path());
    }
}
