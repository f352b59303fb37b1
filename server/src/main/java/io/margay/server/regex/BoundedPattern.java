package io.margay.server.regex;

import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.UndecidedException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// A regular expression of a configuration as Java writes it, for the whole of what a client sends,
/// within a bound of steps. A match that does not come to an end is a refusal. Immutable; two are
/// equal when they are written alike.
public final class BoundedPattern {
    private static final System.Logger LOG = System.getLogger("io.margay.server");

    /// Characters that one match may look at: some milliseconds, and enough for expressions that go
    /// through a field of 8 KiB a hundred times.
    public static final int STEPS = 1_000_000;

    private final Pattern pattern;
    private final LogRate reports = new LogRate(Duration.ofMinutes(1), System::nanoTime);

    private BoundedPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /// Compiles.
    ///
    /// @throws PatternSyntaxException for what is no regular expression
    public static BoundedPattern of(String regex, boolean anyCase) {
        return new BoundedPattern(Pattern.compile(regex, anyCase ? Pattern.CASE_INSENSITIVE : 0));
    }

    /// Whether the whole text is one that the expression means.
    ///
    /// @throws UndecidedException when that does not come to an end
    public boolean matches(String text) {
        return match(text) != null;
    }

    /// Matches the whole text.
    ///
    /// @return the groups, or null
    /// @throws UndecidedException when it does not come to an end
    public @Nullable MatchResult match(String text) {
        try {
            Matcher matcher = pattern.matcher(new CountedText(text, STEPS));
            return matcher.matches() ? matcher.toMatchResult() : null;
        } catch (CountedText.EndedException | StackOverflowError e) {
            String refused = "the match with \"" + pattern + "\" did not end within its bound";
            if (reports.isDue()) {
                LOG.log(
                        Level.WARNING,
                        "{0} in {1} characters of a request, which is refused",
                        refused,
                        text.length());
            }
            throw new UndecidedException(refused);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BoundedPattern those
                && pattern.pattern().equals(those.pattern.pattern())
                && pattern.flags() == those.pattern.flags();
    }

    @Override
    public int hashCode() {
        return pattern.pattern().hashCode();
    }

    /// As it is written.
    @Override
    public String toString() {
        return pattern.pattern();
    }
}
