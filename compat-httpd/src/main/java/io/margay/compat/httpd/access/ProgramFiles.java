package io.margay.compat.httpd.access;

import io.margay.compat.httpd.expression.RegexText;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.FileHandler;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.protocol.http.MediaTypes;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which of httpd's handlers and types make a program of a file. Stateless.
final class ProgramFiles {
    static final String TEXT = "programs are not run: such files get 404";
    static final String TYPES = "file types come from the media type registry";
    static final String ACTIVE =
            "is not supported: what browsers run would be sent with the type of its ending";

    /// Types of files in which browsers run what is written there.
    private static final Pattern RUN_BY_BROWSERS =
            Pattern.compile("(?i)text/html|text/xml|application/xml|.*\\+xml|.*/javascript");

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
            Pattern.compile("httpd|php|-cgi|server-parsed", Pattern.CASE_INSENSITIVE);

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

    /// Whether a directive gives files another type that are run by browsers otherwise.
    ///
    /// @param from its first ending
    static boolean changesActive(HttpdNode node, int from) {
        String type = from == 0 ? "" : node.argument(0).replaceFirst(";.*", "").strip();
        return node.arguments().stream()
                .skip(from)
                .map(ending -> MediaTypes.ofFileName("x." + ending.replaceFirst("^\\.", "")))
                .anyMatch(known ->
                        known != null
                                && RUN_BY_BROWSERS.matcher(known).matches()
                                && !known.equalsIgnoreCase(type));
    }

    static boolean isType(String name) {
        return PROGRAM.matcher(name).find();
    }
}
