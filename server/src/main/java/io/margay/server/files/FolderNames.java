package io.margay.server.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.List;

/// Names of what lies in a served folder, read by the descriptors of the folders above it.
/// Stateless.
public final class FolderNames {
    private FolderNames() {}

    /// The names that begin so, in order; none where the folder is not below the root, cannot be
    /// read, or has more names than are looked at.
    ///
    /// @param root a folder that is served
    /// @param folder it, or one that is reached below it, through links that stay there, too
    public static List<String> beginning(Path root, Path folder, String start, int most) {
        try {
            Path top = root.toRealPath();
            Path real = folder.toRealPath();
            if (!real.startsWith(top)) {
                return List.of();
            }
            var found = Beneath.list(top, real, most + 1);
            return found.size() > most
                    ? List.of()
                    : found.keySet().stream()
                            .filter(name -> name.startsWith(start))
                            .sorted()
                            .toList();
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
    }
}
