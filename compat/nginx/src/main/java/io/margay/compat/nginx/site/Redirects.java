package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a server answers itself: redirections, texts and statuses. Confined to one reading.
record Redirects(Program program, Variables variables) {
    private static final Set<String> REDIRECTIONS = Set.of("301", "302", "303", "307", "308");

    /// Whether nginx takes a text for the address of another place.
    boolean isElsewhere(String to) {
        return to.startsWith("http://") || to.startsWith("https://") || to.startsWith("$scheme");
    }

    /// Writes a `return`.
    void returned(NginxNode node, Scope scope, List<Condition> when) throws Variables.Unknown {
        String status = node.word(0);
        String text = node.words().size() > 1 ? node.word(1) : null;
        if (!status.matches("[0-9]{1,3}")) {
            if (text != null || !isElsewhere(status)) {
                throw new Variables.Unknown("invalid return code \"" + status + "\"");
            }
            elsewhere(302, status, scope, PathMatch.ANY, when, false);
            return;
        }
        if (text != null && REDIRECTIONS.contains(status)) {
            elsewhere(Integer.parseInt(status), text, scope, PathMatch.ANY, when, false);
            return;
        }
        int code = Integer.parseInt(status);
        if (text == null && code >= 400) {
            answer(where(PathMatch.ANY, when, scope), List.of(), new RuleAction.Refuse(code));
            return;
        }
        if (code < 200 || code > 599) {
            throw new Variables.Unknown("the status " + code + " is not translated");
        }
        String said = text == null ? "" : variables.template(text);
        Where where = where(PathMatch.ANY, when, scope);
        if (!said.isEmpty()) {
            Program.Label plain = new Program.Label();
            program.jump(
                    PathMatch.ANY,
                    List.of(Conditions.isNot("%{REQUEST_URI}", "\\.[^/]*$")),
                    List.of(),
                    plain);
            EndingTypes.expressions(scope.nearest("types"))
                    .forEach((type, path) -> {
                        Condition of = new Condition("%{REQUEST_URI}", path, true, false, false);
                        answer(where, List.of(of), new RuleAction.Say(code, type, said));
                    });
            program.place(plain);
        }
        String type = scope.word("default_type", "text/plain");
        answer(where, List.of(), new RuleAction.Say(code, type, said));
    }

    /// What a location answers is for those whom the locations before let in through which the
    /// request was led there. Before a server finds a location, nobody is asked for.
    private static Where where(PathMatch match, List<Condition> when, Scope scope) {
        return new Where(match, when, !scope.isOfServer());
    }

    /// Writes a `rewrite` that leads elsewhere.
    void rewritten(NginxNode node, Scope scope, PathMatch match, List<Condition> when)
            throws Variables.Unknown {
        int status = node.word(2).equals("permanent") ? 301 : 302;
        String to = node.word(1);
        boolean drops = to.endsWith("?");
        elsewhere(
                status, drops ? to.substring(0, to.length() - 1) : to, scope, match, when, !drops);
    }

    private void elsewhere(
            int status,
            String to,
            Scope scope,
            PathMatch match,
            List<Condition> when,
            boolean addsQuery)
            throws Variables.Unknown {
        String target = variables.template(to);
        Query query = addsQuery ? Query.ADD : Query.DROP;
        // An expression is asked for once more only where its groups are named in the target.
        if (to.startsWith("$") && !isElsewhere(to)) {
            List<Condition> path = new ArrayList<>(List.of(Conditions.is(target, "^/")));
            path.addAll(when);
            absolute(status, target, query, scope, where(match, path, scope));
        }
        if (!to.startsWith("/") || !scope.isOn("absolute_redirect", true)) {
            answer(
                    where(match, when, scope),
                    List.of(),
                    new RuleAction.Redirect(status, target, query));
            return;
        }
        absolute(status, target, query, scope, where(match, when, scope));
    }

    /// Of which requests something is.
    ///
    /// @param guarded whether sections are asked first
    record Where(PathMatch match, List<Condition> when, boolean guarded) {}

    /// Redirects to a path of this server, with the port where it is not the scheme's.
    void absolute(int status, String target, Query query, Scope scope, Where where) {
        if (!scope.isOn("absolute_redirect", true)) {
            answer(where, List.of(), new RuleAction.Redirect(status, target, query));
            return;
        }
        String host = "%{REQUEST_SCHEME}://%{SERVER_NAME}";
        boolean port = scope.isOn("port_in_redirect", true);
        Condition usual =
                Conditions.is("%{REQUEST_SCHEME}:%{SERVER_PORT}", "^http:80$|^https:443$");
        if (port) {
            answer(where, List.of(usual), new RuleAction.Redirect(status, host + target, query));
        }
        String end = port ? ":%{SERVER_PORT}" : "";
        answer(where, List.of(), new RuleAction.Redirect(status, host + end + target, query));
    }

    private void answer(Where where, List<Condition> more, RuleAction action) {
        List<Condition> all = new ArrayList<>(more);
        all.addAll(where.when);
        if (where.guarded) {
            program.guarded(where.match, all, action);
        } else {
            program.answer(where.match, all, action);
        }
    }
}
