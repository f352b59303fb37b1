package io.margay.compat.tomcat.javax;

import io.margay.servlet.deploy.Folders;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/// A folder that is there as a whole or not at all, whoever looks at it while it is made.
/// Stateless.
final class WholeFolder {
    private WholeFolder() {}

    /// Fills a folder.
    interface Filling {
        void fill(Path partial) throws IOException;
    }

    /// Makes a folder. Where another has made it meanwhile, that one is as good.
    static void make(Path target, Filling filling) throws IOException {
        Path partial = target.resolveSibling(".partial-" + UUID.randomUUID());
        try {
            Files.createDirectories(partial);
            filling.fill(partial);
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(target)) {
                throw e;
            }
        } finally {
            if (Files.exists(partial)) {
                Folders.delete(partial);
            }
        }
    }
}
