package io.margay.servlet.resource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// A library within an archive, unpacked so that it can be opened: once for each state of the
/// archive. Stateless; several deployments may unpack the same one at once.
final class NestedLibrary {
    private NestedLibrary() {}

    /// The library as a file of its own; null when the archive has none of that name.
    ///
    /// @param inner its name within the archive
    /// @param folder of unpacked libraries
    static @Nullable Path unpacked(Path archive, String inner, Path folder) throws IOException {
        String state =
                archive
                        + "|"
                        + inner
                        + "|"
                        + Files.size(archive)
                        + "|"
                        + Files.getLastModifiedTime(archive).toMillis();
        UUID name = UUID.nameUUIDFromBytes(state.getBytes(StandardCharsets.UTF_8));
        Path library = folder.resolve(name + ".jar");
        if (Files.isRegularFile(library)) {
            return library;
        }
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            ZipEntry entry = zip.getEntry(inner);
            if (entry == null || entry.isDirectory()) {
                return null;
            }
            Path part = Files.createTempFile(folder, "part", ".jar");
            try (InputStream in = zip.getInputStream(entry)) {
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        }
        return library;
    }
}
