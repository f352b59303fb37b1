package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.VariableRule;
import io.margay.server.forwarded.Networks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads `map`, `geo`, `split_clients`: variables whose value another text decides. Values are
/// given before rules are asked, the weightiest last. Confined to one reading.
final class MapReader {
    private static final Pattern NAMED = Pattern.compile("%\\{ENV:([^}]+)\\}");

    /// Variables that rules set, which come after maps.
    private static final Set<String> OF_RULES =
            Set.of(Variables.SCRIPT, Variables.PATH_INFO, Variables.LOCATION);

    private final Reading reading;
    private final List<VariableRule> rules = new ArrayList<>();
    private final Map<String, MapSource> sources = new LinkedHashMap<>();

    /// The variable with what a source is asked for.
    private static final String KEY = "nginx.key";

    /// What all clients are divided into.
    private static final long PARTS = 10_000;

    MapReader(Reading reading) {
        this.reading = reading;
    }

    /// The rules that give the values.
    List<VariableRule> rules() {
        return rules;
    }

    /// Where some have the values from.
    Map<String, MapSource> sources() {
        return sources;
    }

    /// Reads all of `http`, those first whose values others are made of.
    void readAll(Scope http) {
        List<NginxNode> left = new ArrayList<>();
        for (String name : Reading.MAPS) {
            left.addAll(http.own(name));
        }
        while (!left.isEmpty()) {
            NginxNode next =
                    left.stream()
                            .filter(one -> left.stream().noneMatch(other -> asks(one, other)))
                            .findFirst()
                            .orElse(left.getFirst());
            left.remove(next);
            readAny(next);
        }
    }

    /// Whether the value of one is made of that of another.
    private static boolean asks(NginxNode one, NginxNode other) {
        Pattern name =
                Pattern.compile(
                        "\\$\\{?"
                                + Pattern.quote(other.words().getLast().replaceFirst("^\\$", ""))
                                + "(?![A-Za-z0-9_])");
        boolean own = one.words().size() > 1 && name.matcher(one.word(0)).find();
        return !one.equals(other)
                && (own
                        || one.block().stream()
                                .flatMap(entry -> entry.words().stream())
                                .anyMatch(word -> name.matcher(word).find()));
    }

    private void readAny(NginxNode node) {
        node.asked();
        String name = node.words().getLast();
        if (!name.matches("\\$[A-Za-z0-9_]+")) {
            reading.wrong(node, "invalid variable name \"" + name + "\"");
            return;
        }
        String variable = name.substring(1).toLowerCase(Locale.ROOT);
        if (Variables.isBuiltIn(variable)) {
            reading.wrong(node, "the duplicate \"" + variable + "\" variable");
            return;
        }
        try {
            switch (node.name()) {
                case "geo" -> geo(node, variable);
                case "split_clients" -> split(node, variable);
                default -> read(node);
            }
        } catch (Variables.Unknown | IllegalArgumentException e) {
            reading.wrong(node, String.valueOf(e.getMessage()));
        }
    }

    private void geo(NginxNode node, String name) throws Variables.Unknown {
        Map<String, String> values = new LinkedHashMap<>();
        String otherwise = "";
        for (NginxNode entry : node.block()) {
            String key = entry.name();
            if (entry.words().size() != 1
                    || Set.of("proxy", "delete", "include").contains(key)
                    || key.matches("[0-9.]+-[0-9.]+")) {
                throw new IllegalArgumentException(
                        "\"" + key + "\" is not translated: networks and default are");
            }
            if (key.equals("default")) {
                otherwise = entry.word(0);
            } else {
                if (!key.matches("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?:/.*)?|[^/]*:.*")) {
                    throw new IllegalArgumentException("invalid network \"" + key + "\"");
                }
                Object _ = Networks.of(List.of(key));
                values.put(key, entry.word(0));
            }
        }
        String source =
                new Variables(reading, Map.of())
                        .template(node.words().size() == 1 ? "$remote_addr" : node.word(0));
        give(node, name, source, new MapSource.Geo(values), otherwise);
    }

    private void split(NginxNode node, String name) throws Variables.Unknown {
        List<MapSource.Split.Part> parts = new ArrayList<>();
        long sum = 0;
        long last = 0;
        for (NginxNode entry : node.block()) {
            String key = entry.name();
            boolean rest = key.equals("*");
            if (entry.words().size() != 1
                    || !(rest || key.matches("[0-9]{1,3}(?:\\.[0-9]{1,2})?%"))) {
                throw new IllegalArgumentException("invalid percent value \"" + key + "\"");
            }
            long hundredths = rest ? 0 : hundredths(key);
            sum = rest ? PARTS : sum + hundredths;
            if (sum > PARTS || (!rest && hundredths == 0)) {
                throw new IllegalArgumentException(
                        "percent total is greater than 100%, or a part is none");
            }
            last += hundredths * 0xffff_ffffL / PARTS;
            parts.add(new MapSource.Split.Part(rest ? 1L << 32 : last, entry.word(0)));
        }
        String source = new Variables(reading, Map.of()).template(node.word(0));
        give(node, name, source, new MapSource.Split(parts), "");
    }

    private static long hundredths(String text) {
        String[] digits = text.replace("%", "").split("\\.");
        String fraction = digits.length > 1 ? (digits[1] + "0").substring(0, 2) : "00";
        return Long.parseLong(digits[0] + fraction);
    }

    /// Gives a variable the value that a source has for a text.
    private void give(
            NginxNode node, String name, String text, MapSource source, String otherwise) {
        checkPath(node, text);
        check(node, text);
        sources.put(name, source);
        rules.add(new VariableRule(PathMatch.ANY, List.of(), KEY, text));
        rules.add(
                new VariableRule(
                        PathMatch.ANY,
                        List.of(),
                        name,
                        "${" + name + ":%{ENV:" + KEY + "}|" + Variables.literal(otherwise) + "}"));
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
                                        && !reading.isOfNames(name)
                                        && rules.stream()
                                                .noneMatch(one -> one.name().equals(name))));
    }

    /// Says where another path or query than the first one would be looked at.
    private void checkPath(NginxNode node, String text) {
        String of = text.replace("%{ENV:" + Variables.HTTPS + "}", "");
        boolean path = of.contains("%{ENV:nginx.") || of.contains("%{REQUEST_URI}");
        boolean query = of.contains("%{QUERY_STRING}") || of.contains("%{PARAMETER:");
        if (path || (query && reading.changesQueries())) {
            reading.changed(node, "is decided by the path as it came, before it is rewritten");
        }
    }

    private void check(NginxNode node, String text) {
        if (isLate(text)) {
            reading.wrong(node, "has a variable without a value yet where this map is asked");
        } else if (text.contains("%{RESPONSE:")) {
            reading.changed(node, "is decided before there is a response");
        }
    }

    private void read(NginxNode node) {
        String name = node.word(1);
        Variables variables = new Variables(reading, Map.of());
        try {
            String source = variables.template(node.word(0));
            checkPath(node, source);
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
