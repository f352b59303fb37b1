package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.flag;
import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.textOrNone;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Held;
import io.margay.app.config.binding.Keys;
import io.margay.app.yaml.Shape;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.GatewayRule.PathMatch.Glob;
import io.margay.gateway.rules.GatewayRule.PathMatch.Prefix;
import io.margay.gateway.rules.GatewayRule.PathMatch.Regex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys that say which requests a rule is about.
public final class MatchKeys {
    /// The keys of which one says which paths a rule takes.
    public static final List<String> PATHS = List.of("path", "prefix", "regex");

    /// Which paths are meant.
    public static final Binding<PathMatch, Held<PathMatch>> MATCH =
            Binding.ofOne("paths", PathMatch.ANY)
                    .key(
                            "path",
                            text("a path, in which * is any run of characters and ? is one"),
                            match ->
                                    match instanceof Glob(String pattern)
                                                    && !match.equals(PathMatch.ANY)
                                            ? pattern
                                            : null,
                            (to, pattern) -> to.set(new Glob(pattern)),
                            "Takes paths like it: `*` is any run of characters, `?` is one.")
                    .key(
                            "prefix",
                            text("a path"),
                            match -> match instanceof Prefix(String path) ? path : null,
                            (to, path) -> to.set(new Prefix(path)),
                            "Takes this path and what lies below it; ending in /, what begins so.")
                    .key(
                            "regex",
                            textOrNone("a regular expression"),
                            match -> match instanceof Regex regex ? regex.regex() : null,
                            (to, regex) -> to.set(new Regex(regex, false, false)),
                            "Takes paths in which it is found.")
                    .key(
                            "any-case",
                            flag(),
                            match -> match instanceof Regex regex && regex.anyCase(),
                            (to, anyCase) -> {
                                Regex regex = regex(to);
                                if (regex != null) {
                                    to.set(new Regex(regex.regex(), anyCase, regex.not()));
                                }
                            },
                            "With `regex`: A is a.")
                    .key(
                            "not",
                            flag(),
                            match -> match instanceof Regex regex && regex.not(),
                            (to, not) -> {
                                Regex regex = regex(to);
                                if (regex != null) {
                                    to.set(new Regex(regex.regex(), regex.anyCase(), not));
                                }
                            },
                            "With `regex`: takes those where it is not found.");

    private static final Keys<Condition> CONDITION =
            Binding.of("a condition", Condition.of("%{HTTP_HOST}", "shop"))
                    .form("value", textOrNone("a text with %{VARIABLE}"))
                    .form("regex", textOrNone("a regular expression"))
                    .keys(
                            """
                            value [required]: What is looked at, as in `%{HTTP_HOST}`; variables are
                              those of mod_rewrite: REQUEST_URI, QUERY_STRING, REQUEST_METHOD,
                              HTTP_HOST, HTTPS, REMOTE_ADDR, HTTP:Field and others; ENV:NAME is one
                              of `variables`, SSL:NAME one of mod_ssl's, `${map:key}` a value of
                              `maps`.
                            regex [required]: What must be found in it; or `-f`, `-d`, `-s`, `-l`:
                              it must be the path of a file, a folder, a file that is not empty, a
                              link.
                            any-case: A is a.
                            not: It must not be found.
                            or: This or the next must hold.
                            """);

    /// What must hold, too.
    public static final Form<List<Condition>> CONDITIONS =
            list("conditions", section(CONDITION), 0);

    public static final String WHEN = "when";
    public static final String ALWAYS = "always";
    public static final String ORDER = "order";

    public static final String ORDER_MEANS =
            "Where it comes among what files such as .htaccess say, by these numbers: theirs have 1"
                    + " and the slashes in the path of their folder.";

    public static final String WHEN_MEANS = "What must hold, too.";

    private MatchKeys() {}

    /// The key of conditions where another reader asks for them.
    public static Shape.Key when() {
        return Shape.optional(WHEN, CONDITIONS.shape(), ALWAYS, WHEN_MEANS);
    }

    /// The paths of a route.
    public static PathMatch under(String path) {
        String prefix = RouteSettings.Place.parse(path).path();
        return prefix.isEmpty() ? PathMatch.ANY : new PathMatch.Prefix(prefix);
    }

    private static @Nullable Regex regex(Held<PathMatch> held) {
        return held.get() instanceof Regex regex ? regex : null;
    }
}
