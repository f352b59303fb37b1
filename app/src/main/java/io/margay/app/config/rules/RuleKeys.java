package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.flag;
import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.named;
import static io.margay.app.config.binding.Forms.scalar;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.textOrNone;
import static io.margay.app.config.binding.Forms.whole;
import static io.margay.app.config.binding.Forms.word;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Held;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Forward;
import io.margay.gateway.rules.RuleAction.Query;
import io.margay.gateway.rules.RuleAction.Redirect;
import io.margay.gateway.rules.RuleAction.Rewrite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The keys of a rule.
public final class RuleKeys {
    /// The keys of which one says what a rule does.
    public static final List<String> ACTIONS =
            List.of(
                    "to",
                    "leave",
                    "settle",
                    "redirect",
                    "refuse",
                    "say",
                    "rewrite",
                    "skip",
                    "page");

    private static final int SKIP_MAX = 1_000_000;

    /// What no rule does.
    private static final RuleAction NOTHING = new RuleAction.Skip(Integer.MIN_VALUE);

    private static final Form<Map<String, String>> SET =
            named("variables", "NAME", Shape.text("a name"), textOrNone("a text"));

    private static final Binding<RuleAction, Held<RuleAction>> ACTION =
            Binding.ofOne("what a rule does", NOTHING)
                    .key(
                            "to",
                            scalar(
                                    UpstreamKeys.NAME,
                                    String.class,
                                    YamlText::quote,
                                    List.of("some")),
                            action -> action instanceof Forward forward ? forward.upstream() : null,
                            (to, name) -> forward(to, now -> Forward.to(name, now.rules())),
                            "Sends it to this upstream.")
                    .key(
                            "leave",
                            flag(),
                            action -> action instanceof RuleAction.Leave ? Boolean.TRUE : null,
                            (to, _) -> to.set(new RuleAction.Leave()),
                            "Leaves it to the routes.")
                    .key(
                            "settle",
                            flag(),
                            action -> action instanceof RuleAction.Settle ? Boolean.TRUE : null,
                            (to, _) -> to.set(new RuleAction.Settle()),
                            "Leaves it to the routes where a rule before has given it another path:"
                                    + " files are those of that path.")
                    .key(
                            "redirect",
                            whole(300, 399),
                            action -> action instanceof Redirect one ? one.status() : null,
                            (to, status) -> to.set(new Redirect(status, "/", Query.KEEP)),
                            "Redirects to `target`, with a status.")
                    .key(
                            "refuse",
                            whole(400, 599),
                            action -> action instanceof RuleAction.Refuse one ? one.status() : null,
                            (to, status) -> to.set(new RuleAction.Refuse(status)),
                            "Answers with this status; 444 closes the connection without an"
                                    + " answer.")
                    .key(
                            "say",
                            whole(200, 599),
                            action -> action instanceof RuleAction.Say one ? one.status() : null,
                            (to, status) -> to.set(new RuleAction.Say(status, "text/plain", "")),
                            "Answers with this status and `text`.")
                    .key(
                            "text",
                            textOrNone("a text"),
                            action -> action instanceof RuleAction.Say one ? one.text() : null,
                            (to, text) -> {
                                if (to.get() instanceof RuleAction.Say one) {
                                    to.set(new RuleAction.Say(one.status(), one.type(), text));
                                }
                            },
                            "With `say`: what is said, in which variables stand as in `rewrite`.")
                    .key(
                            "type",
                            text("a media type"),
                            action -> action instanceof RuleAction.Say one ? one.type() : null,
                            (to, type) -> {
                                if (to.get() instanceof RuleAction.Say one) {
                                    to.set(new RuleAction.Say(one.status(), type, one.text()));
                                }
                            },
                            "text/plain",
                            "With `say`: its media type.")
                    .key(
                            "rewrite",
                            textOrNone("a path, perhaps with a query"),
                            action -> action instanceof Rewrite one ? one.target() : null,
                            (to, path) -> to.set(new Rewrite(path, Query.KEEP, 0)),
                            "Goes on with this path, in which $1 is what `regex` found first, %1"
                                    + " what the last condition did.")
                    .key(
                            "skip",
                            whole(-SKIP_MAX, SKIP_MAX),
                            RuleKeys::skipped,
                            (to, rules) ->
                                    to.set(
                                            to.get() instanceof Rewrite one
                                                    ? new Rewrite(
                                                            one.target(),
                                                            one.query(),
                                                            rules,
                                                            one.end())
                                                    : new RuleAction.Skip(rules)),
                            "Alone: goes on after so many further rules. With `rewrite`: the same;"
                                    + " below 0 so many rules, this one included, are asked once"
                                    + " more.")
                    .key(
                            "end",
                            flag(),
                            action -> action instanceof Rewrite one && one.end(),
                            (to, end) -> {
                                if (to.get() instanceof Rewrite one) {
                                    to.set(new Rewrite(one.target(), one.query(), one.skip(), end));
                                }
                            },
                            "With `rewrite`: whether no rules of folders are asked about the path"
                                    + " that it makes.")
                    .key(
                            "page",
                            word(
                                    List.of(RuleAction.Page.Kind.values()),
                                    kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-')),
                            action -> action instanceof RuleAction.Page page ? page.kind() : null,
                            (to, kind) -> to.set(new RuleAction.Page(kind, "", false)),
                            "Answers with a page of the gateway about itself.")
                    .key(
                            "worker",
                            text("a name"),
                            action -> action instanceof RuleAction.Page page ? page.worker() : "",
                            (to, worker) -> {
                                if (to.get() instanceof RuleAction.Page page) {
                                    to.set(
                                            new RuleAction.Page(
                                                    page.kind(), worker, page.changes()));
                                }
                            },
                            "With `page`: whose page it is.")
                    .key(
                            "changes",
                            flag(),
                            action -> action instanceof RuleAction.Page page && page.changes(),
                            (to, changes) -> {
                                if (to.get() instanceof RuleAction.Page page) {
                                    to.set(
                                            new RuleAction.Page(
                                                    page.kind(), page.worker(), changes));
                                }
                            },
                            "With `page`: whether everybody who is let in may change what it shows,"
                                    + " as with httpd; but for browsers that another site leads"
                                    + " here.")
                    .key(
                            "target",
                            textOrNone("a path or URL"),
                            RuleKeys::target,
                            (to, target) -> {
                                if (to.get() instanceof Redirect one) {
                                    to.set(new Redirect(one.status(), target, one.query()));
                                } else if (to.get() instanceof Forward one) {
                                    to.set(
                                            new Forward(
                                                    one.upstream(),
                                                    target,
                                                    one.raw(),
                                                    one.query(),
                                                    one.rules()));
                                }
                            },
                            "the client's",
                            "What is asked for instead: of a prefix it takes the prefix's place,"
                                    + " else it is made as `rewrite` is.")
                    .key(
                            "raw",
                            flag(),
                            action -> action instanceof Forward one && one.raw(),
                            (to, raw) ->
                                    forward(
                                            to,
                                            one ->
                                                    new Forward(
                                                            one.upstream(),
                                                            one.target(),
                                                            raw,
                                                            one.query(),
                                                            one.rules())),
                            "Whether the path is sent as the client spelt it; `..` is resolved all"
                                    + " the same.")
                    .key(
                            "query",
                            word(Query.values()),
                            RuleKeys::query,
                            RuleKeys::setQuery,
                            "The client's query: kept unless the target has one, added to the"
                                    + " target's, dropped.")
                    .part(
                            ProxyKeys.OF_RULE,
                            action -> action instanceof Forward one ? one.rules() : null,
                            (to, rules) ->
                                    forward(
                                            to,
                                            one ->
                                                    new Forward(
                                                            one.upstream(),
                                                            one.target(),
                                                            one.raw(),
                                                            one.query(),
                                                            rules)));

    public static final Keys<GatewayRule> RULE =
            Binding.of("a rule", GatewayRule.of(PathMatch.ANY, NOTHING))
                    .part("match", MatchKeys.MATCH)
                    .key(
                            "except",
                            list("paths", text("a path, perhaps with * and ?"), 0),
                            "Paths that are left to the routes.")
                    .key(
                            MatchKeys.WHEN,
                            MatchKeys.CONDITIONS,
                            MatchKeys.ALWAYS,
                            MatchKeys.WHEN_MEANS)
                    .part("action", ACTION)
                    .keyAs(
                            "sets",
                            "set",
                            SET.as(RuleKeys::assignments, RuleKeys::variables),
                            "Variables that it sets: later rules and what a host changes know"
                                    + " them as `%{ENV:NAME}`.")
                    .keyAs(
                            "plain",
                            "plain-path",
                            flag(),
                            "Whether it answers 403 where a path that it makes of the request's"
                                    + " has an encoded ?, as mod_rewrite does.")
                    .key(
                            "guarded",
                            flag(),
                            "Whether the sections of `access` are asked first who may see its"
                                    + " redirection, text or error.");

    private RuleKeys() {}

    /// A rule of a host.
    public static Section rule() {
        return with(List.of("end"), false);
    }

    /// Rules that redirect or refuse.
    public static Section redirect() {
        return with(
                List.of(
                        "path",
                        "prefix",
                        "regex",
                        "any-case",
                        "not",
                        "when",
                        "redirect",
                        "refuse",
                        "target",
                        "query"),
                true);
    }

    /// Rules about files of folders.
    public static Section rewrite() {
        return with(List.of("except", "leave", "settle", "page", "worker", "changes"), false);
    }

    private static Section with(List<String> names, boolean wanted) {
        return new Section(
                RULE.says(),
                RULE.shapes().stream().filter(key -> names.contains(key.name()) == wanted).toList(),
                List.of());
    }

    /// A rule as its section says it.
    public static GatewayRule read(Settings section, Reading reading) {
        RuleAction action = section.has("to") ? Forward.to("", ProxyRules.defaults()) : NOTHING;
        return RULE.read(section, GatewayRule.of(PathMatch.ANY, action), reading);
    }

    /// A rule as it stands in the file; which paths it is about always does.
    public static Map<String, Object> write(GatewayRule rule) {
        Map<String, Object> written = new LinkedHashMap<>();
        if (rule.match().equals(PathMatch.ANY)) {
            written.put("path", YamlText.quote("*"));
        }
        written.putAll(RULE.write(rule, RULE.defaults()));
        return written;
    }

    private static void forward(Held<RuleAction> held, UnaryOperator<Forward> change) {
        if (held.get() instanceof Forward forward) {
            held.set(change.apply(forward));
        }
    }

    private static @Nullable Integer skipped(RuleAction action) {
        return switch (action) {
            case RuleAction.Skip one -> one.equals(NOTHING) ? null : one.rules();
            case Rewrite one -> one.skip() == 0 ? null : one.skip();
            default -> null;
        };
    }

    private static @Nullable String target(RuleAction action) {
        return switch (action) {
            case Redirect one -> one.target();
            case Forward one -> one.target();
            default -> null;
        };
    }

    private static Query query(RuleAction action) {
        return switch (action) {
            case Redirect one -> one.query();
            case Rewrite one -> one.query();
            case Forward one -> one.query();
            default -> Query.KEEP;
        };
    }

    private static void setQuery(Held<RuleAction> held, Query query) {
        switch (held.get()) {
            case Redirect one -> held.set(new Redirect(one.status(), one.target(), query));
            case Rewrite one -> held.set(new Rewrite(one.target(), query, one.skip(), one.end()));
            case Forward one ->
                    held.set(
                            new Forward(
                                    one.upstream(), one.target(), one.raw(), query, one.rules()));
            default -> {
                // It has no effect.
            }
        }
    }

    private static List<Assignment> assignments(Map<String, String> values) {
        return values.entrySet().stream()
                .map(one -> new Assignment(one.getKey(), one.getValue()))
                .toList();
    }

    private static Map<String, String> variables(List<Assignment> all) {
        Map<String, String> values = new LinkedHashMap<>();
        all.forEach(one -> values.put(one.name(), String.valueOf(one.value())));
        return values;
    }
}
