package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.expression.HeaderFormat;
import io.margay.compat.httpd.expression.HttpdExpression;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.VariableRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads `Header`, `RequestHeader`, `ErrorDocument`, and the directives that set variables.
/// Confined to one reading.
final class ChangeDirectives {
    private static final Map<String, Change> CHANGES =
            Map.of(
                    "set", Change.SET,
                    "setifempty", Change.SET_IF_EMPTY,
                    "add", Change.ADD,
                    "append", Change.APPEND,
                    "merge", Change.MERGE,
                    "unset", Change.UNSET,
                    "edit", Change.EDIT,
                    "edit*", Change.EDIT_ALL);

    /// What `SetEnvIf` may look at beside fields.
    private static final Map<String, String> ATTRIBUTES =
            Map.of(
                    "request_uri", "%{REQUEST_URI}",
                    "request_method", "%{REQUEST_METHOD}",
                    "remote_addr", "%{REMOTE_ADDR}");

    /// Names of fields as an expression that has no other meaning.
    private static final Pattern FIELD_NAMES =
            Pattern.compile("\\^\\(?([A-Za-z0-9_-]+(?:\\|[A-Za-z0-9_-]+)*)\\)?\\$");

    /// Variables by which mod_jk treats requests to peers otherwise.
    private static final Set<String> OF_PEERS =
            Set.of(
                    "JK_REPLY_TIMEOUT",
                    "JK_WORKER_NAME",
                    "JK_ROUTE",
                    "JK_STATELESS",
                    "JK_STICKY_IGNORE");

    /// Variables by which httpd makes exceptions for clients of old.
    private static final Set<String> EXCEPTIONS =
            Set.of(
                    "nokeepalive",
                    "force-response-1.0",
                    "downgrade-1.0",
                    "redirect-carefully",
                    "ssl-unclean-shutdown",
                    "ssl-accurate-shutdown",
                    "force-no-vary",
                    "force-gzip",
                    "suppress-error-charset",
                    "force-proxy-request-1.0",
                    "proxy-nokeepalive",
                    "proxy-initial-not-pooled",
                    "proxy-sendcl",
                    "proxy-sendchunked",
                    "proxy-sendchunks",
                    "proxy-interim-response",
                    "proxy-chain-auth");

    private final ProgramDirectives programs;
    private final ReadingContext context;

