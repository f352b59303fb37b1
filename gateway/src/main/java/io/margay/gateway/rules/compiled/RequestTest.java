package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.exchange.UndecidedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Conditions that requests are tried with, such as those of a log. Immutable.
public final class RequestTest {
    private final VariableRules variables;
    private final RuleMatch match;

    private RequestTest(VariableRules variables, RuleMatch match) {
        this.variables = variables;
        this.match = match;
    }

    /// Compiles.
    ///
    /// @param changes of the host, for its variables and maps
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static RequestTest of(List<Condition> when, HostChanges changes, RuleLimits limits) {
        return of(PathMatch.ANY, when, changes, limits);
    }

    /// The same for requests with some paths.
    public static RequestTest of(
            PathMatch path, List<Condition> when, HostChanges changes, RuleLimits limits) {
        RuleScope scope = RuleScope.of(changes, limits);
        return new RequestTest(
                VariableRules.of(changes.variables(), scope), RuleMatch.of(path, when, scope));
    }

    /// Whether all conditions hold; so they do for what has no path to look at, and where an
    /// expression does not come to an end: for what limits requests.
    public boolean holds(Exchange exchange) {
        return !Boolean.FALSE.equals(decide(exchange));
    }

    /// The same, and where an expression does not come to an end they do not hold: for what excepts
    /// requests.
    public boolean surelyHolds(Exchange exchange) {
        return Boolean.TRUE.equals(decide(exchange));
    }

    /// Whether all conditions hold; null where an expression does not come to an end.
    public @Nullable Boolean decide(Exchange exchange) {
        if (!RuleRequest.isPossible(exchange)) {
            return true;
        }
        try {
            RuleRequest request = seen(exchange, variables);
            return match.take(request, RulePath.of(request.path(), request.rawPath())) != null;
        } catch (UndecidedException e) {
            return null;
        }
    }

    /// A request as it is, with the host's variables.
    ///
    /// @throws UndecidedException as an expression may
    static RuleRequest seen(Exchange exchange, VariableRules variables) {
        RuleRequest asked = RuleRequest.mapped(exchange);
        Relay relay = exchange.relay();
        if (relay != null) {
            Map<String, String> known = new LinkedHashMap<>(asked.variables());
            known.put("UPSTREAM", relay.upstream());
            asked = asked.with(known);
        }
        return variables.of(asked);
    }

    /// A text that is made of requests, such as what they are counted by. Immutable.
    public static final class Text {
        /// Of requests of which an expression does not come to an end: they have it in common.
        private static final String UNDECIDED = "undecided";

        private final VariableRules variables;
        private final RuleTemplate template;

        private Text(VariableRules variables, RuleTemplate template) {
            this.variables = variables;
            this.template = template;
        }

        /// Compiles.
        ///
        /// @param template made as [io.margay.gateway.rules.VariableRule#value]
        /// @param changes of the host, for its variables and maps
        /// @throws IllegalArgumentException for a malformed expression or an unknown variable or
        ///   map
        public static Text of(String template, HostChanges changes, RuleLimits limits) {
            RuleScope scope = RuleScope.of(changes, limits);
            return new Text(
                    VariableRules.of(changes.variables(), scope),
                    RuleTemplate.of(template, scope.maps()));
        }

        /// The text of a request; empty for what has no path to look at.
        public String of(Exchange exchange) {
            String decided = decided(exchange);
            return decided == null ? UNDECIDED : decided;
        }

        /// The same; null where an expression does not come to an end.
        public @Nullable String decided(Exchange exchange) {
            if (!RuleRequest.isPossible(exchange)) {
                return "";
            }
            try {
                RuleRequest request = seen(exchange, variables);
                RulePath path = RulePath.of(request.path(), request.rawPath());
                return template.plain(new RuleTemplate.Found(request, path, null, null, false));
            } catch (UndecidedException e) {
                return null;
            }
        }
    }
}
