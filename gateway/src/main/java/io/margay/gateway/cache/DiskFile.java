package io.margay.gateway.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file with one stored response. Immutable; it is the same as no other.
final class DiskFile {
    private final Path path;
    private final int head;
    private final long length;

    /// @param head bytes before the content
    /// @param length of the whole
    DiskFile(Path path, int head, long length) {
        this.path = path;
        this.head = head;
        this.length = length;
    }

    Path path() {
        return path;
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    /// Where its content begins.
    int head() {
        return head;
    }

    long length() {
        return length;
    }

    /// Opens it.
    ///
    /// @throws IOException when it is away, or as long as it was no more
    FileChannel open() throws IOException {
        FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
        if (opened.size() != length) {
            opened.close();
            throw new IOException(path + " has changed");
        }
        return opened;
    }
}
