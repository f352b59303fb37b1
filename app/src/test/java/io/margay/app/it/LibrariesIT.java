package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page about libraries has those that are packed.
final class LibrariesIT {
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @Test
    void libraries_thatArePacked_standInTheReferenceWithTheirLicence() throws IOException {
        Path root = ServerProcess.checkout();
        TreeSet<String> packed = new TreeSet<>();
        for (String lib :
                new String[] {
                    "app/target/lib",
                    "app/target/lib/extensions",
                    "lab/target/lib",
                    "compat/java-ee/target/lib"
                }) {
            try (Stream<Path> jars = Files.list(root.resolve(lib))) {
                jars.map(jar -> jar.getFileName().toString())
                        .filter(jar -> jar.endsWith(".jar") && !jar.startsWith("margay-"))
                        .map(jar -> jar.replaceFirst("-[0-9].*\\.jar$", ""))
                        .forEach(packed::add);
            }
        }
        TreeSet<String> told = new TreeSet<>();
        for (String row : Files.readAllLines(root.resolve("docs/reference/third-party.md"))) {
            if (row.startsWith("| `")) {
                Matcher name = NAME.matcher(row.split("\\|")[1]);
                while (name.find()) {
                    told.add(name.group(1));
                }
            }
        }
        assertEquals(packed, told);
    }
}
