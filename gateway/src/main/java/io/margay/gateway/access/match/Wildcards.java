package io.margay.gateway.access.match;

/// httpd's wildcards: `*` any run of characters, `?` one, `[a-z]` and `[!a-z]` one of a set, `\`
/// takes the meaning of the next. Stateless.
final class Wildcards {
    private Wildcards() {}

    /// Whether a text has any.
    static boolean has(String text) {
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '*', '?' -> {
                    return true;
                }
                case '\\' -> i++;
                case '[' -> {
                    if (text.indexOf(']', i + 1) > 0) {
                        return true;
                    }
                }
                default -> {}
            }
        }
        return false;
    }

    /// A regular expression that takes the whole of the same texts.
    ///
    /// @param crossing whether a wildcard may stand for slashes
    static String regex(String pattern, boolean crossing) {
        String any = crossing ? "." : "[^/]";
        StringBuilder regex = new StringBuilder("\\A");
        int i = 0;
        while (i < pattern.length()) {
            char c = pattern.charAt(i++);
            int close = c == '[' ? closing(pattern, i) : -1;
            if (c == '*') {
                regex.append(any).append('*');
            } else if (c == '?') {
                regex.append(any);
            } else if (close > 0) {
                if (!crossing) {
                    regex.append("(?!/)");
                }
                set(pattern.substring(i, close), regex);
                i = close + 1;
            } else {
                literal(c == '\\' && i < pattern.length() ? pattern.charAt(i++) : c, regex);
            }
        }
        return regex.append("\\z").toString();
    }

    /// The bracket that ends a set; one that stands first is of the set.
    private static int closing(String pattern, int from) {
        boolean not = pattern.startsWith("!", from) || pattern.startsWith("^", from);
        return pattern.indexOf(']', from + (not ? 2 : 1));
    }

    private static void set(String text, StringBuilder regex) {
        boolean not = text.startsWith("!") || text.startsWith("^");
        regex.append(not ? "[^" : "[");
        for (int i = not ? 1 : 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '-') {
                regex.append(i == (not ? 1 : 0) || i == text.length() - 1 ? "\\-" : "-");
            } else {
                literal(c == '\\' && i + 1 < text.length() ? text.charAt(++i) : c, regex);
            }
        }
        regex.append(']');
    }

    private static void literal(char c, StringBuilder regex) {
        boolean plain = Character.isLetterOrDigit(c) || c >= 128 || c == '/';
        regex.append(plain ? "" : "\\").append(c);
    }
}
