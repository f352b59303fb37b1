package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.rules.GatewayRule.Condition;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// What must hold of requests, as rules say it. Stateless.
final class Conditions {
    private Conditions() {}

    static Condition is(String value, String regex) {
        return new Condition(value, regex, false, false, false);
    }

    static Condition isNot(String value, String regex) {
        return new Condition(value, regex, false, true, false);
    }

    /// The path has parameters, which to nginx are a part of it and to others are not.
    static Condition hasParameters(boolean not) {
        return new Condition("%{REQUEST_TARGET}", "^[^?]*;", false, not, false);
    }

    /// A variable has a value.
    static Condition has(String variable, String value) {
        return is("%{ENV:" + variable + "}", "^" + NginxRegex.quote(value) + "$");
    }

    /// The request is for one of these blocks.
    static List<Condition> at(Collection<Integer> scopes) {
        String any = scopes.stream().map(String::valueOf).collect(Collectors.joining("|"));
        return List.of(is("%{ENV:" + Variables.LOCATION + "}", "^(?:" + any + ")$"));
    }
}
