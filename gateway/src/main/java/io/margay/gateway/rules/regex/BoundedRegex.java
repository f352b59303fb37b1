package io.margay.gateway.rules.regex;

import io.margay.gateway.rules.ExpressionPlaces;
import io.margay.gateway.rules.RuleLimits;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.regex.CountedText;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// A regular expression of a configuration, searched with within bounds of steps. Immutable.
///
/// httpd's are Perl's (PCRE): character classes are translated where `java.util.regex` reads them
/// otherwise. That engine backtracks; where it does not come to an end within its bound, RE2
/// searches, which takes time in proportion to the text, unless the expression or the text is one
/// that RE2 may read otherwise. What then does not come to an end (`(a+)+\1$`) is a refusal. Two
/// are equal when they are written alike.
public final class BoundedRegex {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    /// Steps of RE2 for each of the other engine, which cost less.
    private static final int LINEAR_STEPS = 10;

    /// Of a search in content: some milliseconds, and some more for each byte of a long line.
    private static final int BYTES_STEPS = 100_000;

    private static final int STEPS_OF_BYTE = 20;

    /// Of several lines.
    private static final Pattern FLAGS = Pattern.compile("\\(\\?[a-z]*m");

    private final String text;
    private final Pattern pattern;
    private final @Nullable LinearRegex linear;
    private final int steps;

    /// Where it is written, for warnings.
    private final ExpressionPlaces.Place place;

    private BoundedRegex(String text, Pattern pattern, @Nullable LinearRegex linear, int steps) {
        this.text = text;
        this.pattern = pattern;
        this.linear = linear;
        this.steps = steps;
        place = ExpressionPlaces.of(text);
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
    public static BoundedRegex of(String regex, boolean anyCase, RuleLimits limits) {
        int flags = anyCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
        String translated = translate(regex);
        return new BoundedRegex(
                regex,
                Pattern.compile(translated, flags),
                LinearRegex.of(translated, anyCase),
                limits.regexSteps());
    }

    /// Compiles for texts with a character for each byte: `.` is all but `\n`, `$` the end of the
    /// text alone (as httpd has it by default), and only letters of ASCII have two cases. The bound
    /// grows with the text, which is not the client's.
    ///
    /// @throws PatternSyntaxException for what is no regular expression
    public static BoundedRegex ofBytes(String regex, boolean anyCase) {
        int flags = Pattern.UNIX_LINES | (anyCase ? Pattern.CASE_INSENSITIVE : 0);
        return new BoundedRegex(
                regex, Pattern.compile(endOnly(translate(regex)), flags), null, BYTES_STEPS);
    }

    /// Has `$` be the end of the text, unless the expression says what it is by a flag.
    private static String endOnly(String regex) {
        if (FLAGS.matcher(regex).find()) {
            return regex;
        }
        StringBuilder result = new StringBuilder(regex.length());
        boolean inClass = false;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\' && i + 1 < regex.length()) {
                result.append(c).append(regex.charAt(++i));
            } else {
                inClass = c == '[' || (inClass && c != ']');
                result.append(c == '$' && !inClass ? "\\z" : String.valueOf(c));
            }
        }
        return result.toString();
    }

    /// Searches for one after the other, each time as if the text began where the latest find
    /// ended.
    ///
    /// @param found is to throw when a find does not go on
    /// @throws UndecidedException when the search does not come to an end within the bounds
    public void each(String text, Consumer<MatchResult> found) {
        long most = steps + (long) STEPS_OF_BYTE * text.length();
        try {
            CountedText counted = new CountedText(text, (int) Math.min(most, Integer.MAX_VALUE));
            Matcher matcher = pattern.matcher(counted);
            while (matcher.find()) {
                int end = matcher.end();
                found.accept(matcher);
                matcher.region(end, text.length());
            }
        } catch (CountedText.EndedException | StackOverflowError e) {
            throw undecided(text, (int) Math.min(most, Integer.MAX_VALUE));
        }
    }

    /// Searches.
    ///
    /// @return what was found first, or null
    /// @throws UndecidedException when the search does not come to an end within the bounds
    public @Nullable MatchResult find(String text) {
        try {
            Matcher matcher = pattern.matcher(new CountedText(text, steps));
            return matcher.find() ? matcher : null;
        } catch (CountedText.EndedException | StackOverflowError e) {
            return linear(text, search -> search.find() ? search : null);
        }
    }

    /// Replaces what is found.
    ///
    /// @param all whether all that is found, or the first
    /// @param by makes what takes the place of a find
    /// @return null when nothing is found
    /// @throws UndecidedException when the search does not come to an end within the bounds
    public @Nullable String replace(String text, boolean all, Function<MatchResult, String> by) {
        try {
            Matcher matcher = pattern.matcher(new CountedText(text, steps));
            return replaced(text, all, by, matcher, matcher::find);
        } catch (CountedText.EndedException | StackOverflowError e) {
            return linear(text, search -> replaced(text, all, by, search, search::find));
        }
    }

    private static @Nullable String replaced(
            String text,
            boolean all,
            Function<MatchResult, String> by,
            MatchResult found,
            BooleanSupplier find) {
        if (!find.getAsBoolean()) {
            return null;
        }
        StringBuilder made = new StringBuilder();
        int from = 0;
        boolean more = true;
        while (more) {
            made.append(text, from, found.start()).append(by.apply(found));
            from = found.end();
            more = all && find.getAsBoolean();
        }
        return made.append(text, from, text.length()).toString();
    }

    private <T> @Nullable T linear(String text, Function<LinearRegex.Search, @Nullable T> search) {
        LinearRegex other = linear;
        try {
            if (other != null && LinearRegex.isPlain(text)) {
                return search.apply(other.search(new CountedText(text, LINEAR_STEPS * steps)));
            }
        } catch (CountedText.EndedException e) {
            // It ends as without this engine.
        }
        throw undecided(text, steps);
    }

    private UndecidedException undecided(String text, int steps) {
        String refused =
                "the search for \"" + this.text + "\" did not end within " + steps + " steps";
        if (place.reports().isDue()) {
            LOG.log(
                    Level.WARNING,
                    "{0}{1} in {2} characters of a request, which is refused",
                    place.line().isEmpty() ? "" : place.line() + ": ",
                    refused,
                    text.length());
        }
        return new UndecidedException(refused);
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
            case "alpha" -> "a-zA-Z";
            case "digit" -> "0-9";
            case "alnum" -> "a-zA-Z0-9";
            case "upper" -> "A-Z";
            case "lower" -> "a-z";
            case "punct" -> "\\p{Punct}";
            case "xdigit" -> "0-9a-fA-F";
            case "space" -> "\\s";
            case "word" -> "\\w";
            default -> throw new PatternSyntaxException("unknown class", "[:" + name + ":]", 2);
        };
    }
}
