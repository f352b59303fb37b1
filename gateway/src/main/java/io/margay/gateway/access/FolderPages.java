package io.margay.gateway.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which files are sent where a path stands for none. Immutable.
///
/// @param index names that are tried for a folder, in this order
/// @param fallback path below what is served of the file that takes the place of one that is not
///   there, `/…`, or null
public record FolderPages(List<String> index, @Nullable String fallback) {
    /// `index.html` for a folder, and nothing else.
    public static final FolderPages DEFAULT = new FolderPages(List.of("index.html"), null);

    public FolderPages {
        index = List.copyOf(index);
        if (index.stream().anyMatch(FolderPages::leadsAway)
                || (fallback != null
                        && (!fallback.startsWith("/") || leadsAway(fallback.substring(1))))) {
            throw new IllegalArgumentException(
                    "pages of a folder are below it: names, and as fallback a path that begins with"
                            + " /");
        }
    }

    private static boolean leadsAway(String name) {
        return name.isEmpty() || name.startsWith("/") || List.of(name.split("/")).contains("..");
    }
}
