package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.RuleLimits;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// A regular expression of a configuration, searched with within a bound of steps. Immutable.
///
/// httpd's are Perl's (PCRE): character classes are translated where `java.util.regex` reads them
/// otherwise. An expression that backtracks without end (`(a+)+$`) is stopped, not followed. Two
/// are equal when they are written alike.
public final class BoundedRegex {
    private final String text;
    private final Pattern pattern;
    private final int steps;

    private BoundedRegex(String text, Pattern pattern, int steps) {
        this.text = text;
        this.pattern = pattern;
        this.steps = steps;
    }

    /// Compiles, with the usual bound.
    ///
    /// @throws PatternSyntaxException for what is no regular expression
    public static BoundedRegex of(String regex) {
        return of(regex, false, RuleLimits.defaults());
    }

    /// Compiles.
    ///
    /// @throws PatternSyntaxException for what is no regular expression
    static BoundedRegex of(String regex, boolean anyCase, RuleLimits limits) {
        int flags = anyCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
        return new BoundedRegex(
                regex, Pattern.compile(translate(regex), flags), limits.regexSteps());
    }

    /// Searches.
    ///
    /// @return a matcher that has found something, or null
    /// @throws TooManyStepsException when the search does not come to an end within the bound
    public @Nullable Matcher find(String text) {
        Matcher matcher = pattern.matcher(new Counted(text, steps));
        try {
            return matcher.find() ? matcher : null;
        } catch (StackOverflowError e) {
            throw new TooManyStepsException();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BoundedRegex those
                && text.equals(those.text)
                && pattern.flags() == those.pattern.flags()
                && steps == those.steps;
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// As it is written.
    @Override
    public String toString() {
        return text;
    }

    /// In a class, `[` and `&&` are plain characters to PCRE, and `[:alpha:]` is POSIX's class.
    static String translate(String regex) {
        StringBuilder result = new StringBuilder(regex.length());
        boolean inClass = false;
        int classStart = 0;
        int i = 0;
        while (i < regex.length()) {
            char c = regex.charAt(i++);
            if (c == '\\' && i < regex.length()) {
                result.append(c).append(regex.charAt(i++));
            } else if (!inClass) {
                inClass = c == '[';
                classStart = regex.startsWith("^", i) ? i + 1 : i;
                result.append(c);
            } else if (c == ']' && i - 1 > classStart) {
                inClass = false;
                result.append(c);
            } else if (c == '[') {
                int end = regex.startsWith(":", i) ? regex.indexOf(":]", i + 1) : -1;
                if (end > 0) {
                    result.append(posix(regex.substring(i + 1, end)));
                    i = end + 2;
                } else {
                    result.append("\\[");
                }
            } else if (c == ']' || c == '&') {
                result.append('\\').append(c);
            } else {
                result.append(c);
            }
        }
        return result.toString();
    }

    private static String posix(String name) {
        return switch (name) {
            case "alpha" -> "\\p{Alpha}";
            case "digit" -> "\\p{Digit}";
            case "alnum" -> "\\p{Alnum}";
            case "upper" -> "\\p{Upper}";
            case "lower" -> "\\p{Lower}";
            case "punct" -> "\\p{Punct}";
            case "xdigit" -> "\\p{XDigit}";
            case "space" -> "\\s";
            case "word" -> "\\w";
            default -> throw new PatternSyntaxException("unknown class", "[:" + name + ":]", 2);
        };
    }

    /// A search took more steps than it may.
    public static final class TooManyStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyStepsException() {
            super("the search does not end", null, false, false);
        }
    }

    /// A text that counts how often its characters are looked at. Confined to one search.
    private static final class Counted implements CharSequence {
        private final String text;
        private int left;

        Counted(String text, int left) {
            this.text = text;
            this.left = left;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
