package io.margay.server.compression;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which responses are compressed, and how. Immutable.
///
/// @param codings those that may be used, the one first that is chosen where a client likes several
///   equally; none = nothing is compressed
/// @param level of gzip, 1 (least effort) to 9 (least bytes)
/// @param minBytes contents that are known to be shorter stay as they are
/// @param types media types as in `text/html`, in which one `*` stands for any characters
@RecordBuilder
public record CompressionConfig(List<Coding> codings, int level, long minBytes, List<String> types)
        implements CompressionConfigBuilder.With {
    /// Contents below that fit into one packet anyway.
    public static final long MIN_BYTES_DEFAULT = 1024;

    /// Beyond it there is little to gain, and each step costs much more than the one before.
    public static final int LEVEL_DEFAULT = 5;

    /// Text in the wide sense. Images, sound, films, archives and WOFF are compressed already.
    public static final List<String> TYPES_DEFAULT =
            List.of(
                    "text/*",
                    "application/json",
                    "application/javascript",
                    "application/xml",
                    "*+json",
                    "*+xml",
                    "application/x-ndjson",
                    "application/wasm",
                    "font/ttf",
                    "font/otf");

    public CompressionConfig {
        codings = List.copyOf(codings);
        types = List.copyOf(types);
        if (level < 1 || level > 9) {
            throw new IllegalArgumentException("level must be 1 to 9: " + level);
        }
        if (minBytes < 0) {
            throw new IllegalArgumentException("minBytes is negative: " + minBytes);
        }
        types.forEach(CompressionConfig::checkType);
    }

    /// Checks a pattern of media types.
    ///
    /// @throws IllegalArgumentException when it is none
    public static String checkType(String pattern) {
        if (!pattern.matches("[!#$&^_.+*A-Za-z0-9-]+(/[!#$&^_.+*A-Za-z0-9-]+)?")
                || pattern.indexOf('*') != pattern.lastIndexOf('*')
                || (pattern.indexOf('/') < 0 && pattern.indexOf('*') < 0)) {
            throw new IllegalArgumentException("no media type: " + pattern);
        }
        return pattern;
    }

    /// What holds when compression is asked for, and nothing else is said.
    public static CompressionConfig defaults() {
        return new CompressionConfig(
                List.of(Coding.values()), LEVEL_DEFAULT, MIN_BYTES_DEFAULT, TYPES_DEFAULT);
    }

    /// Whether a content of this type is meant; one without a type is not, unless all are.
    ///
    /// @param contentType the field's value, parameters included
    public boolean takes(@Nullable String contentType) {
        return isOneOf(types, contentType);
    }

    /// Whether a media type is like one of these, in which one `*` stands for any characters.
    ///
    /// @param contentType the field's value, parameters included; null is like `*` alone
    public static boolean isOneOf(List<String> types, @Nullable String contentType) {
        int end = 0;
        if (contentType != null) {
            int semicolon = contentType.indexOf(';');
            end = semicolon < 0 ? contentType.length() : semicolon;
            while (end > 0 && contentType.charAt(end - 1) == ' ') {
                end--;
            }
        }
        String type = contentType == null ? "" : contentType;
        for (int i = 0; i < types.size(); i++) {
            if (matches(types.get(i), type, end)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String pattern, String type, int end) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return pattern.length() == end && type.regionMatches(true, 0, pattern, 0, end);
        }
        int after = pattern.length() - star - 1;
        return star + after <= end
                && type.regionMatches(true, 0, pattern, 0, star)
                && type.regionMatches(true, end - after, pattern, star + 1, after);
    }
}
