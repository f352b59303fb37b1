package io.margay.compat.nginx.syntax;

import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An expression of nginx's (PCRE) as one of Java's. Immutable.
///
/// @param names of its groups, by their numbers from 1; empty for those without
public record NginxRegex(String text, List<String> names) {
    public NginxRegex {
        names = List.copyOf(names);
    }

    /// The beginning of a group, or what only looks like it.
    private static final Pattern GROUP =
            Pattern.compile(
                    "\\\\.|\\[(?:\\\\.|[^\\]\\\\])++\\]|\\(\\?P?[<'](?![=!])(\\w+)[>']|\\((?!\\?)");

    private static final int GROUPS_MAX = 9;

    /// What an expression found lastly, `%{ENV:nginx.1}` and so on.
    public static final String FOUND = "nginx.";

    /// Reads one.
    ///
    /// @throws IllegalArgumentException when it is malformed, or no expression of Java's
    public static NginxRegex of(String pcre) {
        List<String> names = new ArrayList<>();
        Matcher matcher = GROUP.matcher(pcre);
        StringBuilder made = new StringBuilder();
        while (matcher.find()) {
            String found = matcher.group();
            String name = matcher.group(1);
            if (found.startsWith("(")) {
                names.add(name == null ? "" : name);
                found = "(";
            }
            matcher.appendReplacement(made, Matcher.quoteReplacement(found));
        }
        matcher.appendTail(made);
        String text =
                made.toString()
                        .replace("[:alnum:]", "\\p{Alnum}")
                        .replace("[:alpha:]", "\\p{Alpha}")
                        .replace("[:digit:]", "\\p{Digit}");
        Object _ = BoundedRegex.of(text);
        return new NginxRegex(text, List.copyOf(names));
    }

    /// What it found, as variables.
    ///
    /// @param sign `$` where it was looked for in the path, `%` where in a condition
    public List<Assignment> found(char sign) {
        List<Assignment> sets = new ArrayList<>();
        for (int i = 1; i <= Math.min(names.size(), GROUPS_MAX); i++) {
            sets.add(new Assignment(FOUND + i, sign + Integer.toString(i)));
            if (!names.get(i - 1).isEmpty()) {
                sets.add(new Assignment(names.get(i - 1), sign + Integer.toString(i)));
            }
        }
        return sets;
    }

    /// A text as an expression.
    public static String quote(String text) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("\\^$.|?*+()[]{}".indexOf(c) >= 0) {
                made.append('\\');
            }
            made.append(c);
        }
        return made.toString();
    }
}
