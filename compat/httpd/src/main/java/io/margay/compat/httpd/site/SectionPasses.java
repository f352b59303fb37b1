package io.margay.compat.httpd.site;

import io.margay.compat.httpd.expression.RegexText;
import io.margay.compat.httpd.site.HttpdServer.Pass;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Rules of `ProxyPass`, in sections and outside of them. httpd chooses the section by the path as
/// it came, before mod_rewrite has changed it; the section then takes what is in it still.
/// Stateless.
final class SectionPasses {
    private SectionPasses() {}

    /// The rules in their order.
    ///
    /// @param sections those of sections, the first that is asked before the others
    /// @param passed whether rules before them may give another path on
    /// @param forward what passes on
    static List<GatewayRule> rules(
            List<Pass> sections,
            List<Pass> others,
            boolean passed,
            Function<Pass, RuleAction> forward) {
        int ofSection = passed ? 2 : 1;
        int inSections = ofSection * sections.size();
        int count = inSections + others.size();
        List<GatewayRule> rules = new ArrayList<>();
        for (Pass pass : sections) {
            List<Condition> begun = passed ? List.of(begun(pass.match())) : List.of();
            rules.add(rule(pass, count - rules.size() - 1, forward).onlyWhen(begun));
            if (passed) {
                rules.add(
                        new GatewayRule(
                                PathMatch.ANY,
                                List.of(),
                                begun,
                                new RuleAction.Skip(inSections - rules.size() - 1)));
            }
        }
        for (Pass pass : others) {
            rules.add(rule(pass, count - rules.size() - 1, forward));
        }
        return rules;
    }

    /// @param left rules of `ProxyPass` behind it, which `!` passes over
    private static GatewayRule rule(Pass pass, int left, Function<Pass, RuleAction> forward) {
        RuleAction action = pass.url() == null ? new RuleAction.Skip(left) : forward.apply(pass);
        return new GatewayRule(pass.match(), List.of(), pass.conditions(), action);
    }

    private static Condition begun(PathMatch match) {
        boolean not = match instanceof PathMatch.Regex regex && regex.not();
        boolean anyCase = match instanceof PathMatch.Regex regex && regex.anyCase();
        return new Condition("%{BEGUN_URI}", RegexText.of(match), anyCase, not, false);
    }
}
