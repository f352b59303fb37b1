package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.List;

/// The keys that say which requests a rule is about.
public final class MatchKeys {
    public static final Choice<PathMatch> MATCH =
            Choice.<PathMatch>maybe("paths")
                    .or(
                            "path",
                            new PathMatch.Glob("*"),
                            """
                            path (pattern) <a path, in which * is any run of characters and ? is
                              one> [required]: Matches paths; `*` is any run of characters, `?` is
                              one.
                            """)
                    .or(
                            "prefix",
                            new PathMatch.Prefix("/"),
                            """
                            prefix (path) <a path> [required]: Matches this path and those below it;
                              with a final /, paths that begin so.
                            """)
                    .or(
                            "regex",
                            new PathMatch.Regex("", false, false),
                            """
                            regex <a regular expression?> [required]: Matches paths in which it is
                              found.
                            any-case: With `regex`: ignores case.
                            not: With `regex`: matches where it is not found.
                            """);

    private static final Keys<Condition> CONDITION =
            Binding.of("a condition", Condition.of("%{HTTP_HOST}", "shop"))
                    .keys(
                            """
                            value <a text with %{VARIABLE}?> [required]: Text to test, as in
                              `%{HTTP_HOST}`. Variables are those of mod_rewrite; `ENV:NAME` is one
                              of `variables`, `SSL:NAME` one of mod_ssl's, `${map:key}` a value of
                              `maps`.
                            regex <a regular expression?> [required]: Must match in it. Or `-f`,
                              `-d`, `-s`, `-l`: it is the path of a file, a folder, a non-empty
                              file, a link.
                            any-case: A is a.
                            not: It must not be found.
                            or: This or the next must hold.
                            """);

    public static final Form<List<Condition>> CONDITIONS =
            list("conditions", section(CONDITION), 0);

    private MatchKeys() {}

    /// With the conditions of what has a component `when`.
    public static <R> Binding<R> when(Binding<R> keys) {
        return keys.form("when", CONDITIONS).keys("when [always]: Further conditions.");
    }

    /// With the paths and conditions of what has `match` and `when`.
    public static <R> Binding<R> match(Binding<R> keys) {
        return keys.part("match", MATCH).then(MatchKeys::when);
    }

    /// The same with `order`.
    public static <R> Binding<R> ordered(Binding<R> keys) {
        return keys.then(MatchKeys::match)
                .keys(
                        """
                        order: Position among rules of files such as `.htaccess`, which have 1 plus
                          the slashes in their folder's path.
                        """);
    }

    /// The paths of a route.
    public static PathMatch under(String path) {
        String prefix = RouteSettings.Place.parse(path).path();
        return prefix.isEmpty() ? PathMatch.ANY : new PathMatch.Prefix(prefix);
    }
}
