package io.margay.app.tidy;

import java.util.ArrayList;
import java.util.List;

/// A comment of a Java source, without its marks. `line` is that of its first character.
record Comment(Kind kind, int line, String text) {
    enum Kind {
        /// `//`
        LINE,
        /// `/* */`
        BLOCK,
        /// `///` or `/** */`
        DOC
    }

    /// The comments of `source` in their order. Marks inside literals and text blocks are none.
    static List<Comment> allOf(String source) {
        var comments = new ArrayList<Comment>();
        int line = 1;
        int at = 0;
        while (at < source.length()) {
            int end = tokenEnd(source, at);
            if (source.startsWith("//", at)) {
                boolean doc = source.startsWith("///", at);
                var text = source.substring(Math.min(at + (doc ? 3 : 2), end), end);
                comments.add(new Comment(doc ? Kind.DOC : Kind.LINE, line, text.strip()));
            } else if (source.startsWith("/*", at)) {
                boolean doc = source.startsWith("/**", at) && !source.startsWith("/**/", at);
                int start = at + (doc ? 3 : 2);
                var text = source.substring(start, Math.max(start, end - 2));
                comments.add(new Comment(doc ? Kind.DOC : Kind.BLOCK, line, text.strip()));
            }
            for (; at < end; at++) {
                if (source.charAt(at) == '\n') {
                    line++;
                }
            }
        }
        return comments;
    }

    /// The end of the comment, literal or single character that begins at `at`.
    private static int tokenEnd(String source, int at) {
        if (source.startsWith("//", at)) {
            return orEnd(source, source.indexOf('\n', at), 0);
        }
        if (source.startsWith("/*", at)) {
            return orEnd(source, source.indexOf("*/", at + 2), 2);
        }
        if (source.startsWith("\"\"\"", at)) {
            return literalEnd(source, at, "\"\"\"");
        }
        char c = source.charAt(at);
        return c == '"' || c == '\'' ? literalEnd(source, at, String.valueOf(c)) : at + 1;
    }

    private static int literalEnd(String source, int start, String quote) {
        int at = start + quote.length();
        while (at < source.length() && !source.startsWith(quote, at)) {
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(source.length(), at + quote.length());
    }

    private static int orEnd(String source, int found, int plus) {
        return found < 0 ? source.length() : found + plus;
    }
}
