package io.margay.compat.httpd.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Takes the line of a directive apart. Stateless.
public final class DirectiveWords {
    private static final Set<String> REWRITES = Set.of("rewritecond", "rewriterule");

    private DirectiveWords() {}

    /// Words between white space; quotes hold one together, and `\` takes the meaning of a quote.
    /// The arguments of `RewriteCond` and `RewriteRule` keep each `\`, which also takes the meaning
    /// of a blank; what `SSLRequire` says is one text, with its quotes.
    public static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        int i = 0;
        while (i < line.length()) {
            if (words.size() == 1 && REWRITES.contains(words.getFirst().toLowerCase(Locale.ROOT))) {
                rewriteWords(line.substring(i), words);
                return words;
            }
            if (isWhole(words)) {
                String rest = line.substring(i).strip();
                words.addAll(rest.isEmpty() ? List.of() : List.of(rest));
                return words;
            }
            if (isExpression(words) && !line.substring(i).isBlank()) {
                words.add(expression(line.substring(i).strip()));
                return words;
            }
            char c = line.charAt(i);
            if (Character.isWhitespace(c)) {
                i++;
            } else if (c == '"' || c == '\'') {
                StringBuilder word = new StringBuilder();
                i++;
                while (i < line.length() && line.charAt(i) != c) {
                    char next = i + 1 < line.length() ? line.charAt(i + 1) : 0;
                    i += line.charAt(i) == '\\' && (next == c || next == '\\') ? 1 : 0;
                    word.append(line.charAt(i++));
                }
                i++;
                words.add(word.toString());
            } else {
                int from = i;
                while (i < line.length() && !Character.isWhitespace(line.charAt(i))) {
                    i++;
                }
                words.add(line.substring(from, i));
            }
        }
        return words;
    }

    private static boolean isWhole(List<String> words) {
        return words.size() == 1 && words.getFirst().equalsIgnoreCase("sslrequire");
    }

    /// `Require [not] expr`.
    private static boolean isExpression(List<String> words) {
        int last = words.size() - 1;
        return (last == 1 || (last == 2 && words.get(1).equalsIgnoreCase("not")))
                && words.getFirst().equalsIgnoreCase("require")
                && words.getLast().equalsIgnoreCase("expr");
    }

    /// One in quotes is what stands in them; of another the quotes are its own.
    private static String expression(String text) {
        char quote = text.charAt(0);
        boolean quoted =
                (quote == '"' || quote == '\'')
                        && text.length() > 1
                        && text.charAt(text.length() - 1) == quote;
        return quoted
                ? text.substring(1, text.length() - 1).replaceAll("\\\\([\\\\" + quote + "])", "$1")
                : text;
    }

    private static void rewriteWords(String line, List<String> words) {
        int i = 0;
        while (i < line.length()) {
            char c = line.charAt(i);
            if (Character.isWhitespace(c)) {
                i++;
                continue;
            }
            boolean quoted = c == '"' || c == '\'';
            int from = quoted ? ++i : i;
            while (i < line.length()
                    && (quoted ? line.charAt(i) != c : !Character.isWhitespace(line.charAt(i)))) {
                boolean blank =
                        line.charAt(i) == '\\'
                                && i + 1 < line.length()
                                && Character.isWhitespace(line.charAt(i + 1));
                i += blank ? 2 : 1;
            }
            words.add(line.substring(from, i));
            i++;
        }
    }
}
