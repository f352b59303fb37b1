package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sets a variable of a request, `%{ENV:NAME}` from then on. Immutable.
///
/// @param when as in [GatewayRule]
/// @param value made as [RuleAction.Forward#target], but not encoded; null takes the variable away
/// @param order where it comes among what files such as `.htaccess` say, whose own have 1 and the
///   slashes in the path of their folder; 0 = before them
/// @param late whether the variable keeps what was set otherwise, as with httpd's `SetEnv`;
///   programs are told this value all the same
@RecordBuilder
public record VariableRule(
        PathMatch match,
        List<Condition> when,
        String name,
        @Nullable String value,
        int order,
        boolean late)
        implements VariableRuleBuilder.With {
    /// One that counts when its turn comes.
    public VariableRule(
            PathMatch match, List<Condition> when, String name, @Nullable String value, int order) {
        this(match, when, name, value, order, false);
    }

    /// Before what files in folders say.
    public VariableRule(
            PathMatch match, List<Condition> when, String name, @Nullable String value) {
        this(match, when, name, value, 0);
    }

    public VariableRule {
        when = List.copyOf(when);
    }
}
