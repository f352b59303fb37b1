package io.margay.compat.httpd.access;

import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A `RewriteRule` of a section. Immutable.
///
/// @param does what it does, with how many of the rules after it are not asked; known when all is
///   read
/// @param sets variables that it sets
/// @param chained whether the rules after it are not asked where it does not take a request, up to
///   and with the first that is not chained itself
public record SectionRule(
        PathMatch.Regex match,
        List<Condition> when,
        Supplier<RuleAction> does,
        List<Assignment> sets,
        boolean chained) {
    private static final PathMatch ANY = new PathMatch.Regex("^", false, false);

    public SectionRule {
        when = List.copyOf(when);
        sets = List.copyOf(sets);
    }

    /// The same rules without chains: what does not hold of a chained one leads past the chain.
    static List<GatewayRule> unchained(List<SectionRule> rules) {
        int[] starts = new int[rules.size() + 1];
        for (int i = 0; i < rules.size(); i++) {
            SectionRule rule = rules.get(i);
            starts[i + 1] = starts[i] + (rule.chained ? 2 + rule.groups().size() : 1);
        }
        List<GatewayRule> made = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            SectionRule rule = rules.get(i);
            if (rule.chained) {
                int end = i;
                while (end < rules.size() && rules.get(end).chained) {
                    end++;
                }
                rule.otherwise(starts[Math.min(end + 1, rules.size())], made);
                RuleAction action = rule.action(starts, i, made.size());
                made.add(
                        new GatewayRule(
                                ANY, List.of(), List.of(), action, rule.sets, isPlain(action)));
            } else {
                RuleAction action = rule.action(starts, i, made.size());
                made.add(
                        new GatewayRule(
                                rule.match,
                                List.of(),
                                rule.when,
                                action,
                                rule.sets,
                                isPlain(action)));
            }
        }
        return made;
    }

    /// Whether it makes a path, which has no `?` that was sent encoded.
    private static boolean isPlain(RuleAction action) {
        return action instanceof RuleAction.Forward
                || action instanceof RuleAction.Redirect
                || action instanceof RuleAction.Rewrite;
    }

    private RuleAction action(int[] starts, int index, int at) {
        RuleAction action = does.get();
        return switch (action) {
            case RuleAction.Skip(int rules) -> {
                long to = Math.min((long) index + 1 + rules, starts.length - 1);
                yield new RuleAction.Skip(starts[(int) to] - at - 1);
            }
            case RuleAction.Rewrite(
                            String target,
                            RuleAction.Query query,
                            int rules,
                            boolean end) -> {
                long to = Math.min((long) index + 1 + rules, starts.length - 1);
                yield new RuleAction.Rewrite(target, query, starts[(int) to] - at - 1, end);
            }
            case RuleAction.Refuse _,
                    RuleAction.Say _,
                    RuleAction.Forward _,
                    RuleAction.Leave _,
                    RuleAction.Settle _,
                    RuleAction.Redirect _,
                    RuleAction.Page _ ->
                    action;
        };
    }

    /// Adds what leads to a later rule where this one does not take a request.
    private void otherwise(int to, List<GatewayRule> made) {
        PathMatch other = new PathMatch.Regex(match.regex(), match.anyCase(), !match.not());
        made.add(GatewayRule.of(other, new RuleAction.Skip(to - made.size() - 1)));
        for (List<Condition> group : groups()) {
            List<Condition> none =
                    group.stream()
                            .map(one ->
                                    new Condition(
                                            one.value(),
                                            one.regex(),
                                            one.anyCase(),
                                            !one.not(),
                                            false))
                            .toList();
            made.add(
                    new GatewayRule(
                            ANY, List.of(), none, new RuleAction.Skip(to - made.size() - 1)));
        }
    }

    /// Conditions of which one must hold, each; where the last says "or", nothing must.
    private List<List<Condition>> groups() {
        List<List<Condition>> groups = new ArrayList<>();
        List<Condition> group = new ArrayList<>();
        for (Condition condition : when) {
            group.add(condition);
            if (!condition.or()) {
                groups.add(List.copyOf(group));
                group.clear();
            }
        }
        return groups;
    }
}
