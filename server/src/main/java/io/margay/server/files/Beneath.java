package io.margay.server.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/// Opens what lies below a folder by the descriptor of each folder on the way (`openat` with
/// `O_NOFOLLOW`), so that a folder that becomes a link at any moment leads nowhere. Where the
/// system has no such calls (Windows, macOS), by its path, of which the last name alone is guarded.
/// Stateless.
final class Beneath {

    private Beneath() {}

    /// What is done with a file in the folder that it lies in.
    private interface Use<T> {
        T in(SecureDirectoryStream<Path> folder, Path name) throws IOException;
    }

    /// @param root without links
    /// @param file below it, without links
    static FileChannel open(Path root, Path file) throws IOException {
        DirectoryStream<Path> top = Files.newDirectoryStream(root);
        if (top instanceof SecureDirectoryStream<Path> folder) {
            return walk(
                    folder,
                    root.relativize(file),
                    (parent, name) -> {
                        if (parent.newByteChannel(
                                        name,
                                        Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS),
                                        new FileAttribute<?>[0])
                                instanceof FileChannel channel) {
                            return channel;
                        }
                        throw new IOException("no channel of a file: " + file);
                    });
        }
        top.close();
        return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /// @param root without links
    /// @param file it, or below it without links
    static BasicFileAttributes attributes(Path root, Path file) throws IOException {
        if (!file.equals(root)) {
            DirectoryStream<Path> top = Files.newDirectoryStream(root);
            if (top instanceof SecureDirectoryStream<Path> folder) {
                return walk(
                        folder,
                        root.relativize(file),
                        (parent, name) ->
                                parent.getFileAttributeView(
                                                name,
                                                BasicFileAttributeView.class,
                                                LinkOption.NOFOLLOW_LINKS)
                                        .readAttributes());
            }
            top.close();
        }
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /// Goes down from one open folder to the next, and closes each.
    private static <T> T walk(SecureDirectoryStream<Path> top, Path way, Use<T> use)
            throws IOException {
        SecureDirectoryStream<Path> folder = top;
        try {
            int last = way.getNameCount() - 1;
            for (int i = 0; i < last; i++) {
                SecureDirectoryStream<Path> next =
                        folder.newDirectoryStream(way.getName(i), LinkOption.NOFOLLOW_LINKS);
                folder.close();
                folder = next;
            }
            return use.in(folder, way.getName(last));
        } finally {
            folder.close();
        }
    }
}
