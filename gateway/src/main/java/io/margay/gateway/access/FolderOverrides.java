package io.margay.gateway.access;

import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What files such as `.htaccess` may say. Immutable.
///
/// @param classes of directives, in lower case, as `AllowOverride` names them; empty = none, null =
///   nothing is said of them
/// @param directives that are allowed besides, in lower case; null = nothing is said of them
public record FolderOverrides(@Nullable Set<String> classes, @Nullable Set<String> directives) {
    /// Nothing is said.
    public static final FolderOverrides UNSAID = new FolderOverrides(null, null);

    public FolderOverrides {
        classes = sorted(classes);
        directives = sorted(directives);
    }

    private static @Nullable Set<String> sorted(@Nullable Collection<String> words) {
        if (words == null) {
            return null;
        }
        Set<String> sorted = new TreeSet<>();
        words.forEach(word -> sorted.add(word.toLowerCase(Locale.ROOT)));
        return Collections.unmodifiableSet(sorted);
    }

    /// What holds where a later section says something, too.
    public FolderOverrides then(FolderOverrides later) {
        return new FolderOverrides(
                later.classes != null ? later.classes : classes,
                later.directives != null ? later.directives : directives);
    }

    /// Whether the files are read.
    public boolean areRead() {
        return (classes != null && !classes.isEmpty())
                || (directives != null && !directives.isEmpty());
    }

    /// Whether directives of a class may stand in them.
    public boolean hasClass(String name) {
        return classes != null && classes.contains(name);
    }

    /// Whether a directive may, whatever its class.
    ///
    /// @param name in lower case, of a section with `<` before it
    public boolean hasDirective(String name) {
        return directives != null && directives.contains(name);
    }
}
