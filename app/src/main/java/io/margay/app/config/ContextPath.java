package io.margay.app.config;

/// The rules for the path of an application or of static files (Servlet 6.1 §3.1).
public final class ContextPath {
    private ContextPath() {}

    /// The canonical form of `/`, `/shop`, `/shop/`, `/shop/*`: empty for the root, no `/` at the
    /// end.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static String parse(String text) {
        String path = text.endsWith("/*") ? text.substring(0, text.length() - 2) : text;
        path = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return check(path);
    }

    /// The path itself when it is canonical.
    ///
    /// @throws IllegalArgumentException when not
    public static String check(String path) {
        if (path.isEmpty()) {
            return path;
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("it must begin with \"/\"");
        }
        if (path.endsWith("/")) {
            throw new IllegalArgumentException("it must not end with \"/\"");
        }
        for (String segment : path.substring(1).split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException("it must not contain \"//\", \".\" or \"..\"");
            }
        }
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c == 0x7f || "*?#%;\\\"<>".indexOf(c) >= 0) {
                throw new IllegalArgumentException("it must not contain \"" + c + "\"");
            }
        }
        return path;
    }
}
