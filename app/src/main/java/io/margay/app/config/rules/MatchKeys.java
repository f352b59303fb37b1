package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.section;

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
    /// Which paths are meant.
    public static final Choice<PathMatch> MATCH =
            Choice.<PathMatch>maybe("paths")
                    .or(
                            "path",
                            "\"path\"",
                            new PathMatch.Glob("*"),
                            """
                            path (pattern) <a path, in which * is any run of characters and ? is
                              one> [required]: Takes paths like it: `*` is any run of characters,
                              `?` is one.
                            """)
                    .or(
                            "prefix",
                            "\"prefix\"",
                            new PathMatch.Prefix("/"),
                            """
                            prefix (path) <a path> [required]: Takes this path and what lies below
                              it; ending in /, what begins so.
                            """)
                    .or(
                            "regex",
                            "\"regex\"",
                            new PathMatch.Regex("", false, false),
                            """
                            regex <a regular expression?> [required]: Takes paths in which it is
                              found.
                            any-case: With `regex`: A is a.
                            not: With `regex`: takes those where it is not found.
                            """);

    private static final Keys<Condition> CONDITION =
            Binding.of("a condition", Condition.of("%{HTTP_HOST}", "shop"))
                    .keys(
                            """
                            value <a text with %{VARIABLE}?> [required]: What is looked at, as in
                              `%{HTTP_HOST}`; variables are those of mod_rewrite: REQUEST_URI,
                              QUERY_STRING, REQUEST_METHOD, HTTP_HOST, HTTPS, REMOTE_ADDR,
                              HTTP:Field and others; ENV:NAME is one of `variables`, SSL:NAME one of
                              mod_ssl's, `${map:key}` a value of `maps`.
                            regex <a regular expression?> [required]: What must be found in it; or
                              `-f`, `-d`, `-s`, `-l`: it must be the path of a file, a folder, a
                              file that is not empty, a link.
                            any-case: A is a.
                            not: It must not be found.
                            or: This or the next must hold.
                            """);

    /// What must hold, too.
    public static final Form<List<Condition>> CONDITIONS =
            list("conditions", section(CONDITION), 0);

    private MatchKeys() {}

    /// With the conditions of what has a component `when`.
    public static <R, B> Binding<R, B> when(Binding<R, B> keys) {
        return keys.form("when", CONDITIONS).keys("when [always]: What must hold, too.");
    }

    /// With the paths and conditions of what has `match` and `when`.
    public static <R, B> Binding<R, B> match(Binding<R, B> keys) {
        return keys.part("match", MATCH).then(MatchKeys::when);
    }

    /// The same with `order`.
    public static <R, B> Binding<R, B> ordered(Binding<R, B> keys) {
        return keys.then(MatchKeys::match)
                .keys(
                        """
                        order: Where it comes among what files such as .htaccess say, by these
                          numbers: theirs have 1 and the slashes in the path of their folder.
                        """);
    }

    /// The paths of a route.
    public static PathMatch under(String path) {
        String prefix = RouteSettings.Place.parse(path).path();
        return prefix.isEmpty() ? PathMatch.ANY : new PathMatch.Prefix(prefix);
    }
}
