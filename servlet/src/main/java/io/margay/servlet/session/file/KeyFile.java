package io.margay.servlet.session.file;

import io.margay.server.files.OwnerOnly;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.function.BiConsumer;

/// The key by which a file of sessions is authenticated: 32 bytes by chance in a file of its own,
/// which its owner alone may read. It is there whole or not at all. Used by one thread.
public final class KeyFile {
    private static final int KEY_BYTES = 32;

    private final Path file;
    private final BiConsumer<String, Throwable> failed;

    /// @param failed hears of a key that is set aside
    public KeyFile(Path file, BiConsumer<String, Throwable> failed) {
        this.file = file;
        this.failed = failed;
    }

    /// The key that is there.
    ///
    /// @throws IOException when there is none, or it cannot be trusted
    public byte[] read() throws IOException {
        requirePrivate();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] key = in.readNBytes(KEY_BYTES + 1);
            if (key.length != KEY_BYTES) {
                throw new IOException("the key of the session file is damaged");
            }
            return key;
        }
    }

    /// The key that is there, or a new one; one that is damaged, or that others may read, is set
    /// aside.
    public byte[] readOrMake() throws IOException {
        if (Files.exists(file)) {
            try {
                return read();
            } catch (IOException e) {
                Path aside = file.resolveSibling(file.getFileName() + ".damaged");
                Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
                failed.accept("a new key is made; the one before is now " + aside, e);
            }
        }
        make();
        return read();
    }

    private void make() throws IOException {
        byte[] fresh = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(fresh);
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        try {
            OwnerOnly.createFile(next);
            try (FileOutputStream out = new FileOutputStream(next.toFile())) {
                out.write(fresh);
                out.getFD().sync();
            }
            Files.move(next, file);
        } catch (FileAlreadyExistsException e) {
            failed.accept("another process made the key of the session file", e);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private void requirePrivate() throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        if (!permissions.endsWith("------")) {
            throw new IOException("the key of the session file may be read by others");
        }
    }
}
