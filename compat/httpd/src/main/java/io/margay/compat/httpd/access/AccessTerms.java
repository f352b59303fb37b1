package io.margay.compat.httpd.access;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.HttpdExpression;
import io.margay.compat.httpd.expression.RequestTerm;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.AccessTerm;
import io.margay.gateway.access.OrderedAccess;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.match.ClaimTest;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.rules.compiled.RequestConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// Reads what `Require`, `Allow` and `Deny` ask for. Confined to one reading.
final class AccessTerms {
    private final ReadingContext context;

    /// Those that want to know the user.
    private final List<HttpdNode> ofUsers = new ArrayList<>();

    AccessTerms(ReadingContext context) {
        this.context = context;
    }

    /// Those that want to know the user.
    List<HttpdNode> ofUsers() {
        return ofUsers;
    }

    /// The requirements of nodes that stand beside one another.
    ///
    /// @param all whether each must be met
    List<Requirement> parts(List<HttpdNode> nodes, boolean all, Methods methods) {
        List<Requirement> parts = new ArrayList<>();
        for (HttpdNode node : nodes) {
            if (!node.key().startsWith("require")) {
                context.wrong(node, "is not allowed among Require");
            } else if (!all && isNegated(node)) {
                context.account()
                        .wrong(
                                node.place(),
                                node.title(),
                                "has no effect where any one is enough; put it into RequireAll");
            } else if (node.section()) {
                group(node, methods).ifPresent(parts::add);
            } else {
                parts.add(require(node, methods));
            }
        }
        return parts;
    }

    private static boolean isNegated(HttpdNode node) {
        return node.section()
                ? node.key().equals("requirenone")
                : node.argument(0).equalsIgnoreCase("not");
    }

    private Optional<Requirement> group(HttpdNode node, Methods methods) {
        boolean all = node.key().equals("requireall");
        List<Requirement> parts = parts(node.children(), all, methods);
        if (node.children().isEmpty()) {
            context.noted(node, "is empty");
            return Optional.empty();
        }
        if (all && node.children().stream().allMatch(AccessTerms::isNegated)) {
            context.account()
                    .wrong(node.place(), node.title(), "admits nobody: add Require all granted");
        } else {
            context.account().honoured(node.place(), node.title());
        }
        return Optional.of(
                new Requirement.Group(all, node.key().equals("requirenone"), methods, parts));
    }

    private Requirement require(HttpdNode node, Methods methods) {
        boolean not = node.argument(0).equalsIgnoreCase("not");
        List<String> words = node.arguments().subList(not ? 1 : 0, node.size());
        String what = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
        List<String> values = words.isEmpty() ? List.of() : words.subList(1, words.size());
        Optional<List<AccessTerm>> found = terms(node, what, values);
        if (found.isEmpty()) {
            context.wrong(
                    node,
                    "\""
                            + node.text()
                            + "\" is not supported; Require all, valid-user, user, group, ip,"
                            + " ldap-…, claim, local, env, expr, method, ssl and"
                            + " ssl-verify-client are, and the application can check the rest");
            return new Requirement.Test(new AccessTerm.Everybody(false), false, methods);
        }
        context.honoured(node);
        List<AccessTerm> terms = found.get();
        if (terms.stream().anyMatch(AccessTerm::isOfUser)) {
            ofUsers.add(node);
        }
        if (terms.size() == 1) {
            return new Requirement.Test(terms.getFirst(), not, methods);
        }
        List<Requirement> parts = new ArrayList<>();
        terms.forEach(term -> parts.add(new Requirement.Test(term, false, methods)));
        return new Requirement.Group(false, not, methods, parts);
    }

    private Optional<List<AccessTerm>> terms(HttpdNode node, String what, List<String> values) {
        return switch (what) {
            case "all" -> {
                String word = String.join(" ", values).toLowerCase(Locale.ROOT);
                boolean granted = word.equals("granted");
                yield granted || word.equals("denied")
                        ? Optional.of(List.of(new AccessTerm.Everybody(granted)))
                        : Optional.empty();
            }
            case "valid-user" -> one(values.isEmpty(), new AccessTerm.AnyUser());
            case "user" -> one(areNames(values), new AccessTerm.User(values));
            case "group" -> one(areNames(values), new AccessTerm.Group(values));
            case "claim" -> context.isOfFolder() ? Optional.empty() : claims(values);
            case "local" -> one(values.isEmpty(), new AccessTerm.Local());
            case "ip" -> {
                List<Network> networks = networks(values);
                yield one(
                        !values.isEmpty() && networks.size() == values.size(),
                        new AccessTerm.From(networks));
            }
            case "ssl" -> one(values.isEmpty(), new AccessTerm.Tls());
            case "ssl-verify-client" -> one(values.isEmpty(), new AccessTerm.Certificate());
            case "method" -> one(!values.isEmpty(), new AccessTerm.Method(Methods.of(values)));
            case "expr" -> expression(String.join(" ", values), node);
            case "env" ->
                    values.isEmpty()
                            ? Optional.empty()
                            : Optional.of(values.stream().map(name -> set(name, node)).toList());
            default -> asked(what, values);
        };
    }

