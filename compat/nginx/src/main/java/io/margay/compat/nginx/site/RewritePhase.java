package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/// The directives of mod_rewrite's like in nginx: `return`, `rewrite`, `set`, `if`, `break`, in the
/// order in which they stand. Confined to one reading.
///
/// @param scopes takes the blocks of `if` that have settings of their own
record RewritePhase(
        Reading reading,
        Program program,
        Variables variables,
        Redirects redirects,
        Consumer<Scope> scopes) {
    /// That a rewrite has changed the path.
    static final Assignment MOVED = new Assignment("nginx.moved", "1");

    /// That the path needs a location of its own before anything answers it.
    static final Assignment AGAIN = new Assignment("nginx.again", "1");

    /// That a location may be asked for that is for this server alone.
    static final Assignment INTERNAL = new Assignment("nginx.internal", "1");

    /// What may stand in an `if` beside the directives of this class.
    private static final Set<String> FIELDS =
            Set.of(
                    "access_log",
                    "add_header",
                    "charset",
                    "expires",
                    "gzip",
                    "limit_rate",
                    "limit_rate_after");

    private static final Set<String> OWN = Set.of("return", "rewrite", "set", "if", "break");

    /// Where rules go on.
    ///
    /// @param last after `last`
    /// @param end after `break`
    record Ways(Program.Label last, Program.Label end) {}

    /// Writes the rules of a block.
    void write(Scope scope, Ways ways) {
        for (NginxNode node : scope.nodes()) {
            if (OWN.contains(node.name())) {
                write(node, scope, List.of(), ways);
            }
        }
    }

    private void write(NginxNode node, Scope scope, List<Condition> when, Ways ways) {
        node.asked();
        try {
            switch (node.name()) {
                case "return" -> redirects.returned(node, scope, when);
                case "break" -> program.jump(PathMatch.ANY, when, List.of(), ways.end);
                case "set" -> set(node, scope, when);
                case "rewrite" -> rewrite(node, scope, when, ways);
                default -> condition(node, scope, ways);
            }
        } catch (Variables.Unknown | IllegalArgumentException e) {
            reading.wrong(node, String.valueOf(e.getMessage()));
        }
    }

    private void set(NginxNode node, Scope scope, List<Condition> when) throws Variables.Unknown {
        if (!node.word(0).startsWith("$") || node.word(0).length() < 2) {
            throw new Variables.Unknown("invalid variable name \"" + node.word(0) + "\"");
        }
        String name = node.word(0).substring(1).toLowerCase(Locale.ROOT);
        String value = variables.in(scope).template(node.word(1));
        if (name.equals("args")) {
            RuleAction.Rewrite to =
                    new RuleAction.Rewrite("%{REQUEST_URI}?" + value, Query.DROP, 0);
            program.rewrite(PathMatch.ANY, when, to, List.of(), null);
            program.set(PathMatch.ANY, when, List.of(new Assignment(Variables.IS_ARGS, null)));
            List<Condition> asked = new ArrayList<>(when);
            asked.add(Conditions.is("%{QUERY_STRING}", "."));
            program.set(PathMatch.ANY, asked, List.of(new Assignment(Variables.IS_ARGS, "?")));
            return;
        }
        if (name.equals("limit_rate")) {
            reading.changed(node, "nothing is sent more slowly by it");
        } else if (Variables.isBuiltIn(name)) {
            throw new Variables.Unknown("the duplicate \"" + name + "\" variable");
        }
        program.set(PathMatch.ANY, when, List.of(new Assignment(name, value)));
    }

    private void rewrite(NginxNode node, Scope scope, List<Condition> when, Ways ways)
            throws Variables.Unknown {
        NginxRegex regex = NginxRegex.of(node.word(0));
        regex.names().stream().filter(name -> !name.isEmpty()).forEach(reading::define);
        PathMatch match = new PathMatch.Regex(regex.text(), false, false);
        String to = node.word(1);
        String flag = node.word(2);
        if (!Set.of("", "last", "break", "redirect", "permanent").contains(flag)) {
            throw new Variables.Unknown("invalid parameter \"" + flag + "\"");
        }
        List<Assignment> found = new ArrayList<>(regex.found('$'));
        if (redirects.isElsewhere(to) || flag.equals("redirect") || flag.equals("permanent")) {
            program.set(match, when, found);
            redirects.rewritten(node, scope, match, when);
            return;
        }
        boolean drops = to.endsWith("?");
        String target = variables.template(drops ? to.substring(0, to.length() - 1) : to, true);
        if (!target.startsWith("/") && !target.startsWith("%{")) {
            throw new Variables.Unknown("a path that does not begin with / is not translated");
        }
        Query query = drops ? Query.DROP : Query.ADD;
        Program.Label next =
                switch (flag) {
                    case "last" -> ways.last;
                    case "break" -> ways.end;
                    default -> null;
                };
        // What was found is known before the path is another.
        List<Assignment> sets = new ArrayList<>(found);
        sets.add(MOVED);
        if (flag.isEmpty()) {
            sets.add(AGAIN);
        }
        sets.add(INTERNAL);
        program.rewrite(match, when, new RuleAction.Rewrite(target, query, 0), sets, next);
    }

    private void condition(NginxNode node, Scope scope, Ways ways) throws Variables.Unknown {
        IfCondition parsed = IfCondition.of(node, variables.in(scope), reading);
        List<Condition> when = parsed.when();
        Scope inner = new Scope(reading.nextScope(), scope, node, node.block());
        boolean fields = false;
        for (NginxNode one : node.block()) {
            if (FIELDS.contains(one.name())) {
                fields = true;
            } else if (!OWN.contains(one.name()) || one.name().equals("if")) {
                reading.wrong(one, "in an if it is not translated: give it a location or a map");
                return;
            }
        }
        List<Assignment> sets = new ArrayList<>(parsed.found());
        String taken = "nginx.if." + inner.id();
        sets.add(new Assignment(taken, "1"));
        if (fields) {
            scopes.accept(inner);
            sets.add(new Assignment(Variables.LOCATION, Integer.toString(inner.id())));
        }
        program.set(PathMatch.ANY, when, sets);
        List<Condition> within = List.of(Conditions.has(taken, "1"));
        for (NginxNode one : node.block()) {
            if (OWN.contains(one.name())) {
                write(one, inner, within, ways);
            }
        }
        program.set(PathMatch.ANY, within, List.of(new Assignment(taken, null)));
    }

    /// What is said in the parentheses of an `if`.
    ///
    /// @param found what its expression found, as variables
    private record IfCondition(List<Condition> when, List<Assignment> found) {
        static IfCondition of(NginxNode node, Variables variables, Reading reading)
                throws Variables.Unknown {
            List<String> words = new ArrayList<>(node.words());
            String first = words.getFirst();
            String last = words.getLast();
            if (!first.startsWith("(") || !last.endsWith(")")) {
                throw new Variables.Unknown("invalid condition \"" + first + "\"");
            }
            words.set(0, first.substring(1));
            String end = words.getLast();
            words.set(words.size() - 1, end.substring(0, end.length() - 1));
            if (words.getFirst().isEmpty()) {
                words.removeFirst();
            }
            if (!words.isEmpty() && end.equals(")")) {
                words.removeLast(); // What stands in quotes may be empty.
            }
            if (words.size() == 1 && words.getFirst().startsWith("$")) {
                String value = variables.template(words.getFirst());
                return new IfCondition(List.of(Conditions.isNot(value, "^0?$")), List.of());
            }
            if (words.size() == 2) {
                return ofFile(words, variables);
            }
            if (words.size() < 2 || words.size() > 3) {
                throw new Variables.Unknown(
                        "invalid condition \"" + String.join(" ", words) + "\"");
            }
            String value = variables.template(words.get(0));
            String text = words.get(2);
            return switch (words.get(1)) {
                case "=" -> equal(value, text, false, variables);
                case "!=" -> equal(value, text, true, variables);
                case "~", "~*", "!~", "!~*" -> expression(value, words, reading);
                default ->
                        throw new Variables.Unknown(
                                "unexpected \"" + words.get(1) + "\" in condition");
            };
        }

        private static IfCondition equal(
                String value, String text, boolean not, Variables variables)
                throws Variables.Unknown {
            if (Variables.isIn(text)) {
                throw new Variables.Unknown(
                        variables.template(text)
                                + " is compared with a variable, which is not"
                                + " translated");
            }
            String regex = "^" + NginxRegex.quote(text) + "$";
            return new IfCondition(
                    List.of(new Condition(value, regex, false, not, false)), List.of());
        }

        private static IfCondition expression(String value, List<String> words, Reading reading) {
            String operator = words.get(1);
            NginxRegex regex = NginxRegex.of(words.get(2));
            regex.names().stream().filter(name -> !name.isEmpty()).forEach(reading::define);
            boolean not = operator.startsWith("!");
            Condition condition =
                    new Condition(value, regex.text(), operator.endsWith("*"), not, false);
            return new IfCondition(List.of(condition), not ? List.of() : regex.found('%'));
        }

        private static IfCondition ofFile(List<String> words, Variables variables)
                throws Variables.Unknown {
            String path = variables.template(words.get(1));
            boolean not = words.getFirst().startsWith("!");
            String test = words.getFirst().replaceFirst("^!", "");
            Condition file = new Condition(path, "-f", false, not, false);
            Condition folder = new Condition(path, "-d", false, not, false);
            return switch (test) {
                case "-f" -> new IfCondition(List.of(file), List.of());
                case "-d" -> new IfCondition(List.of(folder), List.of());
                case "-e" ->
                        new IfCondition(
                                not
                                        ? List.of(file, folder)
                                        : List.of(
                                                new Condition(path, "-f", false, false, true),
                                                folder),
                                List.of());
                default -> throw new Variables.Unknown("invalid condition \"" + test + "\"");
            };
        }
    }

    /// A path whose request goes on as one of its own where rewrites have changed it.
    void againWhereMoved(Program.Label again) {
        program.jump(
                PathMatch.ANY,
                List.of(Conditions.has(AGAIN.name(), "1")),
                List.of(new Assignment(AGAIN.name(), null)),
                again);
    }
}
