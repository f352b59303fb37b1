package io.margay.compat.httpd.expression;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.regex.Pattern;

/// Regular expressions made of other texts. Stateless.
public final class RegexText {
    private static final Pattern SPECIAL = Pattern.compile("[\\\\^$.|?*+()\\[\\]{}]");

    private RegexText() {}

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
