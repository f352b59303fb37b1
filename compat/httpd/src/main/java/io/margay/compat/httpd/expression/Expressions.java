package io.margay.compat.httpd.expression;

import io.margay.compat.account.Account;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.RuleSet;
import java.util.List;
import java.util.function.Supplier;

/// Tries regular expressions and templates before they are put into rules. Stateless.
public final class Expressions {
    private Expressions() {}

    /// Whether an expression is one; otherwise it goes to the account.
    public static boolean check(HttpdNode node, String regex, Account account) {
        return check(
                node,
                GatewayRule.of(
                        new GatewayRule.PathMatch.Regex(regex, false, false),
                        new io.margay.gateway.rules.RuleAction.Leave()),
                account);
    }

    /// Whether changes can be compiled; otherwise it goes to the account.
    public static boolean check(HttpdNode node, HostChanges changes, Account account) {
        return check(node, () -> HostExchangeRules.check(changes, RuleLimits.defaults()), account);
    }

    /// Whether a rule can be compiled; otherwise it goes to the account.
    public static boolean check(HttpdNode node, GatewayRule rule, Account account) {
        return check(node, rule, HostChanges.NONE, account);
    }

    /// Whether conditions can be compiled; otherwise it goes to the account.
    public static boolean check(HttpdNode node, List<GatewayRule.Condition> when, Account account) {
        return check(
                node,
                new GatewayRule(
                        GatewayRule.PathMatch.ANY,
                        List.of(),
                        when,
                        new io.margay.gateway.rules.RuleAction.Leave()),
                account);
    }

    /// The same with maps that the rule may ask.
    public static boolean check(
            HttpdNode node, GatewayRule rule, HostChanges maps, Account account) {
        return check(node, () -> RuleSet.of(List.of(rule), maps, RuleLimits.defaults()), account);
    }

    private static boolean check(HttpdNode node, Supplier<Object> compile, Account account) {
        try {
            Object _ = compile.get();
            return true;
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            account.wrong(node.place(), node.name(), text);
            return false;
        }
    }
}
