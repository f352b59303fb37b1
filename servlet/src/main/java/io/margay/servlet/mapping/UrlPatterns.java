package io.margay.servlet.mapping;

import org.jspecify.annotations.Nullable;

/// What a URL pattern may look like (Servlet 6.1 §12.2). Stateless.
public final class UrlPatterns {
    private UrlPatterns() {}

    /// What is wrong with a pattern, with the remedy, or null when it is right.
    public static @Nullable String fault(String pattern) {
        for (int i = 0; i < pattern.length(); i++) {
            if (pattern.charAt(i) < ' ' || pattern.charAt(i) == 0x7f) {
                return "the pattern contains a control character. Write it on one line.";
            }
        }
        if (pattern.isEmpty() || pattern.startsWith("/")) {
            return null;
        }
        if (pattern.startsWith("*.")) {
            if (pattern.indexOf('/') >= 0) {
                return "the pattern \""
                        + pattern
                        + "\" mixes extension and path. Write either"
                        + " *.extension or /path/*.";
            }
            return pattern.length() > 2
                    ? null
                    : "the pattern \"*.\" lacks its extension. Write *.extension.";
        }
        return "the pattern \""
                + pattern
                + "\" must begin with \"/\" or \"*.\". Write \"/"
                + pattern
                + "\".";
    }
}
