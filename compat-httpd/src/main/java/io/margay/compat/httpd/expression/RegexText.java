package io.margay.compat.httpd.expression;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.regex.Pattern;

/// Regular expressions made of other texts. Stateless.
public final class RegexText {
    private static final Pattern SPECIAL = Pattern.compile("[\\\\^$.|?*+()\\[\\]{}]");

    private RegexText() {}

    /// Texts that are longer than this one, or as long and behind it.
    ///
    /// @throws IllegalArgumentException for what is not ASCII, or longer than 100 characters
    public static String greater(String text) {
        if (text.length() > 100 || text.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("\"" + text + "\" cannot be compared");
        }
        StringBuilder regex = new StringBuilder("^(?:[\\s\\S]{" + (text.length() + 1) + ",}");
        for (int i = 0; i < text.length(); i++) {
            regex.append('|')
                    .append(quote(text.substring(0, i)))
                    .append("[^\\x00-\\x%02x]".formatted((int) text.charAt(i)))
                    .append("[\\s\\S]{" + (text.length() - i - 1) + "}");
        }
        return regex.append(")$").toString();
    }

    /// The regular expression that finds a text and nothing else.
    public static String quote(String text) {
        return SPECIAL.matcher(text).replaceAll("\\\\$0");
    }

    /// A regular expression that finds the paths that `match` takes, for conditions.
    public static String of(PathMatch match) {
        return switch (match) {
            case PathMatch.Prefix(String path) ->
                    "^" + quote(path) + (path.endsWith("/") ? "" : "(?:/|$)");
            case PathMatch.Glob(String pattern) -> {
                StringBuilder regex = new StringBuilder("^");
                for (int i = 0; i < pattern.length(); i++) {
                    char c = pattern.charAt(i);
                    regex.append(c == '*' ? ".*" : c == '?' ? "." : quote(String.valueOf(c)));
                }
                yield regex.append('$').toString();
            }
            case PathMatch.Regex regex -> regex.regex();
        };
    }
}
