package io.margay.app.config.file;

import io.margay.app.yaml.Nearest;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.config.Activation;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the rules of a host. Used by one thread.
final class RuleReader {
    private final Set<String> upstreams;
    private final List<Problem> problems;

    /// @param upstreams names that stand in the file
    RuleReader(Set<String> upstreams, List<Problem> problems) {
        this.upstreams = upstreams;
        this.problems = problems;
    }

    List<GatewayRule> rules(Settings host, HostChanges changes) {
        List<GatewayRule> rules = new ArrayList<>(EdgeKeys.rules(host));
        for (Settings section : host.list("rules", Settings.class)) {
            rule(section, changes).ifPresent(rules::add);
        }
        return rules;
    }

    /// Reads one rule; empty where it is malformed.
    Optional<GatewayRule> rule(Settings section, HostChanges changes) {
        Optional<String> match = one(section, RuleShape.MATCHES);
        List<String> actions = new ArrayList<>(RuleShape.ACTIONS);
        if (section.has("rewrite")) {
            actions.remove("skip");
        }
        Optional<String> action = one(section, actions);
        if (match.isEmpty() || action.isEmpty()) {
            return Optional.empty();
        }
        GatewayRule rule =
                new GatewayRule(
                        match(section, match.get()),
                        section.list("except", String.class),
                        when(section),
                        action(section, action.get()),
                        assignments(section));
        try {
            Object _ = RuleSet.of(List.of(rule), changes, RuleLimits.defaults());
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            problem(section, match.get(), text);
            return Optional.empty();
        }
        return Optional.of(rule);
    }

    private static List<GatewayRule.Assignment> assignments(Settings section) {
        List<GatewayRule.Assignment> found = new ArrayList<>();
        section.texts("set")
                .forEach((name, value) -> {
                    found.add(new GatewayRule.Assignment(name, value));
                });
        return found;
    }

    /// The one key of several that is given.
    private Optional<String> one(Settings section, List<String> keys) {
        List<String> given = keys.stream().filter(section::has).toList();
        if (given.size() != 1) {
            problem(
                    section,
                    given.isEmpty() ? keys.getFirst() : given.getLast(),
                    "a rule needs exactly one of the keys " + String.join(", ", keys));
            return Optional.empty();
        }
        return Optional.of(given.getFirst());
    }

    static PathMatch match(Settings section, String key) {
        String text = section.text(key).orElse("");
        return switch (key) {
            case "path" -> new PathMatch.Glob(text);
            case "prefix" -> new PathMatch.Prefix(text);
            default -> new PathMatch.Regex(text, flag(section, "any-case"), flag(section, "not"));
        };
    }

    static List<Condition> when(Settings section) {
        return section.list("when", Settings.class).stream().map(RuleReader::condition).toList();
    }

    private static Condition condition(Settings section) {
        return new Condition(
                section.text("value").orElse(""),
                section.text("regex").orElse(""),
                flag(section, "any-case"),
                flag(section, "not"),
                flag(section, "or"));
    }

    private RuleAction action(Settings section, String key) {
        return switch (key) {
            case "to" -> forward(section);
            case "leave" -> new RuleAction.Leave();
            case "settle" -> new RuleAction.Settle();
            case "redirect" ->
                    new RuleAction.Redirect(
                            number(section, "redirect"),
                            section.text("target").orElse("/"),
                            query(section));
            case "refuse" -> new RuleAction.Refuse(number(section, "refuse"));
            case "rewrite" ->
                    new RuleAction.Rewrite(
                            section.text("rewrite").orElse("/"),
                            query(section),
                            number(section, "skip"),
                            flag(section, "end"));
            case "skip" -> new RuleAction.Skip(number(section, "skip"));
            default ->
                    new RuleAction.Page(
                            RuleAction.Page.Kind.valueOf(
                                    upper(section.text("page").orElse("")).replace('-', '_')),
                            section.text("worker").orElse(""),
                            flag(section, "changes"));
        };
    }

    private RuleAction forward(Settings section) {
        String name = section.text("to").orElse("");
        if (!upstreams.contains(name)) {
            problem(
                    section,
                    "to",
                    "there is no upstream \"" + name + "\"" + Nearest.hint(name, upstreams));
        }
        return new RuleAction.Forward(
                name,
                section.text("target").orElse(null),
                flag(section, "raw"),
                query(section),
                proxyRules(section));
    }

    private static ProxyRules proxyRules(Settings section) {
        String forwarded = section.text("forwarded").orElse("x-forwarded");
        Map<String, Activation> activations = new LinkedHashMap<>();
        section.texts("activations")
                .forEach((peer, word) -> activations.put(peer, Activation.valueOf(upper(word))));
        return new ProxyRules(
                section.text("host-header").orElse("keep").equals("keep"),
                replacements(section, "reverse"),
                replacements(section, "cookie-domains"),
                replacements(section, "cookie-paths"),
                forwarded.equals("x-forwarded") || forwarded.equals("both"),
                forwarded.equals("standard") || forwarded.equals("both"),
                flag(section, "pass-forwarded"),
                section.get("upgrade", Boolean.class).orElse(true),
                section.duration("reply-timeout").orElse(null),
                new ProxyRules.SelectionRules(
                        flag(section, "stateless"),
                        flag(section, "ignore-sessions"),
                        activations,
                        section.text("session-cookie").orElse(null),
                        section.text("session-parameter").orElse(null),
                        section.text("session-set-cookie").orElse(null),
                        section.text("session-set-cookie-path").orElse(null)),
                statuses(section, "fail-statuses"),
                statuses(section, "soft-fail-statuses"),
                number(section, "error-pages-from"),
                section.texts("attributes"),
                UpstreamShape.tlsFields(section));
    }

    private static List<ProxyRules.Replacement> replacements(Settings section, String key) {
        return section.list(key, Settings.class).stream()
                .map(one ->
                        new ProxyRules.Replacement(
                                one.text("from").orElse(""),
                                one.text("to").orElse(""),
                                one.text("below").orElse("")))
                .toList();
    }

    private static @Nullable List<Integer> statuses(Settings section, String key) {
        return section.has(key)
                ? section.list(key, Long.class).stream().map(Math::toIntExact).toList()
                : null;
    }

    private static RuleAction.Query query(Settings section) {
        return RuleAction.Query.valueOf(upper(section.text("query").orElse("keep")));
    }

    static boolean flag(Settings section, String key) {
        return section.get(key, Boolean.class).orElse(false);
    }

    static int number(Settings section, String key) {
        return section.number(key).map(Math::toIntExact).orElse(0);
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
