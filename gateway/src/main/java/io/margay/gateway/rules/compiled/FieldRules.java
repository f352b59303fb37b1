package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.RuleOrder;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.protocol.fastcgi.CgiRequest;
import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of a host that change fields, in order. Immutable.
final class FieldRules {
    /// What variables begin with that are fields.
    private static final String FIELD = "%{HTTP";

    private static final String PATH = "%{REQUEST_URI}";
    private static final String FILE = "_FILENAME}";

    private final List<Compiled> rules;

    private record Compiled(
            FieldRule rule, RuleMatch match, RuleTemplate value, @Nullable BoundedRegex regex) {
        /// Whether it looks at fields.
        boolean asksFields() {
            return rule.value().contains(FIELD)
                    || rule.when().stream().anyMatch(one -> one.value().contains(FIELD));
        }

        /// Whether an expression decides whether, or what, it changes.
        boolean searches() {
            return regex != null || match.searches();
        }
    }

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

    /// These with those of a folder.
    FieldRules with(FieldRules inner) {
        return new FieldRules(RuleOrder.merged(rules, inner.rules, one -> one.rule.order()));
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    /// Whether one searches with an expression, and so may not come to an end.
    boolean search() {
        return rules.stream().anyMatch(Compiled::searches);
    }

    /// Makes the changes that depend on no expression, neither by themselves nor by a variable.
    void applyDecided(FieldList fields, RuleRequest request) {
        RulePath path = RulePath.of(request.path(), request.rawPath());
        for (Compiled one : rules) {
            RuleMatch.Taken taken =
                    one.searches() || !one.value.isConstant()
                            ? null
                            : one.match.take(request, path);
            if (taken != null) {
                apply(one, fields, RuleTemplate.Found.of(request, path, taken));
            }
        }
    }

    /// Changes fields.
    ///
    /// @param own whether they are of this server's own answer
    /// @throws UndecidedException as an expression may
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

    /// Changes the fields of the request itself, each rule as those before it have left them.
    ///
    /// @throws UndecidedException as an expression may
    void applyToRequest(FieldList fields, RuleRequest request) {
        RulePath path = RulePath.of(request.path(), request.rawPath());
        RuleRequest seen = request;
        boolean changed = false;
        for (Compiled one : rules) {
            if (changed && one.asksFields()) {
                seen = seen.having(fields);
                changed = false;
            }
            RuleMatch.Taken taken = one.match.take(seen, path);
            if (taken != null) {
                apply(one, fields, RuleTemplate.Found.of(seen, path, taken));
                changed = true;
            }
        }
    }

    private static void apply(Compiled one, FieldList fields, RuleTemplate.Found found) {
        String name = one.rule.name();
        switch (one.rule.change()) {
            case SET -> fields.set(name, value(one, found));
            case SET_IF_EMPTY -> {
                if (!fields.contains(name)) {
                    fields.add(name, value(one, found));
                }
            }
            case ADD -> fields.add(name, value(one, found));
            case APPEND -> append(fields, name, value(one, found), false);
            case MERGE -> append(fields, name, value(one, found), true);
            case UNSET -> fields.remove(name);
            case EDIT, EDIT_ALL -> edit(one, fields, found);
        }
    }

    /// The text; a path is told in the octets of its UTF-8, as in httpd.
    private static String value(Compiled one, RuleTemplate.Found found) {
        String text = one.value.plain(found);
        boolean ofPath = one.rule.value().contains(PATH) || one.rule.value().contains(FILE);
        return ofPath ? CgiRequest.octets(text) : text;
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
        boolean all = one.rule.change() == FieldRule.Change.EDIT_ALL;
        String made =
                one.regex == null
                        ? null
                        : one.regex.replace(line, all, field -> value(one, found.in(field)));
        return made == null ? line : made;
    }
}
