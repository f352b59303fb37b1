package io.margay.shadow;

import java.util.regex.Pattern;

/// What paths have in common that differ in a number or an id. Stateless.
final class PathPattern {
    /// A segment that is one of many: a number, an id, or a name with more than three digits.
    private static final Pattern ONE_OF_MANY =
            Pattern.compile("[0-9]++|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{16,}+");

    private static final Pattern DIGITS = Pattern.compile("[0-9]{4}");

    private static final int SEGMENTS_MAX = 12;
    private static final int CHARS_MAX = 120;

    private PathPattern() {}

    /// The pattern of a path.
    static String of(String path) {
        StringBuilder pattern = new StringBuilder();
        int segments = 0;
        for (String segment : Shown.withoutSessions(path).split("/", -1)) {
            if (segments > 0) {
                pattern.append('/');
            }
            pattern.append(part(segment));
            if (++segments > SEGMENTS_MAX || pattern.length() > CHARS_MAX) {
                return pattern.append("…").toString();
            }
        }
        return pattern.toString();
    }

    /// A segment or another name, or `{}` for one of many.
    static String part(String segment) {
        int dot = segment.lastIndexOf('.');
        String stem = dot > 0 ? segment.substring(0, dot) : segment;
        boolean digits = stem.indexOf('.') < 0 && DIGITS.matcher(stem).find();
        return digits || ONE_OF_MANY.matcher(stem).matches()
                ? "{}" + (dot > 0 ? segment.substring(dot) : "")
                : segment;
    }
}
