package io.margay.compat.tomcat.rewrite;

import io.margay.server.regex.BoundedPattern;
import io.margay.servlet.resource.WebResource;
import java.util.Map;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// A `RewriteCond`. Immutable.
///
/// @param not whether the test must fail
/// @param orNext whether this one or the next must hold
record RewriteCondition(RewriteText value, Test test, boolean not, boolean orNext) {
    /// What is asked of the value.
    sealed interface Test {
        /// The whole of it matches.
        record Matches(BoundedPattern pattern) implements Test {}

        /// Compared as texts.
        ///
        /// @param sign of the comparison: -1, 0 or 1
        record Compares(int sign, String with) implements Test {}

        /// It is the path of a file of the application.
        record Is(FileKind kind) implements Test {}
    }

    /// What a path must be the path of.
    enum FileKind {
        FOLDER,
        FILE,
        FILE_WITH_CONTENT
    }

    /// Reads one.
    ///
    /// @param flags `NC` and `OR`, with nothing else among them
    /// @throws IllegalArgumentException when it cannot be one
    static RewriteCondition of(
            String value, String pattern, Map<String, String> flags, Map<String, RewriteMap> maps) {
        boolean not = pattern.startsWith("!");
        String text = not ? pattern.substring(1) : pattern;
        Test test =
                switch (text) {
                    case "-d" -> new Test.Is(FileKind.FOLDER);
                    case "-f" -> new Test.Is(FileKind.FILE);
                    case "-s" -> new Test.Is(FileKind.FILE_WITH_CONTENT);
                    default -> comparison(text);
                };
        if (test == null) {
            test = new Test.Matches(BoundedPattern.of(text, flags.containsKey("NC")));
        }
        return new RewriteCondition(
                RewriteText.of(value, maps), test, not, flags.containsKey("OR"));
    }

    private static @Nullable Test comparison(String text) {
        int sign = text.isEmpty() ? -1 : "<=>".indexOf(text.charAt(0));
        if (sign < 0) {
            return null;
        }
        String with = text.substring(1);
        return new Test.Compares(sign - 1, with.equals("\"\"") ? "" : with);
    }

    /// What has become of a condition.
    ///
    /// @param match groups that later texts may use; null = there are none
    record Result(boolean holds, @Nullable MatchResult match) {}

    /// Asks it of a request.
    Result of(RewriteRequest request, @Nullable MatchResult rule, @Nullable MatchResult last) {
        String text = value.of(request, rule, last, false);
        return switch (test) {
            case Test.Matches(BoundedPattern pattern) -> {
                MatchResult match = pattern.match(text);
                yield new Result((match != null) != not, match);
            }
            case Test.Compares(int sign, String with) ->
                    new Result((Integer.signum(text.compareTo(with)) == sign) != not, null);
            case Test.Is(FileKind kind) -> new Result(is(request.file(text), kind) != not, null);
        };
    }

    private static boolean is(@Nullable WebResource found, FileKind kind) {
        return found != null
                && switch (kind) {
                    case FOLDER -> found.isFolder();
                    case FILE -> !found.isFolder();
                    case FILE_WITH_CONTENT -> !found.isFolder() && found.length() > 0;
                };
    }
}
