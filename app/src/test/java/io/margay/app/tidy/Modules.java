package io.margay.app.tidy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The modules of this checkout: at its root and on its floors, such as `server` and
/// `compat/httpd`.
public final class Modules {
    private Modules() {}

    /// The folder `src/main/java` of each module that has one; examples are not among them.
    public static List<Path> mainFolders() throws IOException {
        Path root = Path.of(System.getProperty("margay.root", "..")).toAbsolutePath().normalize();
        try (Stream<Path> folders =
                Files.find(
                        root,
                        2,
                        (folder, _) -> Files.isDirectory(folder.resolve("src/main/java")))) {
            return folders.filter(folder -> !root.relativize(folder).startsWith("examples"))
                    .map(folder -> folder.resolve("src/main/java"))
                    .sorted()
                    .toList();
        }
    }
}
