package io.margay.app.config.rules;

import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Reading;
import io.margay.app.yaml.Nearest;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads rules. Stateless.
public final class RuleReader {
    /// What has no paths and cannot be wrong.
    private static final Reading NO_FILE = new Reading(Path.of(""), List.of(), List.of());

    private RuleReader() {}

    /// A rule with some keys.
    public static Form<GatewayRule> form(Shape.Section shape) {
        return new Form<>(
                shape,
                (value, at, _) ->
                        rule((Settings) value, HostChanges.NONE, at.reading()).orElse(null),
                (rule, _) -> RuleKeys.write(rule),
                () -> List.of(GatewayRule.of(PathMatch.ANY, new RuleAction.Refuse(403))));
    }

    /// Reads one rule; empty where it is malformed.
    public static Optional<GatewayRule> rule(
            Settings section, HostChanges changes, Reading reading) {
        Optional<String> match = one(section, MatchKeys.PATHS, reading);
        List<String> actions = new ArrayList<>(RuleKeys.ACTIONS);
        if (section.has("rewrite")) {
            actions.remove("skip");
        }
        Optional<String> action = one(section, actions, reading);
        if (match.isEmpty() || action.isEmpty()) {
            return Optional.empty();
        }
        section.text("to")
                .filter(name -> !reading.upstreams().contains(name))
                .ifPresent(name ->
                        reading.problem(
                                section,
                                "to",
                                "there is no upstream \""
                                        + name
                                        + "\""
                                        + Nearest.hint(name, reading.upstreams())));
        GatewayRule rule = RuleKeys.read(section, reading);
        try {
            Object _ = RuleSet.of(List.of(rule), changes, RuleLimits.defaults());
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            reading.problem(section, match.get(), text);
            return Optional.empty();
        }
        return Optional.of(rule);
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

    public static PathMatch match(Settings section) {
        return MatchKeys.MATCH.read(section, PathMatch.ANY, NO_FILE);
    }

    public static List<Condition> when(Settings section) {
        return MatchKeys.CONDITIONS.read(section, MatchKeys.WHEN, List.of(), NO_FILE);
    }

    public static boolean flag(Settings section, String key) {
        return section.get(key, Boolean.class).orElse(false);
    }

    public static int number(Settings section, String key) {
        return section.number(key).map(Math::toIntExact).orElse(0);
    }
}
