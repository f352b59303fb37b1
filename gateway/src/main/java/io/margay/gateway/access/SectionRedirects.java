package io.margay.gateway.access;

import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Redirections and refusals of a section, ready to be asked; equal when they say the same.
/// Immutable.
public final class SectionRedirects {
    /// None.
    public static final SectionRedirects NONE = new SectionRedirects(List.of(), List.of());

    private final List<GatewayRule> rules;
    private final List<RuleSet> compiled;

    private SectionRedirects(List<GatewayRule> rules, List<RuleSet> compiled) {
        this.rules = List.copyOf(rules);
        this.compiled = List.copyOf(compiled);
    }

    /// Compiles.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable
    public static SectionRedirects of(List<GatewayRule> rules) {
        return rules.isEmpty()
                ? NONE
                : new SectionRedirects(rules, List.of(RuleSet.of(rules, RuleLimits.defaults())));
    }

    /// As they are written.
    public List<GatewayRule> rules() {
        return rules;
    }

    /// Those of a later section are asked first.
    SectionRedirects then(SectionRedirects later) {
        if (later.rules.isEmpty() || rules.isEmpty()) {
            return rules.isEmpty() ? later : this;
        }
        List<GatewayRule> all = new ArrayList<>(later.rules);
        all.addAll(rules);
        List<RuleSet> sets = new ArrayList<>(later.compiled);
        sets.addAll(compiled);
        return new SectionRedirects(all, sets);
    }

    /// What the first that takes a request says; the routes where none does.
    RuleDecision decide(RuleRequest request) {
        for (RuleSet set : compiled) {
            RuleDecision decision = set.decide(request);
            if (!decision.equals(RuleDecision.ROUTES)) {
                return decision;
            }
        }
        return RuleDecision.ROUTES;
    }

    /// The same for a file.
    ///
    /// @param text its path within the folder
    /// @param below the folder's path, with a slash at the end
    /// @param variables takes those that rules set
    RuleDecision decide(
            RuleRequest request, String text, String below, Map<String, String> variables) {
        for (RuleSet set : compiled) {
            RuleDecision decision = set.decide(request, text, below, variables);
            if (!decision.equals(RuleDecision.ROUTES)) {
                return decision;
            }
        }
        return RuleDecision.ROUTES;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SectionRedirects those && rules.equals(those.rules);
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }

    @Override
    public String toString() {
        return rules.toString();
    }
}
