package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.VariableRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads `map`: a variable whose value another text decides. Values are given before rules are
/// asked, the weightiest last. Confined to one reading.
final class MapReader {
    private static final Pattern NAMED = Pattern.compile("%\\{ENV:([^}]+)\\}");

    /// Variables that rules set, which come after maps.
    private static final Set<String> OF_RULES =
            Set.of(
                    Variables.SCRIPT,
                    Variables.PATH_INFO,
                    Variables.HTTPS,
                    Variables.IS_ARGS,
                    Variables.LOCATION);

    private final Reading reading;
    private final List<VariableRule> rules = new ArrayList<>();

    MapReader(Reading reading) {
        this.reading = reading;
    }

    /// The rules that give the values.
    List<VariableRule> rules() {
        return rules;
    }

    /// Whether a text has variables that have no value yet when maps are asked: those of rules, and
    /// of maps that come later.
    private boolean isLate(String text) {
        return NAMED.matcher(text)
                .results()
                .map(one -> one.group(1))
                .anyMatch(name ->
                        OF_RULES.contains(name)
                                || (!name.startsWith("nginx.")
                                        && rules.stream()
                                                .noneMatch(one -> one.name().equals(name))));
    }

    private void check(NginxNode node, String text) {
        if (isLate(text)) {
            reading.wrong(node, "has a variable without a value yet where this map is asked");
        } else if (text.contains("%{RESPONSE:")) {
            reading.changed(node, "is decided before there is a response");
        }
    }

    /// Reads one.
    void read(NginxNode node) {
        node.asked();
        String name = node.word(1);
        if (!name.startsWith("$") || node.words().size() != 2) {
            reading.wrong(node, "invalid variable name \"" + name + "\"");
            return;
        }
        Variables variables = new Variables(reading, Map.of());
        try {
            String source = variables.template(node.word(0));
            if (source.contains("%{ENV:nginx.") || source.contains("%{REQUEST_URI}")) {
                reading.changed(node, "is decided by the path as it came, before it is rewritten");
            }
            check(node, source);
            entries(node, source, name.substring(1).toLowerCase(Locale.ROOT), variables);
        } catch (Variables.Unknown | IllegalArgumentException e) {
            reading.wrong(node, String.valueOf(e.getMessage()));
        }
    }

    private void entries(NginxNode node, String source, String name, Variables variables)
            throws Variables.Unknown {
        List<VariableRule> regexes = new ArrayList<>();
        List<VariableRule> wild = new ArrayList<>();
        List<VariableRule> exact = new ArrayList<>();
        String otherwise = "";
        boolean hostnames = false;
        for (NginxNode entry : node.block()) {
            String key = entry.name();
            if (key.equals("hostnames") && entry.words().isEmpty()) {
                hostnames = true;
                continue;
            }
            if (key.equals("volatile") && entry.words().isEmpty()) {
                continue;
            }
            if (entry.words().size() != 1) {
                throw new Variables.Unknown("invalid number of the map parameters");
            }
            boolean found = key.startsWith("~");
            String value = found ? "" : variables.template(entry.word(0));
            check(node, value);
            if (key.equals("default")) {
                otherwise = value;
            } else if (key.startsWith("~")) {
                boolean any = key.startsWith("~*");
                NginxRegex regex = NginxRegex.of(key.substring(any ? 2 : 1));
                regexes.add(
                        rule(
                                name,
                                new Condition(source, regex.text(), any, false, false),
                                found(regex, entry.word(0), variables)));
            } else {
                String text = key.startsWith("\\") ? key.substring(1) : key;
                String quoted = NginxRegex.quote(text);
                boolean star = hostnames && (text.startsWith("*.") || text.startsWith("."));
                if (star) {
                    quoted =
                            (text.startsWith(".") ? "(?:.*\\.)?" : ".*\\.")
                                    + NginxRegex.quote(text.replaceFirst("^\\*?\\.", ""));
                } else if (hostnames && text.endsWith(".*")) {
                    quoted = NginxRegex.quote(text.substring(0, text.length() - 1)) + ".*";
                }
                (star || quoted.endsWith(".*") ? wild : exact)
                        .add(
                                rule(
                                        name,
                                        new Condition(
                                                source, "^" + quoted + "$", true, false, false),
                                        value));
            }
        }
        rules.add(new VariableRule(PathMatch.ANY, List.of(), name, otherwise));
        rules.addAll(regexes.reversed());
        rules.addAll(wild.reversed());
        rules.addAll(exact);
    }

    /// A value in which stands what the expression found.
    private String found(NginxRegex regex, String text, Variables variables)
            throws Variables.Unknown {
        String made = text;
        for (int i = 1; i <= regex.names().size(); i++) {
            String group = regex.names().get(i - 1);
            if (!group.isEmpty()) {
                reading.define(group);
                made =
                        made.replaceAll(
                                "\\$(?:" + group + "(?!\\w)|\\{" + group + "\\})", "\\$" + i);
            }
        }
        return variables.template(made).replaceAll("%\\{ENV:nginx\\.([1-9])\\}", "%$1");
    }

    private static VariableRule rule(String name, Condition condition, String value) {
        return new VariableRule(PathMatch.ANY, List.of(condition), name, value);
    }
}
