package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleLimits;
import io.margay.server.exchange.UndecidedException;
import java.util.List;
import java.util.Map;

/// Conditions, ready to be asked of requests; equal when they say the same. Immutable.
public final class RequestConditions {
    private final List<Condition> conditions;
    private final RuleMatch match;

    private RequestConditions(List<Condition> conditions, RuleMatch match) {
        this.conditions = List.copyOf(conditions);
        this.match = match;
    }

    /// Compiles; without maps.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable
    public static RequestConditions of(List<Condition> conditions) {
        RuleScope scope = new RuleScope(RuleLimits.defaults(), Map.of());
        return new RequestConditions(conditions, RuleMatch.of(PathMatch.ANY, conditions, scope));
    }

    /// As they are written.
    public List<Condition> conditions() {
        return conditions;
    }

    /// Whether they hold.
    ///
    /// @throws UndecidedException as an expression may
    public boolean hold(RuleRequest request) {
        return match.take(request, RulePath.of(request.path(), request.rawPath())) != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestConditions those && conditions.equals(those.conditions);
    }

    @Override
    public int hashCode() {
        return conditions.hashCode();
    }

    @Override
    public String toString() {
        return conditions.toString();
    }
}
