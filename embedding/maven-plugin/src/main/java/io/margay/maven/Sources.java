package io.margay.maven;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What a web application is made of while it is worked on. Immutable; the files change.
///
/// @param webapp its pages and files; need not be there
/// @param classes folders of classes, of which later ones hide earlier ones
/// @param libraries JARs
record Sources(Path webapp, List<Path> classes, List<Path> libraries) {
    /// Files that are served at most, a bound on what one look reads.
    private static final int FILES_MAX = 100_000;

    Sources {
        classes = List.copyOf(classes);
        libraries = List.copyOf(libraries);
    }

    /// A file of the application.
    ///
    /// @param stamp its length and time
    record Entry(Path file, String stamp) {}

    /// Every file by its place in the application, such as `WEB-INF/classes/a/B.class`.
    ///
    /// @throws IOException when one cannot be read, as while a compiler is at work
    Map<String, Entry> look() throws IOException {
        Map<String, Entry> found = new TreeMap<>();
        add(webapp, "", found);
        for (Path folder : classes) {
            add(folder, "WEB-INF/classes/", found);
        }
        for (Path library : libraries) {
            put("WEB-INF/lib/" + library.getFileName(), library, found);
        }
        return found;
    }

    private static void add(Path folder, String prefix, Map<String, Entry> found)
            throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.isRegularFile(file)) {
                    String name = folder.relativize(file).toString().replace('\\', '/');
                    put(prefix + name, file, found);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void put(String name, Path file, Map<String, Entry> found) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        String stamp = attributes.size() + "@" + attributes.lastModifiedTime().toMillis();
        found.put(name, new Entry(file, stamp));
        if (found.size() > FILES_MAX) {
            throw new IOException("more than " + FILES_MAX + " files");
        }
    }
}
