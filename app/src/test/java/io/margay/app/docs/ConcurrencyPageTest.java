package io.margay.app.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.tidy.Modules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `docs/design/concurrency.md` names every class that makes or takes a lock.
final class ConcurrencyPageTest {
    private static final Pattern LOCKS =
            Pattern.compile("new ReentrantLock\\(|\\bsynchronized [^\"]|\\bsynchronized \\(");

    /// Modules that serve nobody.
    private static final List<String> OTHERS = List.of("lab", "packages", "testkit", "benchmarks");

    @Test
    void classes_withLocks_standOnThePage() throws IOException {
        String page = Files.readString(Document.ROOT.resolve("docs/design/concurrency.md"));
        TreeSet<String> missing = new TreeSet<>();
        int found = 0;
        for (Path main : Modules.mainFolders()) {
            if (OTHERS.contains(main.getName(main.getNameCount() - 4).toString())) {
                continue;
            }
            for (Path source : sources(main)) {
                String name = source.getFileName().toString().replace(".java", "");
                if (Files.readAllLines(source).stream().anyMatch(this::locks)) {
                    found++;
                    if (!Pattern.compile("`" + name + "\\b").matcher(page).find()) {
                        missing.add(name);
                    }
                }
            }
        }
        assertEquals("[]", missing.toString());
        assertTrue(found > 60, found + " classes with locks");
    }

    private boolean locks(String line) {
        return !line.strip().startsWith("//") && LOCKS.matcher(line).find();
    }

    private static List<Path> sources(Path main) throws IOException {
        try (Stream<Path> files = Files.walk(main)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
