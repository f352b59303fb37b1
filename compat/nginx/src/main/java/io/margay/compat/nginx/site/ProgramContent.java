package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What programs answer: `fastcgi_pass`, and what they are told. Confined to one reading.
final class ProgramContent {
    /// Parameters that say which file is run: without them a program might run another.
    private static final Set<String> FILES = Set.of("SCRIPT_FILENAME", "DOCUMENT_ROOT");

    /// What the gateway knows of connections, by nginx's names.
    private static final Map<String, String> KNOWN =
            Map.of("REMOTE_PORT", "$remote_port", "SERVER_ADDR", "$server_addr");

    private final Reading reading;
    private final Program program;
    private final Variables variables;
    private final Upstreams upstreams;
    private final FieldReader fields;
    private final CacheReader caches;
    private final boolean runs;

    ProgramContent(
            Reading reading,
            Program program,
            Variables variables,
            Upstreams upstreams,
            FieldReader fields,
            CacheReader caches,
            Scope server) {
        this.caches = caches;
        runs = server.has("fastcgi_pass");
        this.reading = reading;
        this.program = program;
        this.variables = variables;
        this.upstreams = upstreams;
        this.fields = fields;
    }

    /// Writes what a path is as the name of a script: `$fastcgi_script_name` and
    /// `$fastcgi_path_info`.
    void split(Scope scope) {
        if (!runs) {
            return;
        }
        String name = "%{ENV:" + Variables.SCRIPT + "}";
        program.set(
                PathMatch.ANY,
                List.of(),
                List.of(
                        new Assignment(Variables.SCRIPT, "%{REQUEST_URI}"),
                        new Assignment(Variables.PATH_INFO, "")));
        NginxNode split = scope.last("fastcgi_split_path_info");
        if (split != null) {
            try {
                NginxRegex regex = NginxRegex.of(split.word(0));
                if (regex.names().size() < 2) {
                    throw new IllegalArgumentException(
                            "pattern \"" + split.word(0) + "\" must have 2 captures");
                }
                program.set(
                        new PathMatch.Regex(regex.text(), false, false),
                        List.of(),
                        List.of(
                                new Assignment(Variables.SCRIPT, "$1"),
                                new Assignment(Variables.PATH_INFO, "$2")));
            } catch (IllegalArgumentException e) {
                reading.wrong(split, String.valueOf(e.getMessage()));
            }
        }
        NginxNode index = scope.last("fastcgi_index");
        if (index != null) {
            program.set(
                    PathMatch.ANY,
                    List.of(Conditions.is(name, "/$")),
                    List.of(
                            new Assignment(
                                    Variables.SCRIPT, name + Variables.literal(index.word(0)))));
        }
    }

    /// Writes a `fastcgi_pass`.
    ///
    /// @param ids of the location and of what is in it
    /// @param file of a request, as [StaticContent#fileOf] says it
    void write(NginxNode node, Scope scope, List<Integer> ids, StaticContent.FileOf file) {
        node.asked();
        String authority = reading.withConstants(node.word(0));
        if (Variables.isIn(authority)) {
            reading.wrong(node, "the program is known here only where it is set to one text");
            return;
        }
        boolean place = authority.startsWith("unix:") || authority.matches(".+:[0-9]+");
        if (!place && !upstreams.isNamed(authority)) {
            reading.wrong(node, "no port in upstream \"" + authority + "\"");
            return;
        }
        String upstream =
                upstreams.named(
                        new Upstreams.Key(
                                PeerScheme.FCGI,
                                authority,
                                upstreams.timeouts(scope, "fastcgi"),
                                upstreams.tries(scope, "fastcgi")),
                        node);
        if (upstream == null) {
            return;
        }
        split(scope);
        fields.hide(scope, ids, "fastcgi");
        caches.write(scope, ids, "fastcgi", program);
        Variables own =
                file.folder() == null ? variables : variables.in(file.folder(), file.template());
        ProxyRules rules =
                ProxyRulesBuilder.builder(ProxyRules.defaults())
                        .forwarded(false)
                        .passForwarded(true)
                        .upgrade(false)
                        .overridden(ProxyContent.intercepted(scope, "fastcgi"))
                        .attributes(parameters(scope, own))
                        .toldOnly(true)
                        .build();
        program.answer(
                file.match(),
                List.of(),
                new RuleAction.Forward(upstream, null, true, Query.KEEP, rules));
        if (!file.match().equals(PathMatch.ANY)) {
            // A path that was rewritten to one outside of the location has no file in its folder.
            program.answer(PathMatch.ANY, List.of(), new RuleAction.Refuse(404));
        }
    }

    private Map<String, String> parameters(Scope scope, Variables own) {
        Map<String, String> told = new LinkedHashMap<>();
        for (NginxNode node : scope.nearest("fastcgi_param")) {
            String name = node.word(0);
            String value = node.word(1);
            String flag = node.word(2);
            if (!flag.isEmpty() && !flag.equals("if_not_empty")) {
                reading.wrong(node, "invalid parameter \"" + flag + "\"");
                continue;
            }
            if (flag.isEmpty()) {
                List.of("", "?", "=").forEach(end -> told.remove(name + end));
            }
            if (value.equals(KNOWN.get(name))) {
                told.put(name + "=", "");
                continue;
            }
            try {
                String text = value.replace("$nginx_version", "1.28.0");
                told.put(flag.isEmpty() ? name : name + "?", own.template(text));
            } catch (Variables.Unknown e) {
                // A client could say it by a field, or what it forbids would be allowed.
                if (FILES.contains(name) || name.startsWith("HTTP_") || name.startsWith("PHP_")) {
                    reading.wrong(node, String.valueOf(e.getMessage()));
                } else {
                    reading.changed(node, "is not passed to programs: " + e.getMessage());
                }
            }
        }
        if (told.values().stream().noneMatch(value -> value.contains("%{"))) {
            told.replaceAll((_, value) -> value.replaceAll("\\\\(.)", "$1"));
        }
        return told;
    }
}
