package io.margay.servlet.deploy;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Deletes folders of ours with what is in them; links are deleted, not followed. Stateless.
public final class Folders {
    private static final System.Logger LOG = System.getLogger(Folders.class.getName());

    private Folders() {}

    /// Deletes a file or a folder, which must be there.
    public static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new Deletion());
    }

    /// Deletes what can be deleted; the rest is left with a word in the log.
    static void deleteQuietly(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            delete(folder);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0} could not be deleted: {1}", folder, e.toString());
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
                throws IOException {
            if (e != null) {
                throw e;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
