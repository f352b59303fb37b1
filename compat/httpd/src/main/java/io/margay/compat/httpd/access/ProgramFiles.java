package io.margay.compat.httpd.access;

import io.margay.compat.httpd.expression.RegexText;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.access.match.SectionMatch;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which of httpd's handlers and types make a program of a file. Stateless.
final class ProgramFiles {
    static final String TEXT = "programs are not run: such files get 404";

    /// What sends files as they are, or answers without one.
    private static final Set<String> NO_PROGRAMS =
            Set.of(
                    "none",
                    "default",
                    "default-handler",
                    "server-status",
                    "server-info",
                    "balancer-manager");

    private static final Pattern PROGRAM =
            Pattern.compile("httpd|php|-cgi|server-parsed|^proxy:", Pattern.CASE_INSENSITIVE);

    private ProgramFiles() {}

    static boolean isProgram(FileHandler handler) {
        return handler instanceof FileHandler.Program || handler instanceof FileHandler.Run;
    }

    /// An expression of the names that a section is about; null where it is about all.
    static @Nullable String regex(SectionMatch names) {
        return switch (names) {
            case SectionMatch.Literal(String text) -> "^" + RegexText.quote(text) + "$";
            case SectionMatch.Pattern pattern -> pattern.regex().toString();
            case SectionMatch.Found(var regex) -> regex.toString();
            case SectionMatch.Everything _, SectionMatch.When _ -> null;
        };
    }

    /// An expression of the names that have an ending, which need not be the last.
    static String regex(String ending) {
        return "(?i)\\." + RegexText.quote(ending) + "(?:\\.|$)";
    }

    static boolean isHandler(String name) {
        return !NO_PROGRAMS.contains(name.toLowerCase(Locale.ROOT));
    }

    /// An ending as it is looked up.
    static String plain(String ending) {
        return ending.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT);
    }

    static boolean isType(String name) {
        return PROGRAM.matcher(name).find();
    }
}