    ChangeDirectives(ReadingContext context) {
        this.context = context;
        programs = new ProgramDirectives(context);
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case HEADER -> header(node, server, section);
            case REQUEST_HEADER -> field(node, node.arguments(), server, section, false);
            case ERROR_DOCUMENT -> errorDocument(node, server, section);
            case SET_ENV -> setEnv(node, server, section);
            case UNSET_ENV -> unsetEnv(node, server, section);
            case SET_ENV_IF, SET_ENV_IF_NO_CASE ->
                    setEnvIf(
                            node,
                            server,
                            section,
                            node.arguments(),
                            directive == HttpdDirective.SET_ENV_IF_NO_CASE);
            case SET_ENV_IF_EXPR -> setEnvIfExpr(node, server, section);
            case BROWSER_MATCH, BROWSER_MATCH_NO_CASE -> {
                List<String> words = new ArrayList<>(node.arguments());
                words.addFirst("User-Agent");
                setEnvIf(
                        node,
                        server,
                        section,
                        words,
                        directive == HttpdDirective.BROWSER_MATCH_NO_CASE);
            }
            case CGI_PASS_AUTH -> programs.passAuth(node, server, section);
            case SSL_OPTIONS -> programs.tls(node, server, section);
            default -> throw new IllegalStateException(directive.word());
        }
    }

    // Fields

    /// `Header [onsuccess|always] action field [value [replacement]] [early|env=…|expr=…]`.
    private void header(HttpdNode node, HttpdServer server, HttpdSection section) {
        List<String> words = node.arguments();
        String first = node.argument(0).toLowerCase(Locale.ROOT);
        boolean always = first.equals("always");
        boolean hasCondition = always || first.equals("onsuccess") || first.equals("onerror");
        field(node, hasCondition ? words.subList(1, words.size()) : words, server, section, always);
    }

    private void field(
            HttpdNode node,
            List<String> words,
            HttpdServer server,
            HttpdSection section,
            boolean always) {
        String action = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
        Change change = CHANGES.get(action);
        if (change == null && !action.equals("echo") && !action.equals("note")) {
            context.wrong(node, "\"" + action + "\" is not an action on header fields");
            return;
        }
        if (change == null) {
            context.changed(node, "\"" + action + "\" is not supported");
            return;
        }
        FieldWords parts = FieldWords.of(change, words.subList(1, words.size()));
        if (parts == null) {
            context.wrong(node, "write " + node.name() + " " + action + " FIELD VALUE");
            return;
        }
        if (FieldRule.isProtected(parts.name())) {
            context.noted(node, "the gateway itself sets the fields for framing and connections");
            return;
        }
        List<Condition> when = new ArrayList<>(section.mapped());
        int before = when.size();
        if (!condition(node, parts.condition(), when)) {
            return;
        }
        Varying.add(server, section, when.subList(before, when.size()));
        boolean response = node.key().equals("header");
        if (response && parts.name().equalsIgnoreCase("content-type") && !isOfType(change)) {
            context.changed(
                    node,
                    "the type of a response is set, edited or unset, and not \""
                            + action
                            + "\": use set");
            return;
        }
        HeaderFormat format = new HeaderFormat(context.variables(), response);
        boolean edits = change == Change.EDIT || change == Change.EDIT_ALL;
        Optional<String> value = format.template(parts.value(), edits);
        if (value.isEmpty()) {
            context.changed(
                    node,
                    "\""
                            + parts.value()
                            + "\" has a part that is not supported, and is"
                            + " ignored");
            return;
        }
        FieldRule rule =
                new FieldRule(
                        section.paths(),
                        when,
                        change,
                        parts.name(),
                        value.get(),
                        edits ? parts.regex() : "",
                        always);
        if (Expressions.check(node, changes(rule, response), context.account())) {
            context.honoured(node);
            (response ? server.responseFields : server.requestFields)
                    .add(
                            new HttpdServer.FieldChange(
                                    section, response ? rule.withApart(true) : rule));
        }
    }

    /// Whether it is done to `Content-Type`, which httpd keeps elsewhere until a response is sent.
    private static boolean isOfType(Change change) {
        return change == Change.SET
                || change == Change.UNSET
                || change == Change.EDIT
                || change == Change.EDIT_ALL;
    }

    private static HostChanges changes(FieldRule rule, boolean response) {
        List<FieldRule> one = List.of(rule);
        return new HostChanges(
                List.of(),
                Map.of(),
                response ? List.of() : one,
                response ? one : List.of(),
                List.of());
    }

    /// Adds what `env=` or `expr=` asks for.
    private boolean condition(HttpdNode node, String text, List<Condition> when) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (text.isEmpty() || lower.equals("early")) {
            return true;
        }
        if (lower.startsWith("env=")) {
            boolean not = text.startsWith("!", 4);
            Condition set = context.variables().isSet(text.substring(not ? 5 : 4));
            when.add(new Condition(set.value(), set.regex(), set.anyCase(), not, false));
            return true;
        }
        Optional<List<Condition>> expression =
                !lower.startsWith("expr=")
                        ? Optional.empty()
                        : node.key().equals("header")
                                ? HttpdExpression.ofResponse(text.substring(5), context.variables())
                                : HttpdExpression.conditions(
                                        text.substring(5), context.variables());
        expression.ifPresentOrElse(
                when::addAll,
                () -> context.changed(node, "\"" + text + "\" is not understood, and is ignored"));
        return expression.isPresent();
    }

    /// The words of a directive behind its action.
    ///
    /// @param regex what an edit looks for
    /// @param condition `env=…`, `expr=…`, `early`, or nothing
    private record FieldWords(String name, String value, String regex, String condition) {
        static @Nullable FieldWords of(Change change, List<String> words) {
            int values =
                    switch (change) {
                        case UNSET -> 0;
                        case EDIT, EDIT_ALL -> 2;
                        case SET, SET_IF_EMPTY, ADD, APPEND, MERGE -> 1;
                    };
            if (words.size() < 1 + values || words.size() > 2 + values) {
                return null;
            }
            String name = words.getFirst().replaceFirst(":$", "");
            if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
                return null;
            }
            return new FieldWords(
                    name,
                    values == 0 ? "" : words.get(values),
                    values == 2 ? words.get(1) : "",
                    words.size() == 2 + values ? words.getLast() : "");
        }
    }

    // Error documents

    private void errorDocument(HttpdNode node, HttpdServer server, HttpdSection section) {
        String status = node.argument(0);
        if (!status.matches("[45][0-9][0-9]") || node.size() < 2) {
            context.wrong(node, "write ErrorDocument STATUS DOCUMENT");
            return;
        }
        server.errors.add(
                new HttpdServer.ErrorDocument(
                        section, Integer.parseInt(status), node.argument(1), node));
    }

    // Variables

    private void setEnv(HttpdNode node, HttpdServer server, HttpdSection section) {
        String name = node.argument(0);
        if (name.equals("no-jk")) {
            server.noJk.add(leave(section, section.conditions()));
            context.honoured(node);
            return;
        }
        if (EXCEPTIONS.contains(name)) {
            context.noted(node, "no exception is made for " + name);
            return;
        }
        if (OF_PEERS.contains(name)) {
            context.changed(node, "requests to peers are not treated otherwise for " + name);
            return;
        }
        if (section.isNone()) {
            server.environment.put(name, node.argument(1));
        }
        context.honoured(node, "for header fields, conditions, and peers that it is sent to");
        late(server, section, name, HeaderFormat.literal(node.argument(1)));
    }

    private static void late(
            HttpdServer server, HttpdSection section, String name, @Nullable String value) {
        server.lateVariables.add(name);
        (section.isConditional() ? server.last : server.late)
                .add(
                        new VariableRule(
                                        section.paths(),
                                        section.mapped(),
                                        name,
                                        value,
                                        section.rank())
                                .withLate(true));
    }

    private static GatewayRule leave(HttpdSection section, List<Condition> when) {
        return new GatewayRule(section.match(), List.of(), when, new RuleAction.Leave());
    }

    private void unsetEnv(HttpdNode node, HttpdServer server, HttpdSection section) {
        context.honoured(node);
        for (String name : node.arguments()) {
            if (section.isNone()) {
                server.environment.remove(name);
            }
            late(server, section, name, null);
        }
    }

    /// `SetEnvIf attribute regex [!]variable[=value]…`.
    private void setEnvIf(
            HttpdNode node,
            HttpdServer server,
            HttpdSection section,
            List<String> words,
            boolean anyCase) {
        if (words.size() < 3) {
            context.wrong(node, "write " + node.name() + " … REGEX VARIABLE");
            return;
        }
        List<String> values = attributes(words.get(0), server);
        if (values.isEmpty()) {
            context.changed(node, "\"" + words.get(0) + "\" is not supported, and is ignored");
            return;
        }
        for (String value : values) {
            List<Condition> when = new ArrayList<>(section.mapped());
            when.add(new Condition(value, words.get(1), anyCase, false, false));
            if (Expressions.check(node, when, context.account())) {
                setAll(node, server, section, when, words.subList(2, words.size()));
            }
        }
    }

    /// What it looks at: one, or the fields that `^(NAME|NAME)$` is about.
    private List<String> attributes(String word, HttpdServer server) {
        Matcher names = FIELD_NAMES.matcher(word);
        if (names.matches()) {
            return Arrays.stream(names.group(1).split("\\|"))
                    .map(name -> "%{HTTP:" + name + "}")
                    .toList();
        }
        return attribute(word, server).stream().toList();
    }

    /// `SetEnvIfExpr expression [!]variable[=value]…`.
    private void setEnvIfExpr(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.size() < 2) {
            context.wrong(node, "write " + node.name() + " EXPRESSION VARIABLE");
            return;
        }
        List<String> words = node.arguments().subList(1, node.size());
        Optional<List<Condition>> own =
                HttpdExpression.conditions(node.argument(0), context.variables());
        if (own.isEmpty() || words.stream().anyMatch(word -> word.matches(".*=.*\\$[0-9].*"))) {
            context.changed(node, "\"" + node.text() + "\" is not understood, and is ignored");
            return;
        }
        List<Condition> when = new ArrayList<>(section.mapped());
        when.addAll(own.get());
        Varying.add(server, section, own.get());
        if (Expressions.check(node, when, context.account())) {
            setAll(node, server, section, when, words);
        }
    }

    /// `[!]variable[=value]…`, where conditions hold.
    private void setAll(
            HttpdNode node,
            HttpdServer server,
            HttpdSection section,
            List<Condition> when,
            List<String> words) {
        boolean exceptions = true;
        for (String word : words) {
            boolean not = word.startsWith("!");
            int equals = word.indexOf('=');
            String name = word.substring(not ? 1 : 0, equals < 0 ? word.length() : equals);
            exceptions &= EXCEPTIONS.contains(name);
            if (name.equals("no-jk") && !not) {
                // Where a request goes is decided before its file is known.
                List<Condition> early = when.stream().filter(one -> !one.asksFile()).toList();
                server.noJk.add(leave(section, early));
            } else if (!EXCEPTIONS.contains(name)) {
                String text = equals < 0 ? "1" : word.substring(equals + 1);
                if (!section.hasPaths()) {
                    server.lateVariables.add(name);
                }
                server.early.add(
                        new VariableRule(
                                section.paths(),
                                when,
                                name,
                                not ? null : HeaderFormat.ofCondition(text),
                                section.rank()));
            }
        }
        if (exceptions) {
            context.noted(node, "no exceptions are made for particular clients");
        } else {
            context.honoured(node);
        }
    }

    private Optional<String> attribute(String word, HttpdServer server) {
        String known = ATTRIBUTES.get(word.toLowerCase(Locale.ROOT));
        if (known != null) {
            return Optional.of(known);
        }
        Set<String> others =
                Set.of("remote_host", "server_addr", "request_protocol", "remote_user");
        if (others.contains(word.toLowerCase(Locale.ROOT)) || !word.matches("[A-Za-z0-9_-]+")) {
            return Optional.empty();
        }
        boolean set = server.early.stream().anyMatch(rule -> rule.name().equals(word));
        return Optional.of(set ? context.variables().reference(word) : "%{HTTP:" + word + "}");
    }
}
