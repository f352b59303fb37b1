package io.margay.protocol.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How paths are read that servers disagree about: with `%2F`, and with `\` or `%5C`. Immutable.
///
/// @param slash what an encoded slash is
/// @param backslash whether a backslash, encoded or not, is read as a slash; otherwise the path is
///   refused
public record PathReading(EncodedSlash slash, boolean backslash) {
    /// Refuses all of them.
    public static final PathReading STRICT = new PathReading(EncodedSlash.REJECT, false);

    /// In place of the record's own, whose code the JVM makes at each start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PathReading that
                && slash == that.slash
                && backslash == that.backslash;
    }

    @Override
    public int hashCode() {
        return 2 * slash.hashCode() + (backslash ? 1 : 0);
    }

    /// What `%2F` is.
    public enum EncodedSlash {
        /// Answered with 400.
        REJECT,

        /// Answered with 404, as httpd does.
        NOT_FOUND,

        /// A slash, which separates segments.
        DECODE,

        /// A part of a segment: `%2F` stays in the path, and so does `%25` beside it, so that both
        /// can still be told from one another.
        PASSTHROUGH;

        /// The word in a file.
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// Whether readings may differ about a path as received.
    public static boolean matters(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '\\' || (c == '%' && (isSlash(raw, i) || isBackslash(raw, i)))) {
                return true;
            }
        }
        return false;
    }

    /// Whether encoded slashes of a path as received stay encoded: then each `%` of the canonical
    /// path begins `%2F` or `%25`.
    public boolean keepsSlashes(String raw) {
        return slash == EncodedSlash.PASSTHROUGH && (raw.contains("%2F") || raw.contains("%2f"));
    }

    /// A path as received with slashes for all that is read as one.
    public String withSlashes(String raw) {
        if (!matters(raw)) {
            return raw;
        }
        String made = backslash ? raw.replaceAll("\\\\|%5[Cc]", "/") : raw;
        return slash == EncodedSlash.DECODE ? made.replaceAll("%2[Ff]", "/") : made;
    }

    /// Whether `%2F` begins at an index where a `%` is.
    static boolean isSlash(String raw, int at) {
        return raw.regionMatches(true, at, "%2F", 0, 3);
    }

    static boolean isBackslash(String raw, int at) {
        return raw.regionMatches(true, at, "%5C", 0, 3);
    }
}
