package io.margay.compat.httpd.site;

import static io.margay.compat.httpd.expression.RequestVariables.DOCUMENT_ROOT;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.expression.HttpdExpression;
import io.margay.compat.httpd.expression.RegexText;
import io.margay.compat.httpd.expression.RequestTerm;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.compiled.RuleVariables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads `RewriteCond`, and keeps the conditions for the rule that comes after them. Confined to
/// one reading.
final class RewriteConditions {
    private static final Pattern VARIABLE = Pattern.compile("%\\{([^}]*)}");
    private static final Pattern COMPARISON =
            Pattern.compile("(?s)(=|<=|>=|<|>|-(?:eq|ne|ge|gt|le|lt)(?=[ 0-9]))(.*)");
    private static final Pattern MAP = Pattern.compile("\\$\\{([^:{}]+):");

    /// Who the user is, which httpd looks for by a request of its own.
    private static final String LOOKED_UP = "%{LA-U:REMOTE_USER}";

    private static final String USER = "%{REMOTE_USER}";
    private static final Pattern FILE_NAME = Pattern.compile("%\\{(REQUEST|SCRIPT)_FILENAME}");

    private final HttpdConfig config;
    private final ReadingContext context;
    private final List<Condition> pending = new ArrayList<>();

    /// Where those stand that are pending.
    private HttpdSection pendingIn = HttpdSection.NONE;

    /// Whether one of those that are pending is not looked at.
    private boolean untested;

    /// Whether one of those that are pending asks who the user is.
    private boolean byUser;

    /// The conditions of a rule.
    ///
    /// @param exact whether they are those that are written
    /// @param byUser whether they ask who the user is, outside of all sections
    record Taken(List<Condition> conditions, boolean exact, boolean byUser) {}

    RewriteConditions(HttpdConfig config) {
        this.config = config;
        context = config.context;
    }

    /// The conditions before a rule, which are not those of another.
    Taken take(HttpdNode rule, HttpdSection section) {
        stays(rule, section);
        Taken taken = new Taken(List.copyOf(pending), !untested, byUser);
        pending.clear();
        untested = false;
        byUser = false;
        return taken;
    }

    /// Conditions belong to the next rule of their own section.
    @SuppressWarnings("ReferenceEquality") // the same section written twice is two
    private void stays(HttpdNode node, HttpdSection section) {
        if (!pending.isEmpty() && pendingIn != section) {
            context.wrong(node, "the conditions before it are in another section");
            pending.clear();
        }
        pendingIn = section;
    }

    /// Reads one.
    void read(HttpdNode node, HttpdServer server, HttpdSection section) {
        stays(node, section);
        String value = ofUser(node.argument(0), section);
        byUser |= section.isNone() && asksUser(value, server);
        String pattern = node.argument(1);
        Map<String, String> flags = flags(node, node.argument(2));
        boolean anyCase = flags.containsKey("NC") || flags.containsKey("NOCASE");
        boolean or = flags.containsKey("OR") || flags.containsKey("ORNEXT");
        boolean not = pattern.startsWith("!");
        String text = not ? pattern.substring(1) : pattern;
        if (value.equalsIgnoreCase("expr")) {
            expression(node, pattern, or);
            return;
        }
        boolean ofFile = new Condition(value, text, false, false, false).isOfFile();
        if (text.matches("-[a-zA-Z]+") && !ofFile) {
            context.changed(
                    node,
                    "it is not looked for: "
                            + pattern
                            + (not ? " is taken as true" : " is taken as false"));
            pending.add(new Condition("", "^$", false, !not, or));
            untested = true;
            return;
        }
        Compared compared = compared(node, text);
        if (compared == null) {
            return;
        }
        not ^= compared.not();
        String regex = compared.regex();
        String known = context.variables().known(FILE_NAME.matcher(value).replaceAll("%{FILE}"));
        if (known.contains("%{" + DOCUMENT_ROOT + "}")) {
            known =
                    known.replace(
                            "%{" + DOCUMENT_ROOT + "}",
                            context.variables().reference(DOCUMENT_ROOT));
        }
        Condition condition = new Condition(known, regex, anyCase, not, or);
        if (variables(node, known)
                && knowsMaps(server, known)
                && Expressions.check(
                        node,
                        new GatewayRule(
                                PathMatch.ANY,
                                List.of(),
                                List.of(condition),
                                new RuleAction.Leave()),
                        config.maps(server),
                        context.account())) {
            context.honoured(node);
        }
        pending.add(condition);
    }

    /// A pattern as an expression.
    private record Compared(String regex, boolean not) {}

