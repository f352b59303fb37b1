package io.margay.app.config.file;

import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.config.rules.ProxyKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.yaml.Nearest;
import io.margay.app.yaml.Settings;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the rules of a host. Used by one thread.
final class RuleReader {
    private final Set<String> upstreams;
    private final Reading reading;

    /// What has no paths and cannot be wrong.
    private static final Reading NO_FILE = new Reading(Path.of(""), List.of(), List.of());

    /// @param upstreams names that stand in the file
    RuleReader(Set<String> upstreams, Reading reading) {
        this.upstreams = upstreams;
        this.reading = reading;
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
        Optional<String> match = one(section, MatchKeys.PATHS);
        List<String> actions = new ArrayList<>(RuleKeys.ACTIONS);
        if (section.has("rewrite")) {
            actions.remove("skip");
        }
        Optional<String> action = one(section, actions);
        if (match.isEmpty() || action.isEmpty()) {
            return Optional.empty();
        }
        section.text("to")
                .filter(name -> !upstreams.contains(name))
                .ifPresent(name ->
                        problem(
                                section,
                                "to",
                                "there is no upstream \""
                                        + name
                                        + "\""
                                        + Nearest.hint(name, upstreams)));
        GatewayRule rule = RuleKeys.read(section, reading);
        try {
            Object _ = RuleSet.of(List.of(rule), changes, RuleLimits.defaults());
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            problem(section, match.get(), text);
            return Optional.empty();
        }
        return Optional.of(rule);
    }

    /// How requests are passed on where files in folders say so.
    ProxyRules passing(Settings access) {
        return access.section("folder-forward")
                .map(section -> ProxyKeys.OF_RULE.read(section, ProxyRules.defaults(), reading))
                .orElse(ProxyRules.defaults());
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

    static PathMatch match(Settings section) {
        return MatchKeys.MATCH.read(section, PathMatch.ANY, NO_FILE);
    }

    static List<Condition> when(Settings section) {
        return section.get(MatchKeys.WHEN, Object.class)
                .map(given ->
                        MatchKeys.CONDITIONS
                                .reader()
                                .read(given, new Form.Spot(section, MatchKeys.WHEN, NO_FILE), null))
                .orElse(List.of());
    }

    static boolean flag(Settings section, String key) {
        return section.get(key, Boolean.class).orElse(false);
    }

    static int number(Settings section, String key) {
        return section.number(key).map(Math::toIntExact).orElse(0);
    }

    private void problem(Settings section, String key, String message) {
        reading.problem(section, key, message);
    }
}
