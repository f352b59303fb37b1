package io.margay.gateway.access;

import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Which files of a section are programs to another server, so that their source must not be sent.
/// Immutable.
///
/// @param endings parts of a name behind a dot, in lower case, and whether they make it a program
public record FileHandlers(Map<String, Boolean> endings, Whole whole) {
    /// Says nothing.
    public static final FileHandlers NONE = new FileHandlers(Map.of(), Whole.UNSET);

    /// What is said of all files, whatever their names.
    public enum Whole {
        /// Nothing: what sections before say holds.
        UNSET,

        /// Their names decide.
        BY_NAME,

        /// They are sent.
        FILE,

        /// They are programs.
        PROGRAM
    }

    public FileHandlers {
        endings = Collections.unmodifiableMap(new TreeMap<>(endings));
    }

    /// What holds where a later section says something, too.
    FileHandlers then(FileHandlers later) {
        if (later.equals(NONE)) {
            return this;
        }
        Map<String, Boolean> all = new TreeMap<>(endings);
        all.putAll(later.endings);
        return new FileHandlers(all, later.whole == Whole.UNSET ? whole : later.whole);
    }

    /// Whether it is said that a file of this name is none.
    boolean isSent(String name) {
        return whole == Whole.FILE || (!isProgram(name) && hasEnding(name));
    }

    private boolean hasEnding(String name) {
        String[] parts = name.toLowerCase(Locale.ROOT).split("\\.", -1);
        return Arrays.stream(parts).skip(1).anyMatch(endings::containsKey);
    }

    /// Whether a file of this name is a program. Every part behind a dot counts, as in httpd.
    boolean isProgram(String name) {
        return switch (whole) {
            case PROGRAM -> true;
            case FILE -> false;
            case UNSET, BY_NAME -> {
                String[] parts = name.toLowerCase(Locale.ROOT).split("\\.", -1);
                boolean program = false;
                for (int i = 1; i < parts.length; i++) {
                    program |= endings.getOrDefault(parts[i], false);
                }
                yield program;
            }
        };
    }
}