    /// `=TEXT`, `<TEXT`, `-lt NUMBER` and their like as expressions; null where that cannot be.
    private @Nullable Compared compared(HttpdNode node, String text) {
        Matcher matcher = COMPARISON.matcher(text);
        if (!matcher.matches()) {
            return new Compared(text, false);
        }
        String operator = matcher.group(1);
        String than = matcher.group(2).strip().replaceAll("^\"(.*)\"$", "$1");
        boolean number = operator.startsWith("-");
        if (number && !than.matches("[0-9]{1,9}")) {
            context.wrong(node, "\"" + than + "\" is not a number: " + node.text());
            return null;
        }
        try {
            String next = number ? Long.toString(Long.parseLong(than) + 1) : "";
            return switch (operator) {
                case "=" -> new Compared("^" + RegexText.quote(than) + "$", false);
                case ">" -> new Compared(RegexText.greater(than), false);
                case "<=" -> new Compared(RegexText.greater(than), true);
                case ">=" -> new Compared(RegexText.greaterOrEqual(than), false);
                case "<" -> new Compared(RegexText.greaterOrEqual(than), true);
                case "-ge" -> new Compared(RegexText.numberFrom(than), false);
                case "-lt" -> new Compared(RegexText.numberFrom(than), true);
                case "-gt" -> new Compared(RegexText.numberFrom(next), false);
                case "-le" -> new Compared(RegexText.numberFrom(next), true);
                case "-ne" -> new Compared("^0*" + than.replaceFirst("^0+", "") + "$", true);
                default -> new Compared("^0*" + than.replaceFirst("^0+", "") + "$", false);
            };
        } catch (IllegalArgumentException e) {
            context.wrong(node, e.getMessage() + ": " + node.text());
            return null;
        }
    }

    /// `RewriteCond expr "…"`.
    private void expression(HttpdNode node, String text, boolean or) {
        List<List<Condition>> clauses;
        try {
            clauses = HttpdExpression.of(text, context.variables()).clauses(false);
        } catch (IllegalArgumentException e) {
            context.wrong(node, String.valueOf(e.getMessage()));
            return;
        }
        if (or && clauses.size() != 1) {
            context.wrong(node, "with [OR], the expression must be a single comparison");
            return;
        }
        List<Condition> own = new ArrayList<>();
        clauses.forEach(clause -> own.addAll(RequestTerm.joined(clause)));
        if (or) {
            Condition last = own.removeLast();
            own.add(new Condition(last.value(), last.regex(), last.anyCase(), last.not(), true));
        }
        if (Expressions.check(node, own, context.account())) {
            context.honoured(node);
        }
        pending.addAll(own);
    }

    // For rules, too

    /// A text in which the user is the one who is let in. Outside of all sections nobody is known
    /// when rules are asked, but to a request that httpd makes to find out; in them the user is. In
    /// folders that request finds nobody, and the one for a file does.
    static String ofUser(String text, HttpdSection section) {
        if (section.isNone()) {
            return text.replace(USER, "").replace(LOOKED_UP, USER);
        }
        boolean ofPaths = section.isLocation() || section.kind() == HttpdSection.Kind.PROXY;
        return ofPaths
                ? text.replace(LOOKED_UP, USER)
                : text.replace(LOOKED_UP, "").replace("%{LA-F:REMOTE_USER}", USER);
    }

    /// Whether a text depends on who the user is.
    boolean asksUser(String text, HttpdServer server) {
        return text.contains(USER)
                || Stream.of(config.main, server)
                        .flatMap(one -> one.userVariables.stream())
                        .anyMatch(name -> text.contains("%{ENV:" + name + "}"));
    }

    /// Whether each variable of a text is known; complains of the first that is not.
    boolean variables(HttpdNode node, String text) {
        Matcher matcher = VARIABLE.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).startsWith("ENV:")) {
                Object _ = context.variables().reference(matcher.group(1).substring(4));
            }
            if (!RuleVariables.isKnown(matcher.group(1))) {
                context.wrong(node, "the variable %{" + matcher.group(1) + "} is not known here");
                return false;
            }
        }
        return true;
    }

    /// `[P,L,R=301]` as names in upper case with their values.
    Map<String, String> flags(HttpdNode node, String text) {
        Map<String, String> flags = new LinkedHashMap<>();
        if (text.isEmpty()) {
            return flags;
        }
        if (!text.startsWith("[") || !text.endsWith("]")) {
            context.wrong(node, "flags are written in [ ]: " + text);
            return flags;
        }
        for (String flag : text.substring(1, text.length() - 1).split(",")) {
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            flags.put(
                    name.strip().toUpperCase(Locale.ROOT),
                    equals < 0 ? "" : flag.substring(equals + 1).strip());
        }
        return flags;
    }

    /// Whether the maps that a text asks are there.
    boolean knowsMaps(HttpdServer server, String text) {
        Matcher matcher = MAP.matcher(text);
        Set<String> known = config.maps(server).maps().keySet();
        while (matcher.find()) {
            if (!known.contains(matcher.group(1))) {
                return false;
            }
        }
        return true;
    }
}
