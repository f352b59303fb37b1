package io.margay.gateway.rules.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// The same expression for RE2, which takes time in proportion to the text, whatever that is. There
/// is none for what RE2 does not have (references, lookaround, possessive and atomic groups), nor
/// where it might find something else than the other engine does. Immutable.
final class LinearRegex {
    private final Pattern pattern;

    private LinearRegex(Pattern pattern) {
        this.pattern = pattern;
    }

    /// Compiles.
    ///
    /// @param regex as `java.util.regex` reads it
    /// @return null when there is none
    static @Nullable LinearRegex of(String regex, boolean anyCase) {
        if (!isCommon(regex)) {
            return null;
        }
        try {
            return new LinearRegex(Pattern.compile(regex, anyCase ? Pattern.CASE_INSENSITIVE : 0));
        } catch (PatternSyntaxException e) {
            return null;
        }
    }

    /// Whether both engines read an expression alike: ASCII, escapes that both have, no group but
    /// plain and non-capturing ones, and none that captures within a repetition, where the two
    /// differ in what the last turn has captured.
    private static boolean isCommon(String regex) {
        boolean captures = false;
        boolean repeats = false;
        boolean inClass = false;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            char next = i + 1 < regex.length() ? regex.charAt(i + 1) : 0;
            if (c < ' ' || c > '~') {
                return false;
            }
            if (c == '\\') {
                boolean known =
                        Character.isLetterOrDigit(next)
                                ? "dDwWsSbBtnr".indexOf(next) >= 0
                                : next > ' ';
                if (!known || (inClass && (next == 'b' || next == 'B'))) {
                    return false;
                }
                i++;
            } else if (inClass) {
                inClass = c != ']';
            } else if (c == '[') {
                inClass = true;
                // A bracket that comes first in a class is one of its characters.
                int first = next == '^' ? i + 2 : i + 1;
                if (first < regex.length() && regex.charAt(first) == ']') {
                    return false;
                }
            } else if (c == '(') {
                if (next == '?' && !regex.startsWith("(?:", i)) {
                    return false;
                }
                captures |= next != '?';
            } else if (c == ')') {
                repeats |= next == '*' || next == '+' || next == '{';
            } else if ((c == '*' || c == '+' || c == '?' || c == '}') && next == '+') {
                return false;
            }
        }
        return !(captures && repeats);
    }

    /// Whether both engines read a text alike: what one takes for the end of a line is not in it.
    static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > '~' || (c < ' ' && c != '\t')) {
                return false;
            }
        }
        return true;
    }

    /// Begins to search.
    Search search(CharSequence text) {
        return new Search(pattern.matcher(text));
    }

    /// One search, of which the latest find is what it tells. Confined to a thread.
    static final class Search implements MatchResult {
        private final Matcher matcher;

        private Search(Matcher matcher) {
            this.matcher = matcher;
        }

        boolean find() {
            return matcher.find();
        }

        @Override
        public int start() {
            return matcher.start();
        }

        @Override
        public int start(int group) {
            return matcher.start(group);
        }

        @Override
        public int end() {
            return matcher.end();
        }

        @Override
        public int end(int group) {
            return matcher.end(group);
        }

        @Override
        public String group() {
            return matcher.group();
        }

        @Override
        public @Nullable String group(int group) {
            return matcher.group(group);
        }

        @Override
        public int groupCount() {
            return matcher.groupCount();
        }
    }
}
