package io.margay.gateway.compat;

import io.margay.gateway.rules.GatewayRule.Condition;
import java.util.ArrayList;
import java.util.List;

/// Who is let in, as `Require` and its sections say it. Immutable.
sealed interface AccessTerm {
    /// The most lists that one section may come to: more than any file that is meant to be read.
    int LISTS_MAX = 1024;

    /// Everybody or nobody.
    record Constant(boolean value) implements AccessTerm {}

    /// Those for whom a condition holds.
    record Test(Condition condition) implements AccessTerm {}

    /// Those who are not let in by another.
    record Not(AccessTerm term) implements AccessTerm {}

    /// Those whom each lets in.
    record All(List<AccessTerm> terms) implements AccessTerm {}

    /// Those whom one lets in.
    record Any(List<AccessTerm> terms) implements AccessTerm {}

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
            case Not(AccessTerm term) -> term.clauses(!not);
            case All(List<AccessTerm> terms) -> not ? one(terms, true) : each(terms, false);
            case Any(List<AccessTerm> terms) -> not ? each(terms, true) : one(terms, false);
        };
    }

    private static List<List<Condition>> each(List<AccessTerm> terms, boolean not) {
        List<List<Condition>> all = new ArrayList<>();
        for (AccessTerm term : terms) {
            all.addAll(term.clauses(not));
        }
        return all.contains(List.<Condition>of()) ? List.of(List.of()) : all;
    }

    private static List<List<Condition>> one(List<AccessTerm> terms, boolean not) {
        List<List<Condition>> made = List.of(List.of());
        for (AccessTerm term : terms) {
            List<List<Condition>> next = new ArrayList<>();
            for (List<Condition> left : made) {
                for (List<Condition> right : term.clauses(not)) {
                    List<Condition> both = new ArrayList<>(left);
                    both.addAll(right);
                    next.add(both);
                }
            }
            if (next.size() > LISTS_MAX) {
                throw new IllegalStateException("access rules of more than 1024 combinations");
            }
            made = next;
        }
        return made;
    }
}
