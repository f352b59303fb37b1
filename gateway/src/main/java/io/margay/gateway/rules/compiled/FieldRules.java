package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.FieldRule;
import io.margay.protocol.http.FieldList;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/// The rules of a host that change fields, in order. Immutable.
final class FieldRules {
    private final List<Compiled> rules;

    private record Compiled(
            FieldRule rule, RuleMatch match, RuleTemplate value, @Nullable BoundedRegex regex) {}

    private FieldRules(List<Compiled> rules) {
        this.rules = List.copyOf(rules);
    }

    static FieldRules of(List<FieldRule> rules, RuleScope scope) {
        List<Compiled> compiled = new ArrayList<>();
        for (FieldRule rule : rules) {
            boolean edits =
                    switch (rule.change()) {
                        case EDIT, EDIT_ALL -> true;
                        case SET, SET_IF_EMPTY, ADD, APPEND, MERGE, UNSET -> false;
                    };
            compiled.add(
                    new Compiled(
                            rule,
                            RuleMatch.of(rule.match(), rule.when(), scope),
                            RuleTemplate.of(rule.value(), scope.maps()),
                            edits ? BoundedRegex.of(rule.regex(), false, scope.limits()) : null));
        }
        return new FieldRules(compiled);
    }

    /// These and then others.
    FieldRules then(FieldRules inner) {
        List<Compiled> all = new ArrayList<>(rules);
        all.addAll(inner.rules);
        return new FieldRules(all);
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    /// Changes fields.
    ///
    /// @param own whether they are of this server's own answer
    /// @throws BoundedRegex.TooManyStepsException as an expression may
    void apply(FieldList fields, RuleRequest request, boolean own) {
        RulePath path = RulePath.of(request.path(), request.rawPath());
        for (Compiled one : rules) {
            if (own && !one.rule.always()) {
                continue;
            }
            RuleMatch.Taken taken = one.match.take(request, path);
            if (taken != null) {
                apply(one, fields, RuleTemplate.Found.of(request, path, taken));
            }
        }
    }

    private static void apply(Compiled one, FieldList fields, RuleTemplate.Found found) {
        String name = one.rule.name();
        switch (one.rule.change()) {
            case SET -> fields.set(name, one.value.plain(found));
            case SET_IF_EMPTY -> {
                if (!fields.contains(name)) {
                    fields.add(name, one.value.plain(found));
                }
            }
            case ADD -> fields.add(name, one.value.plain(found));
            case APPEND -> append(fields, name, one.value.plain(found), false);
            case MERGE -> append(fields, name, one.value.plain(found), true);
            case UNSET -> fields.remove(name);
            case EDIT, EDIT_ALL -> edit(one, fields, found);
        }
    }

    private static void append(FieldList fields, String name, String value, boolean once) {
        List<String> all = fields.all(name);
        if (all.isEmpty()) {
            fields.add(name, value);
            return;
        }
        boolean has =
                all.stream()
                        .flatMap(line -> List.of(line.split(",")).stream())
                        .anyMatch(part -> part.strip().equals(value));
        if (once && has) {
            return;
        }
        fields.remove(name);
        fields.add(name, all.getFirst() + ", " + value);
        all.stream().skip(1).forEach(line -> fields.add(name, line));
    }

    private static void edit(Compiled one, FieldList fields, RuleTemplate.Found found) {
        String name = one.rule.name();
        List<String> all = fields.all(name);
        if (all.isEmpty()) {
            return;
        }
        fields.remove(name);
        for (String line : all) {
            fields.add(name, edited(one, line, found));
        }
    }

    private static String edited(Compiled one, String line, RuleTemplate.Found found) {
        Matcher matcher = one.regex == null ? null : one.regex.find(line);
        if (matcher == null) {
            return line;
        }
        boolean all = one.rule.change() == FieldRule.Change.EDIT_ALL;
        StringBuilder made = new StringBuilder();
        int from = 0;
        boolean more = true;
        while (more) {
            made.append(line, from, matcher.start()).append(one.value.plain(found.in(matcher)));
            from = matcher.end();
            more = all && matcher.find();
        }
        return made.append(line, from, line.length()).toString();
    }
}