    /// What a directory is asked, which a file in a folder is too late for.
    private Optional<List<AccessTerm>> asked(String what, List<String> values) {
        List<DirectoryQuestion> questions =
                context.isOfFolder() ? List.of() : HttpdDirectory.questions(what, values);
        context.questions().addAll(questions);
        return one(!questions.isEmpty(), new AccessTerm.Asked(questions));
    }

    /// As mod_auth_openidc reads them.
    private Optional<List<AccessTerm>> claims(List<String> values) {
        try {
            List<ClaimTest> tests = values.stream().map(ClaimTest::parse).toList();
            tests.forEach(one -> context.claims().add(one.name()));
            return one(areNames(values), new AccessTerm.Claim(tests));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<List<AccessTerm>> one(boolean sound, AccessTerm term) {
        return sound ? Optional.of(List.of(term)) : Optional.empty();
    }

    /// To httpd they are expressions, in which these characters mean something.
    private static boolean areNames(List<String> values) {
        return !values.isEmpty()
                && values.stream().noneMatch(one -> one.contains("%{") || one.contains("\\"));
    }

    private AccessTerm set(String name, HttpdNode node) {
        context.variables().decidesAccess(name, node);
        return new AccessTerm.Variable(name);
    }

    private Optional<List<AccessTerm>> expression(String text, HttpdNode node) {
        try {
            RequestTerm term = HttpdExpression.ofFile(text, context.variables());
            RequestConditions conditions = RequestConditions.of(term.conditions(false));
            context.variables().decideAccess(conditions, node);
            return Optional.of(List.of(new AccessTerm.Holds(conditions)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// `SSLRequire`, which says nothing of what does not come by TLS, as in httpd: neither over the
    /// connection, nor as a front end tells that a listener believes.
    Optional<Requirement> sslRequire(HttpdNode node) {
        try {
            RequestTerm plain =
                    HttpdExpression.of("\"%{HTTPS}%{SSL_PROTOCOL}\" == 'off'", context.variables());
            RequestTerm said = HttpdExpression.ofSslRequire(node.text(), context.variables());
            RequestTerm whole = new RequestTerm.Any(List.of(plain, said));
            RequestConditions conditions = RequestConditions.of(whole.conditions(false));
            context.variables().decideAccess(conditions, node);
            context.honoured(node);
            return Optional.of(
                    new Requirement.Test(new AccessTerm.Holds(conditions), false, Methods.ALL));
        } catch (IllegalArgumentException e) {
            context.wrong(node, e.getMessage() + ": write it as Require expr");
            return Optional.empty();
        }
    }

    private static List<Network> networks(List<String> texts) {
        return texts.stream()
                .map(text -> Network.parse(text).orElse(null))
                .filter(Objects::nonNull)
                .toList();
    }

    /// `Allow` or `Deny`, `from` addresses, `all` or `env=[!]VARIABLE`.
    void from(HttpdNode node, Methods methods, List<OrderedAccess.Entry> to) {
        if (!node.argument(0).equalsIgnoreCase("from") || node.size() < 2) {
            context.wrong(node, "write " + node.name() + " from …");
            return;
        }
        for (String who : node.arguments().subList(1, node.size())) {
            boolean not = false;
            AccessTerm term;
            if (who.equalsIgnoreCase("all")) {
                term = new AccessTerm.Everybody(true);
            } else if (who.toLowerCase(Locale.ROOT).startsWith("env=")) {
                not = who.startsWith("!", 4);
                term = set(who.substring(not ? 5 : 4), node);
            } else {
                boolean here = who.equalsIgnoreCase("localhost");
                List<Network> networks =
                        networks(here ? List.of("127.0.0.1", "::1") : List.of(who));
                if (networks.isEmpty()) {
                    context.wrong(
                            node,
                            "\""
                                    + who
                                    + "\" is not an address such as 10.1.2.3, 10.1, 10.1.0.0/16 or"
                                    + " 2001:db8::/32");
                    return;
                }
                term = new AccessTerm.From(networks);
            }
            to.add(new OrderedAccess.Entry(term, not, methods));
        }
        context.honoured(node);
    }
}
