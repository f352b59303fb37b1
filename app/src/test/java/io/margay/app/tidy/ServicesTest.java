package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Services that a module loads stand in its `module-info.java`: without, nothing is missing on a
/// class path, and on a module path each load throws.
final class ServicesTest {
    private static final Pattern LOADED =
            Pattern.compile("ServiceLoader\\.load\\(\\s*(\\w+)\\.class");
    private static final Pattern USED = Pattern.compile("uses [\\w.]+\\.(\\w+);");

    private final Path root =
            Path.of(System.getProperty("margay.root", "..")).toAbsolutePath().normalize();

    private static Set<String> names(Pattern pattern, Path file) throws IOException {
        Set<String> names = new TreeSet<>();
        pattern.matcher(Files.readString(file))
                .results()
                .map((MatchResult result) -> result.group(1))
                .forEach(names::add);
        return names;
    }

    private static List<Path> modules() throws IOException {
        return Modules.mainFolders().stream()
                .filter(folder -> Files.exists(folder.resolve("module-info.java")))
                .toList();
    }

    @Test
    void servicesThatAModuleLoads_areNamedInItsDescriptor() throws IOException {
        Set<String> missing = new TreeSet<>();
        Set<String> found = new TreeSet<>();
        for (Path module : modules()) {
            Set<String> used = names(USED, module.resolve("module-info.java"));
            try (Stream<Path> sources = Files.walk(module)) {
                for (Path source :
                        sources.filter(each -> each.toString().endsWith(".java")).toList()) {
                    for (String loaded : names(LOADED, source)) {
                        found.add(loaded);
                        if (!used.contains(loaded)) {
                            missing.add(root.relativize(source) + ": " + loaded);
                        }
                    }
                }
            }
        }
        assertFalse(found.isEmpty());
        assertEquals(Set.of(), missing);
    }
}
