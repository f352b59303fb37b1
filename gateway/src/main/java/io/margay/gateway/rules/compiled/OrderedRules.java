package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.gateway.rules.lines.SubstitutionStep;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The rules of one kind that a host has, or a folder, and which are about a request. Immutable.
///
/// @param <R> what a rule says
public final class OrderedRules<R> {
    private final List<Compiled<R>> rules;

    /// Whether a rule of which it is undecided whether it is about a request holds; else that is a
    /// refusal.
    private final boolean holdsUndecided;

    /// @param test null = all
    private record Compiled<R>(@Nullable RequestTest test, R rule, int order) {}

    private OrderedRules(List<Compiled<R>> rules, boolean holdsUndecided) {
        this.rules = List.copyOf(rules);
        this.holdsUndecided = holdsUndecided;
    }

    /// Those that say how fast responses are sent.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static OrderedRules<BandwidthRule> bandwidths(HostChanges changes, RuleLimits limits) {
        List<Compiled<BandwidthRule>> rules = new ArrayList<>();
        for (BandwidthRule rule : changes.bandwidth()) {
            RequestTest test = test(rule.match(), rule.when(), changes, limits);
            rules.add(new Compiled<>(test, rule, rule.order()));
        }
        return new OrderedRules<>(rules, true);
    }

    /// Those that replace text in responses.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static OrderedRules<SubstitutionStep> substitutions(
            HostChanges changes, RuleLimits limits) {
        List<Compiled<SubstitutionStep>> rules = new ArrayList<>();
        for (SubstitutionRule rule : changes.substitutions()) {
            RequestTest test = test(rule.match(), rule.when(), changes, limits);
            rules.add(new Compiled<>(test, SubstitutionStep.of(rule), rule.order()));
        }
        return new OrderedRules<>(rules, false);
    }

    private static @Nullable RequestTest test(
            PathMatch match, List<Condition> when, HostChanges changes, RuleLimits limits) {
        return match.equals(PathMatch.ANY) && when.isEmpty()
                ? null
                : RequestTest.of(match, when, changes, limits);
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /// Whether something holds of one of them.
    public boolean any(Predicate<? super R> what) {
        return rules.stream().anyMatch(one -> what.test(one.rule));
    }

    /// Adds those that are about a request, in order.
    ///
    /// @throws UndecidedException where that is undecided of one, unless such rules hold
    public void about(Exchange exchange, List<R> found) {
        about(exchange, found, -1, Integer.MAX_VALUE);
    }

    /// The least order that one of them has.
    int order() {
        return rules.stream().mapToInt(Compiled::order).min().orElse(0);
    }

    /// The same of those whose order is more than one number and not more than another.
    void about(Exchange exchange, List<R> found, int above, int upTo) {
        for (Compiled<R> one : rules) {
            int order = one.order;
            if (order > above && order <= upTo && (one.test == null || holds(one.test, exchange))) {
                found.add(one.rule);
            }
        }
    }

    private boolean holds(RequestTest test, Exchange exchange) {
        if (holdsUndecided) {
            return test.holds(exchange);
        }
        Boolean decided = test.decide(exchange);
        if (decided == null) {
            throw new UndecidedException("it is undecided whether a rule is about a request");
        }
        return decided;
    }
}
