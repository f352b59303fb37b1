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

    /// Texts that are longer than this one, or as long and not before it.
    ///
    /// @throws IllegalArgumentException as [#greater]
    public static String greaterOrEqual(String text) {
        return "(?:" + greater(text) + "|^" + quote(text) + "$)";
    }

    /// Texts behind this one in the order of their characters.
    ///
    /// @throws IllegalArgumentException as [#greater]
    static String after(String text) {
        String longer = greater(text); // for its checks
        StringBuilder regex = new StringBuilder(longer.length()).append("^(?:");
        for (int i = 0; i < text.length(); i++) {
            regex.append(quote(text.substring(0, i)))
                    .append("[^\\x00-\\x%02x]|".formatted((int) text.charAt(i)));
        }
        return regex.append(quote(text)).append("[\\s\\S])").toString();
    }

    /// Whole numbers from one on.
    ///
    /// @param number digits, above 0
    public static String numberFrom(String number) {
        String least = number.replaceFirst("^0+", "");
        if (least.isEmpty()) {
            return "";
        }
        StringBuilder regex = new StringBuilder("^0*(?:[1-9][0-9]{" + least.length() + ",}");
        for (int i = 0; i < least.length(); i++) {
            char digit = least.charAt(i);
            if (digit < '9') {
                regex.append('|')
                        .append(least, 0, i)
                        .append("[" + (char) (digit + 1) + "-9]")
                        .append("[0-9]{" + (least.length() - i - 1) + "}");
            }
        }
        return regex.append('|').append(least).append(")$").toString();
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
                    regex.append(
                            c == '*'
                                    ? "[\\s\\S]*"
                                    : c == '?' ? "[\\s\\S]" : quote(String.valueOf(c)));
                }
                yield regex.append('$').toString();
            }
            case PathMatch.Regex regex -> regex.regex();
        };
    }
}
