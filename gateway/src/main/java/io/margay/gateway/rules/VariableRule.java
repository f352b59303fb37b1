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
@RecordBuilder
public record VariableRule(
        PathMatch match, List<Condition> when, String name, @Nullable String value) {
    public VariableRule {
        when = List.copyOf(when);
    }
}
