package io.margay.lab.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a run need not keep: keys, and the work folders of servers. Stateless.
public final class Leftovers {
    private static final List<String> FOLDERS = List.of("work", "temp", "webapps", "run");
    private static final List<String> KEYS = List.of("lab.key", "lab-both.pem", "lab.p12");

    private Leftovers() {}

    /// Removes it from the folder of a run, whose servers have been stopped.
    public static void remove(Path folder) throws IOException {
        for (String key : KEYS) {
            Files.deleteIfExists(folder.resolve(key));
        }
        Path servers = folder.resolve("servers");
        if (!Files.isDirectory(servers)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> files = Files.walk(servers, 3)) {
            found =
                    files.filter(Files::isDirectory)
                            .filter(it -> FOLDERS.contains(String.valueOf(it.getFileName())))
                            .toList();
        }
        for (Path each : found) {
            Site.remove(each);
        }
    }
}
