package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.compat.nginx.syntax.Units;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// What `proxy_set_header`, `add_header` and their like change. Confined to one reading.
final class FieldReader {
    /// Of which responses a field is added without `always`.
    private static final Condition USUAL =
            Conditions.is("%{RESPONSE:}", "^(?:20[0146]|30[123478])$");

    /// Fields of members that nginx keeps to itself.
    private static final List<String> HIDDEN =
            List.of(
                    "X-Accel-Redirect",
                    "X-Accel-Expires",
                    "X-Accel-Limit-Rate",
                    "X-Accel-Buffering",
                    "X-Accel-Charset",
                    "X-Pad");

    /// Types that get a charset beside HTML.
    private static final List<String> CHARSET_TYPES =
            List.of(
                    "text/xml",
                    "text/plain",
                    "text/vnd.wap.wml",
                    "application/javascript",
                    "application/rss+xml");

    /// What the gateway says itself of connections.
    private static final Set<String> OF_CONNECTION = Set.of("connection", "upgrade");

    /// What `expires max` says.
    private static final String MAX = "max-age=315360000";

    private final Reading reading;
    private final Variables variables;
    private final List<FieldRule> request = new ArrayList<>();
    private final List<FieldRule> response = new ArrayList<>();
    private final List<ExpiryRule> expiry = new ArrayList<>();

    FieldReader(Reading reading, Variables variables) {
        this.reading = reading;
        this.variables = variables;
    }

    /// Whether a field is set by the gateway itself of connections.
    static boolean isOfConnection(String name) {
        return OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
    }

    List<FieldRule> request() {
        return request;
    }

    List<FieldRule> response() {
        return response;
    }

    /// What is added to responses in some blocks.
    void addHeaders(List<Scope> scopes) {
        Map<List<NginxNode>, List<Integer>> alike = new LinkedHashMap<>();
        for (Scope scope : scopes) {
            alike.computeIfAbsent(scope.nearest("add_header"), _ -> new ArrayList<>())
                    .add(scope.id());
        }
        alike.forEach((nodes, ids) -> nodes.forEach(node -> addHeader(node, ids)));
    }

    private void addHeader(NginxNode node, List<Integer> ids) {
        String name = node.word(0);
        boolean always = node.word(2).equals("always");
        if (node.words().size() == 3 && !always) {
            reading.wrong(node, "invalid parameter \"" + node.word(2) + "\"");
            return;
        }
        if (FieldRule.isProtected(name)) {
            reading.changed(node, name + " is set by the server itself");
            return;
        }
        try {
            String value = variables.template(node.word(1));
            List<Condition> when = new ArrayList<>(Conditions.at(ids));
            if (!always) {
                when.add(USUAL);
            }
            if (Variables.isIn(node.word(1))) {
                when.add(Conditions.is(value, "."));
            } else if (value.isEmpty()) {
                return;
            }
            boolean replaces =
                    Set.of("last-modified", "etag").contains(name.toLowerCase(Locale.ROOT));
            response.add(
                    new FieldRule(
                            PathMatch.ANY,
                            when,
                            replaces ? Change.SET : Change.ADD,
                            name,
                            value,
                            "",
                            true));
        } catch (Variables.Unknown e) {
            reading.changed(node, "is not added: " + e.getMessage());
        }
    }

    /// What a location asks its members with, and what it keeps of their responses.
    ///
    /// @param host what `Host` is where nothing else is said
    /// @return whether a change to another protocol is passed on
    boolean proxied(Scope scope, List<Integer> ids, String host) {
        List<NginxNode> nodes = scope.nearest("proxy_set_header");
        boolean named = false;
        boolean upgrade = false;
        List<FieldRule> own = new ArrayList<>();
        for (NginxNode node : nodes) {
            String name = node.word(0).toLowerCase(Locale.ROOT);
            named |= name.equals("host");
            upgrade |= name.equals("upgrade") && !node.word(1).isEmpty();
            if (!OF_CONNECTION.contains(name)) {
                setHeader(node, ids, own);
            }
        }
        // What is made of other fields comes before these are changed.
        own.sort((one, other) -> Boolean.compare(!isMade(one), !isMade(other)));
        request.addAll(own);
        if (!named) {
            request.add(rule(ids, Change.SET, "Host", Variables.literal(host)));
        }
        hide(scope, ids, "proxy");
        return upgrade;
    }

    /// What a location keeps of the responses of its members.
    ///
    /// @param prefix of the directives' names
    void hide(Scope scope, List<Integer> ids, String prefix) {
        List<String> hidden = new ArrayList<>(HIDDEN);
        scope.nearest(prefix + "_hide_header").forEach(node -> hidden.add(node.word(0)));
        for (NginxNode passed : scope.nearest(prefix + "_pass_header")) {
            hidden.removeIf(name -> name.equalsIgnoreCase(passed.word(0)));
        }
        for (String name : hidden) {
            if (!FieldRule.isProtected(name)) {
                response.add(rule(ids, Change.UNSET, name, ""));
            }
        }
    }

    private static boolean isMade(FieldRule rule) {
        return rule.value().contains("%{HTTP:") || rule.value().contains("%{FORWARDED_FOR}");
    }

