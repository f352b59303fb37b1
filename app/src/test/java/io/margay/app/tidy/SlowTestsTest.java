package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds the list of the tests that `make check` leaves out true.
final class SlowTestsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("margay.root", "..")).toAbsolutePath().normalize();

    @Test
    void everyNamedTest_exists() throws IOException {
        Set<String> known;
        try (Stream<Path> modules = Files.list(ROOT)) {
            known =
                    modules.map(module -> module.resolve("src/test/java"))
                            .filter(Files::isDirectory)
                            .flatMap(SlowTestsTest::files)
                            .collect(Collectors.toSet());
        }
        List<String> named =
                Files.readAllLines(ROOT.resolve("bin/slow-tests")).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList();
        Set<String> missing = new TreeSet<>(named);
        missing.removeAll(known);
        assertEquals(Set.of(), missing);
        assertEquals(named.stream().sorted().toList(), named, "sorted");
    }

    private static Stream<String> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> "**/" + file.getFileName()).toList().stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
