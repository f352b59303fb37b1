package io.margay.compat.httpd.context;

import io.margay.compat.httpd.expression.RegexText;
import io.margay.compat.httpd.expression.RequestTerm;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.access.match.SectionMatch.Kind;
import io.margay.gateway.rules.GatewayRule.Condition;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What `Directory` and `Files` ask of the file that a request is for. What is passed on to a peer
/// by its path is for none, as in httpd. Stateless.
final class FileTerms {
    private static final String FILE = "%{MAPPED_FILE}";
    private static final String NAME = "%{MAPPED_NAME}";

    private FileTerms() {}

    /// A folder, or folders by wildcards, and what lies below.
    static RequestTerm below(String folder, Function<String, @Nullable Path> paths) {
        String plain = folder.length() > 1 ? folder.replaceFirst("/+$", "") : folder;
        if (plain.equals("/") || plain.isEmpty()) {
            return test(FILE, ".");
        }
        if (SectionMatch.of(plain, Kind.FOLDER) instanceof SectionMatch.Literal) {
            Path path = paths.apply(plain);
            String whole = path == null ? plain : path.toAbsolutePath().normalize().toString();
            return test(FILE, "^" + RegexText.quote(whole) + "(?:/|$)");
        }
        return test(FILE, "^" + wildcards(plain) + "(?:/|$)");
    }

    /// Folders by an expression.
    static RequestTerm matching(String regex) {
        return new RequestTerm.All(List.of(test(FILE, "."), test(FILE, regex)));
    }

    /// Files by their names.
    static RequestTerm named(String name) {
        return test(NAME, "^" + wildcards(name) + "$");
    }

    /// Files by an expression of their names.
    static RequestTerm found(String regex) {
        return new RequestTerm.All(List.of(test(FILE, "."), test(NAME, regex)));
    }

    /// How deep a folder lies; more than any where it is an expression.
    static int depth(HttpdSection section) {
        int slashes = (int) section.argument().chars().filter(c -> c == '/').count();
        return section.regex() ? 10_000 + slashes : section.argument().equals("/") ? 0 : slashes;
    }

    private static RequestTerm test(String value, String regex) {
        return new RequestTerm.Test(Condition.of(value, regex));
    }

    private static String wildcards(String text) {
        return SectionMatch.of(text, Kind.FOLDER) instanceof SectionMatch.Pattern(var _, var regex)
                ? regex.toString().replaceFirst("^\\\\A", "").replaceFirst("\\\\z$", "")
                : RegexText.quote(text);
    }
}
