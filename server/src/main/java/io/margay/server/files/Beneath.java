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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
        try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
            if (top instanceof SecureDirectoryStream<Path> folder) {
                return walk(folder, root.relativize(file), Beneath::channel);
            }
        }
        return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    private static FileChannel channel(SecureDirectoryStream<Path> folder, Path name)
            throws IOException {
        if (folder.newByteChannel(
                        name,
                        Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS),
                        new FileAttribute<?>[0])
                instanceof FileChannel channel) {
            return channel;
        }
        throw new IOException("no channel of a file: " + name);
    }

    /// What lies in a folder, with what each is; a link is one.
    ///
    /// @param root without links
    /// @param folder it, or below it without links
    /// @param most entries that are looked at
    static Map<String, BasicFileAttributes> list(Path root, Path folder, int most)
            throws IOException {
        try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
            if (top instanceof SecureDirectoryStream<Path> secure) {
                return folder.equals(root)
                        ? entries(secure, most)
                        : walk(
                                secure,
                                root.relativize(folder),
                                (in, name) -> {
                                    try (SecureDirectoryStream<Path> own =
                                            in.newDirectoryStream(
                                                    name, LinkOption.NOFOLLOW_LINKS)) {
                                        return entries(own, most);
                                    }
                                });
            }
        }
        Map<String, BasicFileAttributes> found = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                if (found.size() < most) {
                    found.put(
                            file.getFileName().toString(),
                            Files.readAttributes(
                                    file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
                }
            }
        }
        return found;
    }

    private static Map<String, BasicFileAttributes> entries(
            SecureDirectoryStream<Path> folder, int most) {
        Map<String, BasicFileAttributes> found = new TreeMap<>();
        for (Path file : folder) {
            Path name = file.getFileName();
            if (found.size() >= most) {
                break;
            }
            try {
                found.put(name.toString(), attributes(folder, name));
            } catch (IOException e) {
                // It has gone meanwhile.
            }
        }
        return found;
    }

    /// @param root without links
    /// @param file it, or below it without links
    static BasicFileAttributes attributes(Path root, Path file) throws IOException {
        if (!file.equals(root)) {
            try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
                if (top instanceof SecureDirectoryStream<Path> folder) {
                    return walk(folder, root.relativize(file), Beneath::attributes);
                }
            }
        }
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> folder, Path name)
            throws IOException {
        return folder.getFileAttributeView(
                        name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    /// Goes down from one open folder to the next, and closes each but the first.
    private static <T> T walk(SecureDirectoryStream<Path> top, Path way, Use<T> use)
            throws IOException {
        @Nullable SecureDirectoryStream<Path> below = null;
        try {
            int last = way.getNameCount() - 1;
            for (int i = 0; i < last; i++) {
                SecureDirectoryStream<Path> from = below == null ? top : below;
                SecureDirectoryStream<Path> next =
                        from.newDirectoryStream(way.getName(i), LinkOption.NOFOLLOW_LINKS);
                close(below);
                below = next;
            }
            return use.in(below == null ? top : below, way.getName(last));
        } finally {
            close(below);
        }
    }

    private static void close(@Nullable SecureDirectoryStream<Path> folder) throws IOException {
        if (folder != null) {
            folder.close();
        }
    }
}
