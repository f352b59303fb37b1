package io.margay.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// A configuration with what is expected of it: a file in sections, each headed `--- NAME`.
/// Immutable.
///
/// Sections `routes`, `requests`, `account`, `files`, `differs` and `compare` tell what is
/// expected; every other is a file of the configuration. `@NAME@` stands for what the test puts in.
public final class CorpusFile {
    private static final Set<String> EXPECTED =
            Set.of("routes", "requests", "account", "files", "differs", "compare");

    private final String name;
    private final Map<String, String> sections;

    private CorpusFile(String name, Map<String, String> sections) {
        this.name = name;
        this.sections = sections;
    }

    /// Every file of a folder, by name.
    public static List<CorpusFile> all(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .map(CorpusFile::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CorpusFile read(Path file) {
        try {
            Map<String, StringBuilder> found = new LinkedHashMap<>();
            StringBuilder current = new StringBuilder();
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("--- ")) {
                    current = new StringBuilder();
                    found.put(line.substring(4), current);
                } else {
                    current.append(line).append('\n');
                }
            }
            Map<String, String> sections = new LinkedHashMap<>();
            found.forEach((name, text) -> sections.put(name, text.toString()));
            String name = String.valueOf(file.getFileName());
            return new CorpusFile(name.substring(0, name.length() - ".txt".length()), sections);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The name of the file without its ending.
    public String name() {
        return name;
    }

    /// Whether it has a section with something in it.
    public boolean has(String section) {
        return !text(section).isBlank();
    }

    /// A section as it stands; nothing when there is none.
    public String text(String section) {
        return sections.getOrDefault(section, "");
    }

    /// A section's lines that are not empty, with values put in.
    public List<String> lines(String section, Map<String, String> values) {
        return put(sections.getOrDefault(section, ""), values)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /// Writes the configuration into a folder.
    ///
    /// @return the files in it that a command line names
    public List<Path> write(Path folder, Map<String, String> values) throws IOException {
        for (String file : lines("files", values)) {
            Path path = folder.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, file + "\n");
        }
        for (Map.Entry<String, String> section : sections.entrySet()) {
            String file = section.getKey();
            if (!EXPECTED.contains(file)) {
                Path path = folder.resolve(file);
                Files.createDirectories(path.getParent());
                Files.writeString(path, put(section.getValue(), values));
            }
        }
        return Stream.of("httpd.conf", "workers.properties", "uriworkermap.properties")
                .filter(sections::containsKey)
                .map(folder::resolve)
                .toList();
    }

    private static String put(String text, Map<String, String> values) {
        String result = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            result = result.replace("@" + value.getKey() + "@", value.getValue());
        }
        return result;
    }

    @Override
    public String toString() {
        return name;
    }
}
