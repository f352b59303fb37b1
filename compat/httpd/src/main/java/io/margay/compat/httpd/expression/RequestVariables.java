package io.margay.compat.httpd.expression;

import io.margay.compat.account.Account;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.compiled.RequestConditions;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The variables of a request that the directives of one configuration name: which of them
/// something depends on, and which access depends on. Confined to one reading.
public final class RequestVariables {
    /// The one that is the folder of the host's files, which conditions know as a variable of its
    /// own.
    public static final String DOCUMENT_ROOT = "DOCUMENT_ROOT";

    /// In the place of a variable that is not set: no octet of a request is that.
    private static final char NOT_SET = '\uffff';

    private static final Pattern VARIABLE = Pattern.compile("%\\{ENV:([^}|]*)");

    /// The variables of an expression.
    private static final Pattern ASKED =
            Pattern.compile("(?i)env\\(\\s*['\"]([^'\"]+)['\"]\\s*\\)|%\\{(?:req)?env:([^}]+)}");

    /// Variables that sections depend on which httpd asks before it sets those of `SetEnv`.
    private final Map<String, HttpdNode> early = new LinkedHashMap<>();

    /// Variables that something depends on.
    private final Set<String> used = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    /// Whether programs are told of all variables.
    private boolean all;

    /// Variables that directives set which are not followed exactly.
    private final Set<String> unfollowed = new HashSet<>();

    /// Variables that access depends on, with the first directive that says so.
    private final Map<String, HttpdNode> deciding = new LinkedHashMap<>();

    /// The value of a variable, for a template; it is known from now on that something depends on
    /// it.
    public String reference(String name) {
        used.add(name);
        return "%{ENV:" + name + "}";
    }

    /// A text with variables of httpd, as a template: its port is that of the URL.
    public String known(String text) {
        if (text.contains("%{SERVER_PORT}")) {
            used.add("SERVER_PORT");
        }
        return text.replace("%{SERVER_PORT}", "%{URL_PORT}");
    }

    /// The name here of a variable of httpd's.
    String knownName(String name) {
        String known = known("%{" + name + "}");
        return known.substring(2, known.length() - 1);
    }

    /// Whether something depends on a variable.
    public boolean isUsed(String name) {
        return all || used.contains(name);
    }

    /// Takes note that programs are told of all variables.
    public void useAll() {
        all = true;
    }

    /// Holds where a variable is set, to nothing, too.
    public Condition isSet(String name) {
        String value = reference(name);
        return Condition.of(
                value.substring(0, value.length() - 1) + "|" + NOT_SET + "}",
                "^[^" + NOT_SET + "]*$");
    }

    /// Takes note that access depends on whether a variable is set.
    public void decidesAccess(String name, HttpdNode node) {
        used.add(name);
        deciding.putIfAbsent(name, node);
    }

    /// The same for the variables of conditions.
    public void decideAccess(RequestConditions conditions, HttpdNode node) {
        conditions.conditions().stream()
                .flatMap(one -> VARIABLE.matcher(one.value()).results())
                .forEach(found -> decidesAccess(found.group(1), node));
    }

    /// Takes note of the variables of a section's expression.
    public void askEarly(String expression, HttpdNode section) {
        ASKED.matcher(expression)
                .results()
                .map(found -> found.group(1) != null ? found.group(1) : found.group(2))
                .forEach(name -> early.putIfAbsent(name, section));
    }

    /// Names sections that see here what they do not see in httpd.
    ///
    /// @param late variables of `SetEnv`
    public void checkEarly(Set<String> late, Account account) {
        early.forEach((name, section) -> {
            if (late.stream().anyMatch(name::equalsIgnoreCase)) {
                account.changed(
                        section.place(),
                        section.title(),
                        "sees the variable "
                                + name
                                + ", which httpd sets only after it: set it with SetEnvIf");
            }
        });
    }

    /// Takes note that directives set variables and are not followed exactly.
    public void unfollowed(List<String> names) {
        unfollowed.addAll(names);
    }

    /// The directives by which access depends on a variable, one for each variable.
    public Collection<HttpdNode> deciding() {
        return deciding.values();
    }

    /// Complains of variables on which access depends and which are not what they are in httpd.
    ///
    /// @param late for each server, the variables that httpd sets only after it has decided on
    ///   access
    public void check(List<Set<String>> late, Account account) {
        deciding.forEach((name, node) -> {
            if (unfollowed.contains(name)) {
                account.wrong(
                        node.place(),
                        node.title(),
                        "depends on the variable "
                                + name
                                + ", which is set by a directive that is not honoured exactly");
            }
        });
        for (Set<String> ofServer : late) {
            deciding.forEach((name, node) -> {
                if (ofServer.contains(name)) {
                    account.wrong(
                            node.place(),
                            node.title(),
                            "depends on the variable "
                                    + name
                                    + ", which httpd sets only later, or for one folder; set it"
                                    + " with SetEnvIf outside of folders");
                }
            });
        }
    }
}
