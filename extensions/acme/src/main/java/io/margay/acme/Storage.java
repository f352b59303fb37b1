package io.margay.acme;

import io.margay.server.files.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The folder of accounts and certificates: only its owner reads it, files are replaced whole, and
/// one process at a time may ask for certificates. Where servers share certificates, what [#save],
/// [#delete] and [#rename] have done is in the engine, too. Files are read and written by any
/// thread, those of one folder by one at a time; the rest is that of the orders.
public final class Storage implements AutoCloseable {
    private final Path folder;
    private final @Nullable SharedStorage shared;
    private @Nullable FileChannel lock;

    /// @param shared what servers have in common of it, or null
    Storage(Path folder, @Nullable SharedStorage shared) {
        this.folder = folder;
        this.shared = shared;
    }

    @Nullable SharedStorage shared() {
        return shared;
    }

    Path folder() {
        return folder;
    }

    /// Whether this process is the one that asks for certificates, from now on.
    boolean takes() throws IOException {
        if (lock != null) {
            return true;
        }
        OwnerOnly.closedFolder(folder);
        FileChannel opened =
                FileChannel.open(
                        folder.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        if (!isFree(opened)) {
            opened.close();
            return false;
        }
        lock = opened;
        return true;
    }

    private static boolean isFree(FileChannel file) throws IOException {
        try {
            FileLock taken = file.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException e) {
            return false; // by another server of this process
        }
    }

    static boolean exists(Path file) {
        return Files.exists(file);
    }

    static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.US_ASCII);
    }

    /// Replaces a file, or makes it, for all servers.
    void save(Path file, String text) throws IOException {
        write(file, text);
        changed(file);
    }

    /// Deletes a file, if it is there, for all servers.
    void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            changed(file);
        }
    }

    /// Puts one file in place of another of the same folder, for all servers.
    void rename(Path fresh, Path file) throws IOException {
        move(fresh, file);
        changed(file);
    }

    private void changed(Path file) {
        if (shared != null) {
            shared.changed(file.resolveSibling(""));
        }
    }

    /// Replaces a file, or makes it, here.
    static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    /// The same with bytes.
    public static void write(Path file, byte[] content) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException(file + " has no folder");
        }
        OwnerOnly.createFolders(parent);
        Path fresh = OwnerOnly.createFile(parent.resolve(".new-" + UUID.randomUUID()));
        try {
            try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                var bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            move(fresh, file);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /// Puts one file in place of another.
    private static void move(Path fresh, Path file) throws IOException {
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        if (shared != null) {
            shared.close();
        }
        if (lock != null) {
            lock.close();
            lock = null;
        }
    }
}
