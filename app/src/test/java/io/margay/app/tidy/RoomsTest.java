package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds main sources to rooms that a reader can overlook: packages of at most 25 files, files of
/// at most 600 lines. What is above that still is named here; whoever has split it takes it out, so
/// that the lists only shrink.
final class RoomsTest {
    private static final int FILES_MAX = 25;
    private static final int LINES_MAX = 600;

    private static final Set<String> LARGE_PACKAGES = Set.of();

    private static final Set<String> LONG_FILES = Set.of();

    private final Map<String, Integer> filesByPackage = new TreeMap<>();
    private final Map<String, Integer> linesByFile = new TreeMap<>();

    RoomsTest() throws IOException {
        Path root = Path.of(System.getProperty("margay.root", ".."));
        try (Stream<Path> paths = Files.walk(root)) {
            paths.map(root::relativize)
                    .filter(path -> isMainSource(path.toString().replace('\\', '/')))
                    .forEach(path -> count(root, path));
        }
    }

    private static boolean isMainSource(String path) {
        return path.matches("([a-z-]+/)?[a-z-]+/src/main/java/.*\\.java")
                && !path.startsWith("examples/")
                && !path.endsWith("-info.java");
    }

    private void count(Path root, Path source) {
        String folder = source.getParent().toString().replace('\\', '/');
        String name = folder.replaceFirst("^.*/src/main/java/", "").replace('/', '.');
        filesByPackage.merge(name, 1, Integer::sum);
        try (Stream<String> lines = Files.lines(root.resolve(source))) {
            linesByFile.merge(source.getFileName().toString(), (int) lines.count(), Math::max);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> above(int most, Map<String, Integer> counts) {
        Set<String> above = new TreeSet<>();
        counts.forEach((name, count) -> {
            if (count > most) {
                above.add(name);
            }
        });
        return above;
    }

    @Test
    void packages_haveNoMoreFilesThanOneCanOverlook_butThoseNamed() {
        assertEquals(new TreeSet<>(LARGE_PACKAGES), above(FILES_MAX, filesByPackage));
    }

    @Test
    void files_haveNoMoreLinesThanOneCanOverlook_butThoseNamed() {
        assertEquals(new TreeSet<>(LONG_FILES), above(LINES_MAX, linesByFile));
    }
}
