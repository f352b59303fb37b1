package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.RuleOrder;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.protocol.fastcgi.CgiRequest;
import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.UndecidedException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of a host that change fields, in order. Immutable.
final class FieldRules {
    /// What variables begin with that are fields.
    private static final String FIELD = "%{HTTP";

    private static final String PATH = "%{REQUEST_URI}";
    private static final String FILE = "_FILENAME}";

    /// What describes an answer itself, which httpd keeps with the fields of answers that are no
    /// errors.
    private static final Set<String> OF_ANSWER =
            Set.of(
                    "content-length",
                    "content-range",
                    "content-type",
                    "etag",
                    "last-modified",
                    "location",
                    "transfer-encoding");

    /// What goes with errors of the server itself.
    private static final Set<String> OF_ERROR =
            Set.of("proxy-authenticate", "set-cookie", "www-authenticate");

    private static final String TYPE = "Content-Type";

    private static final boolean[] ALWAYS_FIRST = {true, false};

    private final List<Compiled> rules;

    /// Whether one sees but a part of the fields.
    private final boolean apart;

    private final boolean asksFields;
    private final boolean searches;

    /// Where an answer comes from.
    enum Origin {
        HERE,
        MEMBER,
        PROGRAM
    }

    /// @param asksFields whether it looks at fields
    /// @param tellsPath whether its value has the path as it came
    /// @param tellsFile whether its value has a path of a file
    private record Compiled(
            FieldRule rule,
            RuleMatch match,
            RuleTemplate value,
            @Nullable BoundedRegex regex,
            boolean asksFields,
            boolean tellsPath,
            boolean tellsFile) {
        static Compiled of(FieldRule rule, RuleScope scope) {
            boolean edits =
                    switch (rule.change()) {
                        case EDIT, EDIT_ALL -> true;
                        case SET, SET_IF_EMPTY, ADD, APPEND, MERGE, UNSET -> false;
                    };
            String value = rule.value();
            return new Compiled(
                    rule,
                    RuleMatch.of(rule.match(), rule.when(), scope),
                    RuleTemplate.of(value, scope.maps()),
                    edits ? BoundedRegex.of(rule.regex(), false, scope.limits()) : null,
                    value.contains(FIELD)
                            || rule.when().stream().anyMatch(one -> one.value().contains(FIELD)),
                    value.contains(PATH),
                    value.contains(FILE));
        }

        boolean isAlwaysApart() {
            return rule.apart() && rule.always();
        }

        /// Whether it changes the type of an answer, which is in neither part; that of a member is
        /// in one, too.
        boolean changesType(Origin origin) {
            boolean changes =
                    switch (rule.change()) {
                        case SET, EDIT, EDIT_ALL -> true;
                        case UNSET -> origin != Origin.MEMBER;
                        case SET_IF_EMPTY, ADD, APPEND, MERGE -> false;
                    };
            return changes && rule.name().equalsIgnoreCase(TYPE);
        }

        /// Whether an expression decides whether, or what, it changes.
        boolean searches() {
            return regex != null || match.searches();
        }
    }

    private FieldRules(List<Compiled> rules) {
        this.rules = List.copyOf(rules);
        apart = rules.stream().anyMatch(one -> one.rule.apart());
        asksFields = rules.stream().anyMatch(Compiled::asksFields);
        searches = rules.stream().anyMatch(Compiled::searches);
    }

    static FieldRules of(List<FieldRule> rules, RuleScope scope) {
        return new FieldRules(rules.stream().map(rule -> Compiled.of(rule, scope)).toList());
    }

    /// These with those of a folder.
    FieldRules with(FieldRules inner) {
        return new FieldRules(RuleOrder.merged(rules, inner.rules, one -> one.rule.order()));
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    /// Whether one looks at fields of the request.
    boolean askFields() {
        return asksFields;
    }

    /// Whether one searches with an expression, and so may not come to an end.
    boolean search() {
        return searches;
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
    /// @param origin where the answer comes from
    /// @throws UndecidedException as an expression may
    void apply(FieldList fields, RuleRequest request, boolean own, Origin origin) {
        if (!apart) {
            applyAll(fields, request, own);
            return;
        }
        FieldList early = new FieldList();
        FieldList others = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i).toLowerCase(Locale.ROOT);
            boolean first =
                    own
                            ? OF_ERROR.contains(name)
                            : origin == Origin.PROGRAM && !OF_ANSWER.contains(name);
            (first ? early : others).add(fields.name(i), fields.value(i));
        }
        RulePath path = RulePath.of(request.path(), request.rawPath());
        for (boolean always : ALWAYS_FIRST) {
            for (Compiled one : rules) {
                boolean holds = one.isAlwaysApart() == always && (!own || one.rule.always());
                RuleMatch.Taken taken = holds ? one.match.take(request, path) : null;
                if (taken != null) {
                    boolean first = always && !one.changesType(origin);
                    apply(one, first ? early : others, RuleTemplate.Found.of(request, path, taken));
                }
            }
        }
        if (others.contains(TYPE)) {
            early.remove(TYPE);
        }
        fields.clear();
        for (FieldList part : List.of(early, others)) {
            for (int i = 0; i < part.size(); i++) {
                fields.add(part.name(i), part.value(i));
            }
        }
    }

    private void applyAll(FieldList fields, RuleRequest request, boolean own) {
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

    /// The text; a path is told with its parameters, in the octets of its UTF-8, as in httpd.
    private static String value(Compiled one, RuleTemplate.Found found) {
        String text = one.value.plain(one.tellsPath ? found.withParameters() : found);
        return one.tellsPath || one.tellsFile ? CgiRequest.octets(text) : text;
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
