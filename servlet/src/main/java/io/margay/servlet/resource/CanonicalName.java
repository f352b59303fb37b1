package io.margay.servlet.resource;

/// Says whether a path is canonical: begins with `/`, without empty segments, `.`, `..`,
/// backslashes and control characters. A slash at the end is allowed and asks for a folder.
/// Stateless.
final class CanonicalName {
    private CanonicalName() {}

    static boolean accepts(String path) {
        int length = path.length();
        if (length == 0 || path.charAt(0) != '/') {
            return false;
        }
        int segment = 1;
        for (int i = 1; i <= length; i++) {
            char c = i == length ? '/' : path.charAt(i);
            if (c < ' ' || c == 0x7f || c == '\\') {
                return false;
            }
            if (c == '/') {
                boolean last = i == length;
                if (!segmentAllowed(path, segment, i, last)) {
                    return false;
                }
                segment = i + 1;
            }
        }
        return true;
    }

    private static boolean segmentAllowed(String path, int from, int to, boolean last) {
        return switch (to - from) {
            case 0 -> last;
            case 1 -> path.charAt(from) != '.';
            case 2 -> path.charAt(from) != '.' || path.charAt(from + 1) != '.';
            default -> true;
        };
    }
}
