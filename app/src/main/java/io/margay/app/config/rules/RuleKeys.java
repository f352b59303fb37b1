package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Forward;
import io.margay.gateway.rules.RuleAction.Page;
import io.margay.gateway.rules.RuleAction.Query;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The keys of a rule. Stateless.
public final class RuleKeys {
    /// What no rule does.
    private static final RuleAction NOTHING = new RuleAction.Skip(Integer.MIN_VALUE);

    private static final Keys<Forward> FORWARD =
            Binding.of("a rule", Forward.to("-", ProxyRules.defaults()))
                    .form("to", UpstreamKeys.NAMED)
                    .keys(
                            """
                            to (upstream) [required]: Sends it to this upstream.
                            target <a path or URL?> [the client's]: New target: replaces the prefix,
                              or is built as `rewrite`.
                            raw: Sends the path as the client wrote it, with `..` resolved.
                            query: The client's query: kept unless the target has one, appended,
                              dropped.
                            """)
                    .part("rules", ProxyKeys.OF_RULE);

    private static final Choice<RuleAction> ACTION =
            Choice.<RuleAction>maybe("what a rule does")
                    .or("to", FORWARD)
                    .or("leave", new RuleAction.Leave(), "Leaves it to the routes.")
                    .or(
                            "settle",
                            new RuleAction.Settle(),
                            "Leaves it to the routes if an earlier rule changed the path.")
                    .or(
                            "redirect",
                            new RuleAction.Redirect(302, "/", Query.KEEP),
                            """
                            redirect (status) <300 to 399> [required]: Redirects to `target`, with a
                              status.
                            target <a path or URL?>: What is asked for instead.
                            query: The client's query.
                            """)
                    .or(
                            "refuse",
                            new RuleAction.Refuse(403),
                            """
                            refuse (status) <400 to 599> [required]: Answers with this status; 444
                              closes the connection without an answer.
                            """)
                    .or(
                            "say",
                            new RuleAction.Say(200, "text/plain", ""),
                            """
                            say (status) <200 to 599> [required]: Answers with this status and
                              `text`.
                            text <a text?>: Text of the response, with variables as in `rewrite`.
                            type <a media type>: Its media type.
                            """)
                    .or(
                            "rewrite",
                            new RuleAction.Rewrite("/", Query.KEEP, 0),
                            """
                            rewrite (target) <a path, perhaps with a query?> [required]: Continues
                              with this path; `$1` is a group of `regex`, `%1` of the last
                              condition.
                            query: The client's query.
                            skip <-1000000 to 1000000> [=none]: Skips this many rules; with
                              `rewrite` a negative number repeats the last rules, including this
                              one.
                            end: With `rewrite`: skips rules of folders for the new path.
                            """)
                    .or(
                            "skip",
                            new RuleAction.Skip(0),
                            """
                            skip (rules) <-1000000 to 1000000> [required]: Goes on after so many.
                            """)
                    .or(
                            "page",
                            new Page(Page.Kind.JK_STATUS, "", false),
                            """
                            page (kind) [required]: Answers with a page of the gateway about itself.
                            worker <a name>: With `page`: whose page it is.
                            changes: With `page`: everybody allowed may make changes, as with httpd,
                              except browsers coming from other sites.
                            """);

    public static final Keys<GatewayRule> RULE =
            Binding.of("a rule", GatewayRule.of(PathMatch.ANY, NOTHING))
                    .part("match", MatchKeys.MATCH)
                    .keys(
                            """
                            except <paths, each a path, perhaps with * and ?>: Paths that are left
                              to the routes.
                            """)
                    .then(MatchKeys::when)
                    .part("action", ACTION)
                    .form(
                            "set",
                            named("variables", textOrNone("a text"))
                                    .as(RuleKeys::assignments, RuleKeys::variables))
                    .keys(
                            """
                            set (sets): Sets variables, read as `%{ENV:NAME}`.
                            plain-path (plain): Answers 403 if the new path has an encoded `?`, as
                              mod_rewrite does.
                            guarded: Checks `access` before its redirect, text or error.
                            """);

    private RuleKeys() {}

    /// A rule of a host.
    public static Section rule() {
        return with(List.of("end"), false);
    }

    /// Rules that redirect or refuse.
    public static Section redirect() {
        List<String> names = new ArrayList<>(List.of("when", "redirect", "refuse"));
        names.addAll(List.of("target", "query"));
        MatchKeys.MATCH.shapes().forEach(key -> names.add(key.name()));
        return with(names, true);
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

    /// A rule with some keys.
    public static Form<GatewayRule> form(Section shape) {
        return new Form<>(
                shape,
                (value, at, _) ->
                        rule((Settings) value, HostChanges.NONE, at.reading()).orElse(null),
                (rule, _) -> write(rule));
    }

    /// Reads one rule; empty where it is malformed.
    public static Optional<GatewayRule> rule(
            Settings section, HostChanges changes, Reading reading) {
        Optional<String> match = one(section, MatchKeys.MATCH.names(), reading);
        List<String> actions = new ArrayList<>(ACTION.names());
        if (section.has("rewrite")) {
            actions.remove("skip");
        }
        Optional<String> action = one(section, actions, reading);
        if (match.isEmpty() || action.isEmpty()) {
            return Optional.empty();
        }
        boolean _ =
                section.text("to").filter(to -> reading.hasUpstream(section, "to", to)).isPresent();
        GatewayRule rule = RULE.read(section, RULE.defaults(), reading);
        return reading.made(
                        section,
                        match.get(),
                        () -> RuleSet.of(List.of(rule), changes, RuleLimits.defaults()))
                .map(_ -> rule);
    }

    /// The one key of several that is given.
    private static Optional<String> one(Settings section, List<String> keys, Reading reading) {
        List<String> given = keys.stream().filter(section::has).toList();
        if (given.size() != 1) {
            reading.problem(
                    section,
                    given.isEmpty() ? keys.getFirst() : given.getLast(),
                    "a rule needs exactly one of the keys " + String.join(", ", keys));
            return Optional.empty();
        }
        return Optional.of(given.getFirst());
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
