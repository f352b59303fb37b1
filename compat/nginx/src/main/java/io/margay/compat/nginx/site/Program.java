package io.margay.compat.nginx.site;

import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of a host, with places in them to which others go on. Confined to one reading.
final class Program {
    /// A place among the rules.
    static final class Label {
        private int at = -1;
    }

    private record Line(GatewayRule rule, @Nullable Label next) {}

    private final List<Line> lines = new ArrayList<>();

    /// The label is where the next rule comes.
    void place(Label label) {
        label.at = lines.size();
    }

    void add(GatewayRule rule) {
        lines.add(new Line(rule, null));
    }

    /// Answers by an action.
    void answer(PathMatch match, List<Condition> when, RuleAction action) {
        add(new GatewayRule(match, List.of(), when, action));
    }

    /// The same where sections are asked first.
    void guarded(PathMatch match, List<Condition> when, RuleAction action) {
        add(new GatewayRule(match, List.of(), when, action).withGuarded(true));
    }

    /// Sets variables and goes on.
    void set(PathMatch match, List<Condition> when, List<Assignment> sets) {
        add(new GatewayRule(match, List.of(), when, new RuleAction.Skip(0)).withSets(sets));
    }

    /// Goes on elsewhere.
    void jump(PathMatch match, List<Condition> when, List<Assignment> sets, Label to) {
        GatewayRule rule = new GatewayRule(match, List.of(), when, new RuleAction.Skip(0));
        lines.add(new Line(rule.withSets(sets), to));
    }

    /// Gives the request another path and goes on elsewhere.
    ///
    /// @param to null = behind this rule
    void rewrite(
            PathMatch match,
            List<Condition> when,
            RuleAction.Rewrite to,
            List<Assignment> sets,
            @Nullable Label next) {
        lines.add(new Line(new GatewayRule(match, List.of(), when, to).withSets(sets), next));
    }

    /// The rules.
    List<GatewayRule> build() {
        List<GatewayRule> rules = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            Label next = line.next;
            GatewayRule rule = line.rule;
            if (next != null) {
                if (next.at < 0) {
                    throw new IllegalStateException("a label has no place");
                }
                int skip = next.at - i - 1;
                RuleAction action =
                        rule.action() instanceof RuleAction.Rewrite(String to, Query query, _, _)
                                ? new RuleAction.Rewrite(to, query, skip)
                                : new RuleAction.Skip(skip);
                rule =
                        new GatewayRule(
                                rule.match(),
                                rule.except(),
                                rule.when(),
                                action,
                                rule.sets(),
                                false);
            }
            rules.add(rule);
        }
        return rules;
    }
}
