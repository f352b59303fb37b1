package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.plan.HostPlan.Entry;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.plan.HostPlan.LogPlan;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.HostChangesBuilder;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.gateway.rules.VariableRule;
import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.PathReading.EncodedSlash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes the rules of a `server`. Confined to one reading.
final class ServerReader {
    /// Encoded slashes are decoded; a backslash, which other servers read as a slash, is refused.
    private static final PathReading PATHS = new PathReading(EncodedSlash.DECODE, false);

    private final Reading reading;
    private final Upstreams upstreams;
    private final List<VariableRule> maps;
    private final Map<String, MapSource> sources;

    /// What is known of a request before anything is asked.
    private static final List<VariableRule> EARLY =
            List.of(
                    new VariableRule(
                            PathMatch.ANY,
                            List.of(Conditions.is("%{QUERY_STRING}", ".")),
                            Variables.IS_ARGS,
                            "?"),
                    new VariableRule(
                            PathMatch.ANY,
                            List.of(Conditions.is("%{REQUEST_SCHEME}", "^https$")),
                            Variables.HTTPS,
                            "on"));

    /// @param maps the variables that `map` gives values to
    /// @param sources from which some have them
    ServerReader(
            Reading reading,
            Upstreams upstreams,
            List<VariableRule> maps,
            Map<String, MapSource> sources) {
        this.reading = reading;
        this.upstreams = upstreams;
        this.maps = List.copyOf(maps);
        Map<String, MapSource> all = new HashMap<>(sources);
        all.put(BlockVariables.LINK_MAP, new MapSource.Link());
        this.sources = Map.copyOf(all);
    }

    /// What a server is here.
    record Made(
            List<GatewayRule> rules,
            List<FilesPlan> files,
            List<LogPlan> logs,
            HostChanges changes,
            HostAccess access,
            Entry entry) {}

