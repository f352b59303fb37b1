package io.margay.gateway.compat;

import io.margay.gateway.compat.RequestTerm.All;
import io.margay.gateway.compat.RequestTerm.Any;
import io.margay.gateway.compat.RequestTerm.Constant;
import io.margay.gateway.compat.RequestTerm.Not;
import io.margay.gateway.compat.RequestTerm.Test;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Who may see what a section is about: `Require`, and `Order`, `Allow`, `Deny` of httpd 2.2.
/// Confined to one reading.
final class HttpdAccess {
    private static final String LOCAL = "^127\\.|^0:0:0:0:0:0:0:1$";

    final HttpdSection section;
    private final HttpdReader reader;

    /// The methods that the limits are for; none stands for all.
    private final List<Condition> methods;

    private final List<RequestTerm> required = new ArrayList<>();
    private final List<RequestTerm> allowed = new ArrayList<>();
    private final List<RequestTerm> denied = new ArrayList<>();
    private boolean ordered;
    private boolean denyFirst = true;

    HttpdAccess(HttpdSection section, HttpdReader reader) {
        this(section, reader, List.of());
    }

    /// @param methods what must hold for its limits to count
    HttpdAccess(HttpdSection section, HttpdReader reader, List<Condition> methods) {
        this.section = section;
        this.reader = reader;
        this.methods = List.copyOf(methods);
    }

    /// The methods that `Limit` or `LimitExcept` is about.
    static List<Condition> methods(HttpdNode limit) {
        String names = String.join("|", limit.arguments());
        boolean head = limit.arguments().contains("GET");
        return List.of(
                new Condition(
                        "%{REQUEST_METHOD}",
                        "^(?:"
                                + HttpdSection.quote(names).replace("\\|", "|")
                                + (head ? "|HEAD" : "")
                                + ")$",
                        false,
                        limit.key().equals("limitexcept"),
                        false));
    }

    /// Reads one directive, or one of the sections `RequireAll`, `RequireAny`, `RequireNone`.
    void read(HttpdNode node) {
        switch (node.key()) {
            case "require", "requireall", "requireany", "requirenone" -> required.add(term(node));
            case "order" -> {
                ordered = true;
                denyFirst = node.text().toLowerCase(Locale.ROOT).startsWith("deny");
                reader.honoured(node);
            }
            case "allow" -> from(node, allowed);
            case "deny" -> from(node, denied);
            default -> {
                if (node.section()) {
                    reader.account.wrong(node.place(), node.title(), "has no place here");
                } else {
                    reader.honoured(node);
                }
            }
        }
    }

    private RequestTerm term(HttpdNode node) {
        if (!node.section()) {
            return require(node);
        }
        reader.account.honoured(node.place(), node.title());
        List<RequestTerm> terms = new ArrayList<>();
        for (HttpdNode child : node.children()) {
            if (child.key().startsWith("require")) {
                terms.add(term(child));
            } else {
                reader.wrong(child, "has no place in " + node.title());
            }
        }
        return switch (node.key()) {
            case "requireall" -> new All(terms);
            case "requirenone" -> new Not(new Any(terms));
            default -> new Any(terms);
        };
    }

    private RequestTerm require(HttpdNode node) {
        boolean not = node.argument(0).equalsIgnoreCase("not");
        List<String> words = node.arguments().subList(not ? 1 : 0, node.size());
        String what = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
        List<String> values = words.isEmpty() ? List.of() : words.subList(1, words.size());
        Optional<RequestTerm> term =
                switch (what) {
                    case "all" ->
                            Optional.of(
                                    new Constant(
                                            !values.isEmpty()
                                                    && values.getFirst()
                                                            .equalsIgnoreCase("granted")));
                    case "local" -> Optional.of(address(LOCAL));
                    case "ip" -> Optional.of(new Any(addresses(values, node)));
                    case "ssl" -> Optional.of(new Test(Condition.of("%{HTTPS}", "^on$")));
                    case "method" ->
                            Optional.of(
                                    new Test(
                                            Condition.of(
                                                    "%{REQUEST_METHOD}",
                                                    "^(?:" + String.join("|", values) + ")$")));
                    case "expr" -> expression(node, String.join(" ", values));
                    case "env" ->
                            Optional.of(
                                    new Any(
                                            values.stream()
                                                    .map(reader::isSet)
                                                    .<RequestTerm>map(Test::new)
                                                    .toList()));
                    default -> Optional.empty();
                };
        if (term.isEmpty()) {
            reader.wrong(
                    node,
                    "\""
                            + node.text()
                            + "\" cannot be asked for here; Require all, ip, local, env, expr,"
                            + " method and ssl can, and the application can do the rest");
            return new Constant(false);
        }
        reader.honoured(node);
        return not ? new Not(term.get()) : term.get();
    }

