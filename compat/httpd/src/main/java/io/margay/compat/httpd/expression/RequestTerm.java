package io.margay.compat.httpd.expression;

import io.margay.gateway.rules.GatewayRule.Condition;
import java.util.ArrayList;
import java.util.List;

/// What must hold of a request, as `Require`, its sections, and expressions say it. Immutable.
public sealed interface RequestTerm {
    /// The most lists that one section may come to: more than any file that is meant to be read.
    int LISTS_MAX = 1024;

    /// Every request or none.
    record Constant(boolean value) implements RequestTerm {}

    /// Those for which a condition holds.
    record Test(Condition condition) implements RequestTerm {}

    /// Those for which another does not hold.
    record Not(RequestTerm term) implements RequestTerm {}

    /// Those for which each holds.
    record All(List<RequestTerm> terms) implements RequestTerm {}

    /// Those for which one holds.
    record Any(List<RequestTerm> terms) implements RequestTerm {}

    /// The same as lists that must all hold, of each of which one condition must; so an empty list
    /// holds always, and a list with an empty one never.
    ///
    /// @param not whether its contrary is meant
    default List<List<Condition>> clauses(boolean not) {
        return switch (this) {
            case Constant(boolean value) -> value == not ? List.of(List.of()) : List.of();
            case Test(Condition one) ->
                    List.of(
                            List.of(
                                    new Condition(
                                            one.value(),
                                            one.regex(),
                                            one.anyCase(),
                                            one.not() != not,
                                            false)));
            case Not(RequestTerm term) -> term.clauses(!not);
            case All(List<RequestTerm> terms) -> not ? one(terms, true) : each(terms, false);
            case Any(List<RequestTerm> terms) -> not ? each(terms, true) : one(terms, false);
        };
    }

    /// The same as conditions of a rule.
    ///
    /// @param not whether its contrary is meant
    /// @throws IllegalArgumentException where that would be too many
    default List<Condition> conditions(boolean not) {
        List<Condition> joined = new ArrayList<>();
        clauses(not).forEach(clause -> joined.addAll(joined(clause)));
        return joined;
    }

    /// A list of which one condition must hold; of an empty one none ever does.
    static List<Condition> joined(List<Condition> clause) {
        if (clause.isEmpty()) {
            return List.of(Condition.of("", "."));
        }
        List<Condition> joined = new ArrayList<>();
        for (int i = 0; i < clause.size(); i++) {
            Condition one = clause.get(i);
            joined.add(
                    new Condition(
                            one.value(),
                            one.regex(),
                            one.anyCase(),
                            one.not(),
                            i < clause.size() - 1));
        }
        return joined;
    }

    private static List<List<Condition>> each(List<RequestTerm> terms, boolean not) {
        List<List<Condition>> all = new ArrayList<>();
        for (RequestTerm term : terms) {
            all.addAll(term.clauses(not));
        }
        return all.contains(List.<Condition>of()) ? List.of(List.of()) : all;
    }

    private static List<List<Condition>> one(List<RequestTerm> terms, boolean not) {
        List<List<Condition>> made = List.of(List.of());
        for (RequestTerm term : terms) {
            List<List<Condition>> next = new ArrayList<>();
            for (List<Condition> left : made) {
                for (List<Condition> right : term.clauses(not)) {
                    List<Condition> both = new ArrayList<>(left);
                    both.addAll(right);
                    next.add(both);
                }
            }
            if (next.size() > LISTS_MAX) {
                throw new IllegalArgumentException(
                        "conditions of more than " + LISTS_MAX + " combinations");
            }
            made = next;
        }
        return made;
    }
}
