package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The configuration files among the examples are right.
final class ExampleFilesTest {
    private static final Path EXAMPLES =
            Path.of(System.getProperty("margay.root", "..")).resolve("examples");

    /// What the examples name, and who tries them has.
    private static final List<String> FOLDERS =
            List.of("assets", "blogs", "nothing-here", "target/webapps", "src/main/webapps");

    private static final List<String> FILES =
            List.of("shop.war", "shop.pem", "shop.key", "blog.pem", "blog.key");

    @TempDir Path folder;

    @Test
    void examples_withWhatTheyName_haveNoErrors() throws IOException {
        for (String name : FOLDERS) {
            Files.createDirectories(folder.resolve(name));
        }
        for (String name : FILES) {
            Files.writeString(folder.resolve(name), "");
        }
        List<Path> examples;
        try (Stream<Path> entries = Files.list(EXAMPLES)) {
            examples = entries.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
        assertTrue(examples.size() >= 2, examples.toString());
        for (Path example : examples) {
            Path copy = Files.copy(example, folder.resolve(example.getFileName()));
            ConfigFile.Result result = ConfigFile.read(copy, Map.of());
            assertEquals(List.of(), result.problems());
            assertEquals(List.of(), result.missing());
        }
    }
}
