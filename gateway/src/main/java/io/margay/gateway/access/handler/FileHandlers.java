package io.margay.gateway.access.handler;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the files of a section are: sent, or programs, so that their source must not be sent.
/// Immutable.
///
/// @param endings parts of a name behind a dot, in lower case, and what they make of a file
/// @param whole what is said of all files, whatever their names; null = nothing: what sections
///   before say holds
/// @param pathInfo whether a file is sent also where more stands behind its path; null = nothing is
///   said: it is not. Programs are told of it, whatever is said
public record FileHandlers(
        Map<String, FileHandler> endings, @Nullable FileHandler whole, @Nullable Boolean pathInfo) {
    /// Says nothing.
    public static final FileHandlers NONE = new FileHandlers(Map.of(), null, null);

    public FileHandlers {
        endings = Collections.unmodifiableMap(new TreeMap<>(endings));
    }

    /// What holds where a later section says something, too.
    public FileHandlers then(FileHandlers later) {
        if (later.equals(NONE)) {
            return this;
        }
        Map<String, FileHandler> all = new TreeMap<>(endings);
        all.putAll(later.endings);
        return new FileHandlers(
                all,
                later.whole == null ? whole : later.whole,
                later.pathInfo == null ? pathInfo : later.pathInfo);
    }

    /// What is said of a file of this name; null = nothing. Every part behind a dot counts, as in
    /// httpd, the last most; none that is sent makes up for one that is a program.
    public @Nullable FileHandler of(String name) {
        if (whole != null && !(whole instanceof FileHandler.ByName)) {
            return whole;
        }
        String[] parts = name.toLowerCase(Locale.ROOT).split("\\.", -1);
        FileHandler found = null;
        for (int i = 1; i < parts.length; i++) {
            FileHandler one = endings.get(parts[i]);
            if (one != null && (found == null || !(one instanceof FileHandler.Sent))) {
                found = one;
            }
        }
        return found;
    }
}