    /// Its names in lower case.
    List<String> names(Scope server) {
        List<String> names = new ArrayList<>();
        for (NginxNode node : server.own("server_name")) {
            for (String word : node.words()) {
                String name = word.toLowerCase(Locale.ROOT);
                if (name.startsWith("~")) {
                    NginxRegex regex = expression(node, word);
                    if (regex != null) {
                        names.add("~" + regex.text());
                    }
                } else if (name.startsWith(".")) {
                    names.add(name.substring(1));
                    names.add("*" + name);
                } else if (name.matches(
                                "(?:\\*\\.)?[a-z0-9_-]+(?:[.:][a-z0-9_-]+)*+(?:\\.|\\.\\*)?")
                        && !name.equals("_")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private @Nullable NginxRegex expression(NginxNode node, String word) {
        try {
            return NginxRegex.of(word.substring(1));
        } catch (IllegalArgumentException e) {
            reading.wrong(node, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /// What its expressions find in a name, as variables that are set first.
    private List<VariableRule> found(Scope server) {
        List<VariableRule> rules = new ArrayList<>();
        List<Condition> others = new ArrayList<>();
        List<NginxRegex> expressions = new ArrayList<>();
        for (NginxNode node : server.own("server_name")) {
            for (String word : node.words()) {
                NginxRegex regex = word.startsWith("~") ? expression(node, word) : null;
                if (regex != null) {
                    expressions.add(regex);
                } else if (!word.startsWith("~") && !word.isEmpty()) {
                    String name = word.toLowerCase(Locale.ROOT);
                    String quoted =
                            NginxRegex.quote(name)
                                    .replaceFirst("^\\\\\\*", ".*")
                                    .replaceFirst("\\\\\\*$", ".*")
                                    .replaceFirst("^\\\\\\.", "(?:.*\\\\.)?");
                    others.add(Conditions.isNot("%{SERVER_NAME}", "^" + quoted + "$"));
                }
            }
        }
        for (NginxRegex regex : expressions) {
            List<Condition> when = new ArrayList<>(others);
            when.add(new Condition("%{SERVER_NAME}", regex.text(), true, false, false));
            regex.found('%')
                    .forEach(one ->
                            rules.add(
                                    new VariableRule(
                                            PathMatch.ANY, when, one.name(), one.value())));
            others.add(new Condition("%{SERVER_NAME}", regex.text(), true, true, false));
        }
        return rules;
    }

    /// Reads one.
    Made read(NginxNode node, Scope http) {
        reading.beginServer();
        Scope scope = new Scope(reading.nextScope(), http, node, node.block());
        Location server = Location.of(scope);
        addLocations(scope, server);
        Variables variables = new Variables(reading, literals(scope));
        Program program = new Program();
        Redirects redirects = new Redirects(program, variables);
        List<Scope> conditional = new ArrayList<>();
        FieldReader fields = new FieldReader(reading, variables);
        StaticContent files = new StaticContent(reading, program, redirects, scope);
        AccessReader access = new AccessReader(reading, server, variables, upstreams);
        ClientReader clients = new ClientReader(reading, variables);
        CacheReader caches = new CacheReader(reading, variables);
        LocationRules rules =
                new LocationRules(
                        reading,
                        new LocationRules.Parts(
                                program,
                                redirects,
                                new RewritePhase(
                                        reading, program, variables, redirects, conditional::add),
                                files,
                                new ProxyContent(
                                        reading, program, variables, upstreams, fields, caches),
                                new ProgramContent(
                                        reading, program, variables, upstreams, fields, caches,
                                        scope),
                                access),
                        clients,
                        server,
                        conditional);
        rules.write();
        rules.writeWays();
        List<Scope> scopes = new ArrayList<>(server.all().stream().map(Location::scope).toList());
        scopes.addAll(conditional);
        fields.types(rules.serving());
        fields.charsets(scopes);
        List<ExpiryRule> expiry = fields.expiry(scopes);
        fields.addHeaders(scopes);
        HostChanges changes =
                HostChangesBuilder.builder(HostChanges.NONE)
                        .variables(variables(scope))
                        .maps(hasLinks(scope) ? sources : unlinked())
                        .request(fields.request())
                        .response(fields.response())
                        .expiry(expiry)
                        .compression(new CompressionReader(reading).rules(scopes))
                        .substitutions(texts(scopes, fields))
                        .client(clients.of(scope, scopes))
                        .bandwidth(clients.bandwidth(scopes))
                        .errors(rules.errors(scopes))
                        .cache(caches.rules())
                        .build();
        List<LogPlan> logs = new LogReader(reading, variables, scope).logs(scopes);
        HostAccess asked = access.of(server.all());
        Entry entry = new Entry(false, PATHS, clients.limits());
        return new Made(program.build(), files.routes(), logs, changes, asked, entry);
    }

    private void addLocations(Scope scope, Location server) {
        for (NginxNode one : scope.own("location")) {
            Location location = Location.of(one, scope, reading);
            if (location == null) {
                continue;
            }
            boolean twice =
                    server.inner(location.kind()).stream()
                            .anyMatch(other ->
                                    location.kind() != Location.Kind.REGEX
                                            && other.path().equals(location.path()));
            if (twice) {
                reading.wrong(one, "duplicate location \"" + location.path() + "\"");
            } else {
                server.add(location);
            }
        }
    }

    private List<SubstitutionRule> texts(List<Scope> scopes, FieldReader fields) {
        return new CompressionReader(reading).substitutions(scopes, fields.response());
    }

    private static boolean hasLinks(Scope scope) {
        return scope.has(BlockVariables.LINK) || scope.has(BlockVariables.SECRET);
    }

    private Map<String, MapSource> unlinked() {
        Map<String, MapSource> all = new HashMap<>(sources);
        all.remove(BlockVariables.LINK_MAP);
        return all;
    }

    private List<VariableRule> variables(Scope server) {
        List<VariableRule> all = new ArrayList<>(EARLY);
        all.addAll(found(server));
        all.addAll(maps);
        return all;
    }

    private Map<String, String> literals(Scope server) {
        Map<String, String> literals = new HashMap<>();
        List<NginxNode> names = server.own("server_name");
        String name = names.isEmpty() ? "" : names.getFirst().word(0);
        boolean regex = name.startsWith("~");
        literals.put(
                "server_name",
                regex ? name.substring(1) : name.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT));
        String root = server.word("root", "");
        if (!root.isEmpty() && !Variables.isIn(root)) {
            String folder = root.replaceFirst("/$", "");
            literals.put("document_root", folder);
            literals.put("realpath_root", folder);
        }
        return literals;
    }
}
