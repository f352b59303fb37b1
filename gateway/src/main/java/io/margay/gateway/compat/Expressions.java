package io.margay.gateway.compat;

import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.RuleSet;
import java.util.List;

/// Tries regular expressions and templates before they are put into rules. Stateless.
final class Expressions {
    private Expressions() {}

    /// Whether an expression is one; otherwise it goes to the account.
    static boolean check(HttpdNode node, String regex, Account account) {
        return check(
                node,
                GatewayRule.of(
                        new GatewayRule.PathMatch.Regex(regex, false, false),
                        new io.margay.gateway.rules.RuleAction.Leave()),
                account);
    }

    /// Whether a rule can be compiled; otherwise it goes to the account.
    static boolean check(HttpdNode node, GatewayRule rule, Account account) {
        try {
            boolean _ = RuleSet.of(List.of(rule), RuleLimits.defaults()).isEmpty();
            return true;
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            account.wrong(node.place(), node.name(), text);
            return false;
        }
    }
}
