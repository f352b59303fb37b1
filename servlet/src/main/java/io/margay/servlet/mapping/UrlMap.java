package io.margay.servlet.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the target of a path by the four rules of Servlet 6.1 §12.1: exact, longest prefix,
/// extension, default. Looking up allocates nothing.
///
/// Immutable, so any thread may look up.
///
/// @param <T> what patterns are mapped to
public final class UrlMap<T> {
    private final Map<String, Mapped<T>> exact = new HashMap<>();
    private final List<Mapped<T>> prefixes = new ArrayList<>();
    private final List<Mapped<T>> extensions = new ArrayList<>();
    private @Nullable Mapped<T> root;
    private @Nullable Mapped<T> fallback;

    /// A pattern with its target.
    public record Mapped<T>(UrlPattern pattern, T target) {}

    /// Builds the map; of equal patterns the last one counts.
    public UrlMap(Map<UrlPattern, T> patterns) {
        patterns.forEach((pattern, target) -> add(new Mapped<>(pattern, target)));
        prefixes.sort((one, other) -> Integer.compare(length(other), length(one)));
    }

    private static int length(Mapped<?> mapped) {
        return mapped.pattern().key().length();
    }

    private void add(Mapped<T> mapped) {
        switch (mapped.pattern().kind()) {
            case CONTEXT_ROOT -> root = mapped;
            case DEFAULT -> fallback = mapped;
            case EXACT -> exact.put(mapped.pattern().key(), mapped);
            case PATH -> prefixes.add(mapped);
            case EXTENSION -> extensions.add(mapped);
        }
    }

    /// The best match of a canonical path that starts with `/`, or null.
    public @Nullable Mapped<T> find(String path) {
        if (root != null && path.length() == 1) {
            return root;
        }
        Mapped<T> found = exact.get(path);
        if (found != null) {
            return found;
        }
        for (int i = 0; i < prefixes.size(); i++) {
            if (prefixes.get(i).pattern().covers(path)) {
                return prefixes.get(i);
            }
        }
        for (int i = 0; i < extensions.size(); i++) {
            if (extensions.get(i).pattern().covers(path)) {
                return extensions.get(i);
            }
        }
        return fallback;
    }
}
