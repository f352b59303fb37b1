package io.margay.servlet.engine.application;

import io.margay.protocol.http.PercentEncoding;
import org.jspecify.annotations.Nullable;

/// Paths that applications give to the engine.
public final class Paths {
    private Paths() {}

    /// WEB-INF and META-INF belong to the application alone, whatever is mapped there (Servlet 6.1
    /// §10.5); in any case of letters, for some file systems ignore it.
    public static boolean isPrivate(String path) {
        return isBelow(path, "/WEB-INF") || isBelow(path, "/META-INF");
    }

    private static boolean isBelow(String path, String folder) {
        int length = folder.length();
        return path.regionMatches(true, 0, folder, 0, length)
                && (path.length() == length || path.charAt(length) == '/');
    }

    /// Percent-encodes what cannot stand in a path, leaving encodings that are there.
    public static String encode(String path) {
        return PercentEncoding.encode(path, PercentEncoding.PATH + ";%");
    }

    /// Resolves `.` and `..` and empty segments of a decoded path; null when it leads above the
    /// root or does not start with a slash.
    public static @Nullable String normalise(String path) {
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
