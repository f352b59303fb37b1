package io.margay.app.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Every Java source of the checkout. Immutable.
record SourceTree(List<SourceFile> files) {
    private static final String EXAMPLES = "examples";

    /// Reads the checkout that these tests are part of, which takes some seconds.
    static SourceTree ofThisCheckout() {
        return new SourceTree(SourceFile.all(texts()));
    }

    /// The text of each source, by its path.
    static SortedMap<String, String> texts() {
        var root = Path.of(System.getProperty("margay.root", ".."));
        var texts = new TreeMap<String, String>();
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes unused) {
                            var name = portable(root.relativize(folder));
                            return name.matches("(.*/)?(target|\\..+)")
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
                            var name = portable(root.relativize(file));
                            if (name.matches(".*/src/\\w+/java/.*\\.java")) {
                                texts.put(name, read(file));
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String portable(Path path) {
        return path.toString().replace('\\', '/');
    }

    /// Packages, as `module package/path`, that have no `package-info.java` with `@NullMarked`,
    /// neither in the main sources of their module nor in its tests. Examples are not held to it.
    List<Violation> packagesNotNullMarked() {
        var wanted = new TreeSet<String>();
        var marked = new TreeSet<String>();
        for (var file : files) {
            var folder = folderInModule(file);
            if (folder.isEmpty() || file.module().startsWith(EXAMPLES)) {
                continue;
            }
            var name = file.module() + " " + folder;
            wanted.add(name);
            if (file.name().equals("package-info.java")
                    && file.tree().getPackageAnnotations().stream()
                            .anyMatch(
                                    a -> a.getAnnotationType().toString().endsWith("NullMarked"))) {
                marked.add(name);
            }
        }
        wanted.removeAll(marked);
        return wanted.stream()
                .map(name -> new Violation(name, 0, "no package-info.java with @NullMarked"))
                .toList();
    }

    /// The path between `src/main/java/` and the name of the file, `""` for `module-info.java`.
    private static String folderInModule(SourceFile file) {
        var inside = file.path().replaceFirst("^.*/src/\\w+/java/", "");
        return inside.substring(0, Math.max(0, inside.lastIndexOf('/')));
    }

    /// How many of its types each module shows to the others.
    List<PublicShare> publicShares() {
        return files.stream()
                .filter(file -> !file.isTest() && !file.module().startsWith(EXAMPLES))
                .collect(Collectors.groupingBy(SourceFile::module))
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> PublicShare.of(entry.getKey(), entry.getValue()))
                .toList();
    }
}