    private Optional<RequestTerm> expression(HttpdNode node, String text) {
        try {
            RequestTerm term = HttpdExpression.of(text, reader);
            boolean sound = Expressions.check(node, term.conditions(false), reader.account);
            return sound ? Optional.of(term) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void from(HttpdNode node, List<RequestTerm> to) {
        reader.honoured(node);
        for (String who : node.arguments()) {
            if (who.equalsIgnoreCase("from")) {
                continue;
            }
            if (who.equalsIgnoreCase("all")) {
                to.add(new Constant(true));
            } else if (who.toLowerCase(Locale.ROOT).startsWith("env=")) {
                boolean not = who.startsWith("!", 4);
                RequestTerm set = new Test(reader.isSet(who.substring(not ? 5 : 4)));
                to.add(not ? new Not(set) : set);
            } else {
                to.addAll(addresses(List.of(who), node));
            }
        }
    }

    private static RequestTerm address(String regex) {
        return new Test(Condition.of("%{REMOTE_ADDR}", regex));
    }

    private List<RequestTerm> addresses(List<String> texts, HttpdNode node) {
        List<RequestTerm> terms = new ArrayList<>();
        for (String text : texts) {
            AddressPattern.regex(text)
                    .ifPresentOrElse(
                            regex -> terms.add(address(regex)),
                            () ->
                                    reader.wrong(
                                            node,
                                            "\""
                                                    + text
                                                    + "\" is no address such as 10.1.2.3, 10.1,"
                                                    + " 10.1.0.0/16 or 2001:db8::/32"));
        }
        return terms;
    }

    /// Who is let in.
    private RequestTerm whole() {
        List<RequestTerm> all = new ArrayList<>();
        if (!required.isEmpty()) {
            all.add(new Any(required));
        }
        if (ordered || !allowed.isEmpty() || !denied.isEmpty()) {
            RequestTerm not = new Not(new Any(denied));
            all.add(
                    denyFirst
                            ? new Any(List.of(not, new Any(allowed)))
                            : new All(List.of(not, new Any(allowed))));
        }
        return new All(all);
    }

    /// What must hold of a request to be refused, as lists of which each is joined by "or"; empty
    /// when all are refused.
    private List<List<Condition>> refused() {
        return whole().clauses(true);
    }

    /// Whether some are kept out.
    boolean isLimited() {
        return refused().stream().noneMatch(List::isEmpty);
    }

    /// Rules that refuse: the last section that is about a path decides, as in httpd.
    static List<GatewayRule> rules(List<HttpdAccess> sections) {
        List<GatewayRule> rules = new ArrayList<>();
        List<Condition> notLater = new ArrayList<>();
        for (HttpdAccess access : sections.reversed()) {
            PathMatch match = access.section.match();
            if (access.isLimited()) {
                List<Condition> when = new ArrayList<>(notLater);
                when.addAll(access.section.conditions());
                when.addAll(access.methods);
                access.refused().forEach(clause -> when.addAll(RequestTerm.joined(clause)));
                rules.add(new GatewayRule(match, List.of(), when, new RuleAction.Refuse(403)));
            }
            if (access.methods.isEmpty()) {
                Condition here = Condition.of("%{REQUEST_URI}", HttpdSection.asRegex(match));
                RequestTerm about = new All(List.of(new Test(here), access.section.when()));
                notLater.addAll(about.conditions(true));
            }
        }
        return rules;
    }
}
