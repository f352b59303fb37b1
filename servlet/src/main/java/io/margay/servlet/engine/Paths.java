package io.margay.servlet.engine;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Paths that applications give to the engine.
final class Paths {
    private static final String KEPT = "/-._~!$&'()*+,=:@;%";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private Paths() {}

    /// WEB-INF and META-INF belong to the application alone, whatever is mapped there (Servlet 6.1
    /// §10.5); in any case of letters, for some file systems ignore it.
    static boolean isPrivate(String path) {
        return isBelow(path, "/WEB-INF") || isBelow(path, "/META-INF");
    }

    private static boolean isBelow(String path, String folder) {
        int length = folder.length();
        return path.regionMatches(true, 0, folder, 0, length)
                && (path.length() == length || path.charAt(length) == '/');
    }

    /// Percent-encodes what cannot stand in a path, leaving encodings that are there.
    static String encode(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (!isKept(path.charAt(i))) {
                return encodeAll(path, KEPT);
            }
        }
        return path;
    }

    /// Percent-encodes a decoded path.
    static String encodeDecoded(String path) {
        return encodeAll(path, "/-._~!$&'()*+,=:@");
    }

    private static String encodeAll(String path, String kept) {
        StringBuilder encoded = new StringBuilder(path.length() + 16);
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff);
            if (c < 128 && (Character.isLetterOrDigit(c) || kept.indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
            }
        }
        return encoded.toString();
    }

    private static boolean isKept(char c) {
        boolean letter = c < 128 && (c | 32) >= 'a' && (c | 32) <= 'z';
        return letter || (c >= '0' && c <= '9') || KEPT.indexOf(c) >= 0;
    }

    /// Resolves `.` and `..` and empty segments of a decoded path; null when it leads above the
    /// root or does not start with a slash.
    static @Nullable String normalise(String path) {
        if (!path.startsWith("/") || path.indexOf('\\') >= 0 || path.indexOf('\0') >= 0) {
            return null;
        }
        if (!path.contains("//") && !path.contains("/.")) {
            return path;
        }
        StringBuilder normal = new StringBuilder(path.length());
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = segments[i];
            boolean last = i == segments.length - 1;
            if (segment.equals("..")) {
                int slash = normal.lastIndexOf("/");
                if (slash < 0) {
                    return null;
                }
                normal.setLength(slash);
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                normal.append('/').append(segment);
                continue;
            }
            if (last) {
                normal.append('/');
            }
        }
        return normal.isEmpty() ? "/" : normal.toString();
    }
}
