package io.margay.servlet.mapping;

import jakarta.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

/// One URL pattern, taken apart (Servlet 6.1 §12.2). Immutable.
///
/// @param text the pattern as declared
/// @param kind how it matches
/// @param key what is compared: the whole path, the prefix without `/*`, or the extension without
///   its period
public record UrlPattern(String text, MappingMatch kind, String key) {
    /// Takes a pattern apart.
    ///
    /// @throws IllegalArgumentException when it is none of the forms of the specification
    public static UrlPattern of(String text) {
        if (text.isEmpty()) {
            return new UrlPattern(text, MappingMatch.CONTEXT_ROOT, "/");
        }
        if (text.equals("/")) {
            return new UrlPattern(text, MappingMatch.DEFAULT, "");
        }
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("URL pattern contains a line break");
        }
        if (text.startsWith("*.") && text.indexOf('/') < 0) {
            return new UrlPattern(text, MappingMatch.EXTENSION, text.substring(2));
        }
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException(
                    "URL pattern '" + text + "' starts with neither '/' nor '*.'");
        }
        if (text.endsWith("/*")) {
            String prefix = text.substring(0, text.length() - 2);
            return new UrlPattern(text, MappingMatch.PATH, prefix);
        }
        return new UrlPattern(text, MappingMatch.EXACT, text);
    }

    /// Without the code that records get for it, which is made in the process: patterns are the
    /// first keys of a start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UrlPattern that
                && text.equals(that.text)
                && kind == that.kind
                && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// Whether this pattern alone covers `path`, as filters and constraints see it.
    public boolean covers(String path) {
        return switch (kind) {
            case CONTEXT_ROOT -> path.equals("/") || path.isEmpty();
            case DEFAULT -> true;
            case EXACT -> path.equals(key);
            case PATH -> coversBelow(path);
            case EXTENSION -> hasExtension(path, key);
        };
    }

    /// Whether this pattern covers every path.
    public boolean coversAll() {
        return kind == MappingMatch.PATH && key.isEmpty();
    }

    private boolean coversBelow(String path) {
        int length = key.length();
        return path.startsWith(key) && (path.length() == length || path.charAt(length) == '/');
    }

    /// Whether the last segment of `path` ends in a period and `extension`.
    static boolean hasExtension(String path, String extension) {
        int period = path.lastIndexOf('.');
        return period >= 0
                && path.length() - period - 1 == extension.length()
                && path.endsWith(extension)
                && path.indexOf('/', period) < 0;
    }
}
