package io.margay.compat.httpd.context;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where relative paths of a configuration lead. Confined to one reading.
final class FilePaths {
    private final Path folder;
    private @Nullable Path serverRoot;

    /// @param folder what paths are relative to, where no `ServerRoot` is there
    FilePaths(Path folder) {
        this.folder = folder;
    }

    void serverRoot(@Nullable Path root) {
        serverRoot = root;
    }

    /// The path that a text names, or null when it is none.
    @Nullable Path of(String text) {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path;
            }
            if (serverRoot != null && Files.isDirectory(serverRoot)) {
                return serverRoot.resolve(path).normalize();
            }
            return folder.resolve(path).normalize();
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
