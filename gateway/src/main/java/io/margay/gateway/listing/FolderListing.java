package io.margay.gateway.listing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What sections say of the page that lists a folder. Immutable.
///
/// @param on whether folders without a page of their own are listed; null = the section says
///   nothing
/// @param parts the directives of each section, those of outer sections first
public record FolderListing(@Nullable Boolean on, List<Part> parts) {
    /// Of a section that says nothing.
    public static final FolderListing NONE = new FolderListing(null, List.of());

    public FolderListing {
        parts = List.copyOf(parts);
    }

    /// The directives of one section.
    ///
    /// @param path how the paths of files begin that those directives are about which name files;
    ///   empty = any
    /// @param lines name and arguments of each
    public record Part(String path, List<List<String>> lines) {
        public Part {
            lines = lines.stream().map(List::copyOf).toList();
        }
    }

    /// What one section says, with lines as httpd writes them.
    public static FolderListing of(@Nullable Boolean on, String path, List<String> lines) {
        List<List<String>> split = lines.stream().map(FolderListing::words).toList();
        return new FolderListing(on, split.isEmpty() ? List.of() : List.of(new Part(path, split)));
    }

    /// What holds where a later section says something, too.
    public FolderListing then(FolderListing later) {
        if (later.equals(NONE)) {
            return this;
        }
        List<Part> all = new ArrayList<>(parts);
        all.addAll(later.parts);
        return new FolderListing(later.on != null ? later.on : on, all);
    }

    /// Whether folders are listed.
    public boolean isOn() {
        return Boolean.TRUE.equals(on);
    }

    /// The lines of all sections, as [#of] reads them.
    public List<String> texts() {
        return parts.stream()
                .flatMap(part -> part.lines.stream())
                .map(line -> String.join(" ", line.stream().map(FolderListing::quoted).toList()))
                .toList();
    }

    static String quoted(String word) {
        return word.matches("[^\\s\"'\\\\]+")
                ? word
                : "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        int i = 0;
        while (i < line.length()) {
            char c = line.charAt(i);
            if (c == ' ') {
                i++;
                continue;
            }
            StringBuilder word = new StringBuilder();
            if (c == '"') {
                i++;
                while (i < line.length() && line.charAt(i) != '"') {
                    i += line.charAt(i) == '\\' && i + 1 < line.length() ? 1 : 0;
                    word.append(line.charAt(i++));
                }
                i++;
            } else {
                while (i < line.length() && line.charAt(i) != ' ') {
                    word.append(line.charAt(i++));
                }
            }
            words.add(word.toString());
        }
        return words;
    }
}
