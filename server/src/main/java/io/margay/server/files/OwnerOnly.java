package io.margay.server.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Files and folders that only the account of the server may read, whatever its umask: unpacked
/// applications hold passwords. On file systems without such permissions they are as any.
/// Stateless.
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER =
            PosixFilePermissions.fromString("rwx------");

    private OwnerOnly() {}

    /// Makes a file that does not exist.
    public static Path createFile(Path file) throws IOException {
        return Files.createFile(file, attributes(file, FILE));
    }

    /// Makes what is missing of a folder and those above it.
    public static Path createFolders(Path folder) throws IOException {
        return Files.createDirectories(folder, attributes(folder, FOLDER));
    }

    /// The same, and closes the folder to others if it has been there.
    public static Path closedFolder(Path folder) throws IOException {
        createFolders(folder);
        if (isPosix(folder) && !Files.getPosixFilePermissions(folder).equals(FOLDER)) {
            Files.setPosixFilePermissions(folder, FOLDER);
        }
        return folder;
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
