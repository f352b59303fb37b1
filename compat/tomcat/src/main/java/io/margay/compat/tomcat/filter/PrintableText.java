package io.margay.compat.tomcat.filter;

import org.jspecify.annotations.Nullable;

/// Text of a client made fit for one line of a log. Stateless.
public final class PrintableText {
    private static final int CHARS_MAX = 2000;

    private PrintableText() {}

    /// Control characters, line separators and backslashes become `\\uXXXX`; a long text is cut.
    public static String of(@Nullable String text) {
        if (text == null) {
            return "-";
        }
        StringBuilder shown = new StringBuilder(Math.min(text.length(), CHARS_MAX) + 8);
        for (int i = 0; i < text.length() && i < CHARS_MAX; i++) {
            char c = text.charAt(i);
            int type = Character.getType(c);
            if (Character.isISOControl(c)
                    || c == '\\'
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR
                    || type == Character.FORMAT) {
                shown.append(String.format("\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return text.length() > CHARS_MAX ? shown.append("...").toString() : shown.toString();
    }
}