    private void setHeader(NginxNode node, List<Integer> ids, List<FieldRule> to) {
        String name = node.word(0);
        if (FieldRule.isProtected(name)) {
            if (!node.word(1).isEmpty() || !name.equalsIgnoreCase("Content-Length")) {
                reading.changed(node, name + " is set by the gateway itself");
            } else {
                reading.noted(node, name + " is what the content has");
            }
            return;
        }
        try {
            String value = variables.template(node.word(1));
            if (value.isEmpty()) {
                to.add(rule(ids, Change.UNSET, name, ""));
            } else if (isNeverEmpty(value)) {
                to.add(rule(ids, Change.SET, name, value));
            } else {
                List<Condition> has = new ArrayList<>(Conditions.at(ids));
                has.add(Conditions.is(value, "."));
                List<Condition> none = new ArrayList<>(Conditions.at(ids));
                none.add(Conditions.isNot(value, "."));
                to.add(new FieldRule(PathMatch.ANY, none, Change.UNSET, name, "", "", true));
                to.add(new FieldRule(PathMatch.ANY, has, Change.SET, name, value, "", true));
            }
        } catch (Variables.Unknown e) {
            to.add(rule(ids, Change.UNSET, name, ""));
            reading.changed(node, "members do not get it: " + e.getMessage());
        }
    }

    private static boolean isNeverEmpty(String value) {
        String text = value.replaceAll("%\\{[^}]*\\}", "");
        return !text.isEmpty()
                || value.matches(
                        ".*%\\{(?:REQUEST_URI|REQUEST_TARGET|REQUEST_SCHEME|REMOTE_ADDR|SERVER_PORT"
                                + "|FORWARDED_FOR|REQUEST_METHOD)\\}.*");
    }

    private static FieldRule rule(List<Integer> ids, Change change, String name, String value) {
        return new FieldRule(PathMatch.ANY, Conditions.at(ids), change, name, value, "", true);
    }

    /// What clients may keep of files and responses.
    List<ExpiryRule> expiry(List<Scope> scopes) {
        Set<NginxNode> seen = new HashSet<>();
        for (Scope scope : scopes) {
            NginxNode node = scope.last("expires");
            if (node != null && seen.add(node)) {
                expires(node, scopes);
            }
        }
        return expiry;
    }

    private void expires(NginxNode node, List<Scope> scopes) {
        List<Integer> ids =
                scopes.stream().filter(one -> one.last("expires") == node).map(Scope::id).toList();
        String word = node.word(0);
        List<Condition> when = new ArrayList<>(Conditions.at(ids));
        when.add(USUAL);
        String control =
                switch (word) {
                    case "off" -> null;
                    case "epoch" -> "no-cache";
                    case "max" -> MAX;
                    default -> {
                        Long seconds = node.words().size() == 1 ? Units.seconds(word) : null;
                        if (seconds == null) {
                            reading.changed(
                                    node,
                                    "Expires is not sent: only a time, off, epoch and"
                                            + " max are translated");
                            yield null;
                        }
                        yield seconds < 0 ? "no-cache" : "max-age=" + seconds;
                    }
                };
        if (control == null) {
            return;
        }
        response.add(
                new FieldRule(PathMatch.ANY, when, Change.SET, "Cache-Control", control, "", true));
        String date =
                control.equals(MAX)
                        ? "Thu, 31 Dec 2037 23:55:55 GMT"
                        : control.equals("no-cache") ? "Thu, 01 Jan 1970 00:00:01 GMT" : "";
        if (date.isEmpty()) {
            long seconds = Long.parseLong(control.substring(control.indexOf('=') + 1));
            expiry.add(
                    new ExpiryRule(
                            PathMatch.ANY,
                            Conditions.at(ids),
                            "",
                            ExpiryRule.Base.ACCESS,
                            seconds));
        } else {
            response.add(new FieldRule(PathMatch.ANY, when, Change.SET, "Expires", date, "", true));
        }
    }

    /// The charset of texts that name none.
    void charsets(List<Scope> scopes) {
        Map<Charset, List<Integer>> alike = new LinkedHashMap<>();
        for (Scope scope : scopes) {
            NginxNode node = scope.last("charset");
            if (node == null || node.word(0).equals("off")) {
                continue;
            }
            if (Variables.isIn(node.word(0))) {
                reading.changed(node, "a charset by variables is not added");
                continue;
            }
            List<String> types = new ArrayList<>(List.of("text/html"));
            List<NginxNode> said = scope.nearest("charset_types");
            said.forEach(each -> types.addAll(each.words()));
            if (said.isEmpty()) {
                types.addAll(CHARSET_TYPES);
            }
            String any =
                    types.contains("*")
                            ? "[^;]+?"
                            : String.join("|", types.stream().map(NginxRegex::quote).toList());
            String with = "^((?i)(?:" + any + ")(?:\\s*;.*)?)\\s*$";
            alike.computeIfAbsent(new Charset(node.word(0), with), _ -> new ArrayList<>())
                    .add(scope.id());
        }
        alike.forEach((charset, ids) -> charset(charset, ids));
    }

    /// @param with an expression for types that have none
    private record Charset(String name, String with) {}

    private void charset(Charset said, List<Integer> ids) {
        List<Condition> when = new ArrayList<>(Conditions.at(ids));
        when.add(Conditions.isNot("%{RESPONSE:Content-Type}", ";\\s*(?i)charset="));
        response.add(
                new FieldRule(
                        PathMatch.ANY,
                        when,
                        Change.EDIT,
                        "Content-Type",
                        "$1; charset=" + Variables.literal(said.name),
                        said.with,
                        true));
    }

    /// The type of files whose endings are not known.
    void types(List<Scope> files) {
        for (Scope scope : files) {
            String type = scope.word("default_type", "text/plain");
            if (type.isEmpty() || Variables.isIn(type)) {
                continue;
            }
            List<Condition> when = new ArrayList<>(Conditions.at(List.of(scope.id())));
            when.add(Conditions.is("%{RESPONSE:}", "^20[06]$"));
            response.add(
                    new FieldRule(
                            PathMatch.ANY,
                            when,
                            Change.SET_IF_EMPTY,
                            "Content-Type",
                            Variables.literal(type),
                            "",
                            true));
        }
    }
}
