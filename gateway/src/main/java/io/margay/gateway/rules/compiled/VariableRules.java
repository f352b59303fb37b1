package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.RuleOrder;
import io.margay.gateway.rules.VariableRule;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The rules of a host that set variables, in order. Immutable.
final class VariableRules {
    private final List<Compiled> rules;
    private final boolean asksFile;

    private final boolean asksUser;

    private final boolean haveLate;
    private final boolean searches;

    private record Compiled(
            RuleMatch match, String name, @Nullable RuleTemplate value, int order, boolean late) {
        boolean asksUser() {
            return match.asksUser() || (value != null && value.asks("REMOTE_USER"));
        }
    }

    private VariableRules(List<Compiled> rules) {
        this.rules = List.copyOf(rules);
        asksFile = rules.stream().anyMatch(rule -> rule.match.asksFile());
        asksUser = rules.stream().anyMatch(Compiled::asksUser);
        haveLate = rules.stream().anyMatch(Compiled::late);
        searches = rules.stream().anyMatch(rule -> rule.match.searches());
    }

    static VariableRules of(List<VariableRule> rules, RuleScope scope) {
        List<Compiled> compiled = new ArrayList<>();
        for (VariableRule rule : rules) {
            String value = rule.value();
            compiled.add(
                    new Compiled(
                            RuleMatch.of(rule.match(), rule.when(), scope),
                            rule.name(),
                            value == null ? null : RuleTemplate.of(value, scope.maps()),
                            rule.order(),
                            rule.late()));
        }
        return new VariableRules(compiled);
    }

    /// These with those of a folder.
    VariableRules with(VariableRules inner) {
        return new VariableRules(RuleOrder.merged(rules, inner.rules, Compiled::order));
    }

    /// Whether there are none.
    boolean isEmpty() {
        return rules.isEmpty();
    }

    /// Whether one searches with an expression, and so may not come to an end.
    boolean search() {
        return searches;
    }

    /// Whether one depends on the file that a request is for.
    boolean askFile() {
        return asksFile;
    }

    /// Whether one depends on who has sent a request.
    boolean askUser() {
        return asksUser;
    }

    /// The request with its variables.
    ///
    /// @throws UndecidedException as an expression may
    RuleRequest of(RuleRequest request) {
        if (rules.isEmpty()) {
            return request;
        }
        RuleRequest before = request.early(); // late rules are asked again
        Map<String, String> set = new LinkedHashMap<>(before.variables());
        Map<String, String> late =
                haveLate ? new TreeMap<>(String.CASE_INSENSITIVE_ORDER) : Map.of();
        RuleRequest known = before.with(set, late);
        RulePath path = RulePath.of(request.path(), request.rawPath());
        for (Compiled rule : rules) {
            RuleMatch.Taken taken = rule.match.take(known, path);
            if (taken == null) {
                continue;
            }
            String value =
                    rule.value == null
                            ? null
                            : rule.value.plain(RuleTemplate.Found.of(known, path, taken));
            if (rule.late) {
                setLate(rule.name, value, set, late);
            } else if (value == null) {
                set.remove(rule.name);
            } else {
                set.put(rule.name, value);
            }
        }
        return known;
    }

    /// Keeps a variable that was set otherwise.
    ///
    /// @param late of variables that late rules alone have set, with the value in `set`; of others
    ///   with another
    private static void setLate(
            String name,
            @Nullable String value,
            Map<String, String> set,
            Map<String, String> late) {
        String last = late.remove(name);
        if (last != null) {
            set.entrySet()
                    .removeIf(one ->
                            one.getKey().equalsIgnoreCase(name) && one.getValue().equals(last));
        }
        boolean isOther = set.keySet().stream().anyMatch(name::equalsIgnoreCase);
        if (value != null && !isOther) {
            set.put(name, value);
        }
        if (value != null && !value.equals(isOther ? set.get(name) : null)) {
            late.put(name, value);
        }
    }
}
