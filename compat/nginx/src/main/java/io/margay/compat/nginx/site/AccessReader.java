package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.Units;
import io.margay.gateway.access.AccessRules;
import io.margay.gateway.access.AccessRulesBuilder;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.AccessTerm;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.login.AuthService;
import io.margay.gateway.login.Login;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FileTypes;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.TypesFile;
import io.margay.gateway.rules.compiled.RequestConditions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/// Who may ask for what in each location, as `allow`, `deny`, `auth_basic`, `auth_request`,
/// `satisfy` and `limit_except` say it. A request that has come through several must meet what all
/// of them say. Confined to one reading.
final class AccessReader {
    private static final Requirement NOBODY =
            new Requirement.Test(new AccessTerm.Everybody(false), false, Methods.ALL);
    private static final Requirement EVERYBODY =
            new Requirement.Test(new AccessTerm.Everybody(true), false, Methods.ALL);
    private static final long CONTENT_DEFAULT = 1 << 20;

    private final Reading reading;
    private final Location server;
    private final Variables variables;
    private final Upstreams upstreams;
    private final Map<List<NginxNode>, FileTypes> types = new HashMap<>();
    private final Map<Integer, Asked> services = new HashMap<>();

    AccessReader(Reading reading, Location server, Variables variables, Upstreams upstreams) {
        this.reading = reading;
        this.server = server;
        this.variables = variables;
        this.upstreams = upstreams;
    }

    /// A service that says who may pass.
    ///
    /// @param service null where it is not translated
    /// @param said templates of what it is told, by variables
    private record Asked(@Nullable AuthService service, Map<String, String> said) {
        static final Asked NOBODY = new Asked(null, Map.of());
    }

    /// Has variables set that services are told.
    void tell(Location location, Program program) {
        List<Assignment> sets = new ArrayList<>();
        asked(location.scope())
                .said
                .forEach((name, value) -> sets.add(new Assignment(name, value)));
        if (!sets.isEmpty()) {
            program.set(PathMatch.ANY, List.of(), sets);
        }
    }

    private Asked asked(Scope scope) {
        NginxNode node = scope.last("auth_request");
        if (node == null || node.word(0).equals("off")) {
            return Asked.NOBODY;
        }
        Asked known = services.get(scope.id());
        if (known == null) {
            try {
                known = read(node, scope);
            } catch (Variables.Unknown e) {
                reading.wrong(node, String.valueOf(e.getMessage()));
                known = Asked.NOBODY;
            }
            services.put(scope.id(), known);
        }
        return known;
    }

    private Asked read(NginxNode node, Scope scope) throws Variables.Unknown {
        String uri = node.word(0);
        Location at = server.find(uri);
        Scope inner = at.scope();
        List<NginxNode> passes = inner.own("proxy_pass");
        Matcher url =
                passes.isEmpty()
                        ? null
                        : ProxyContent.URL.matcher(
                                reading.withConstants(passes.getFirst().word(0)));
        boolean plain =
                uri.startsWith("/")
                        && !Variables.isIn(uri)
                        && uri.indexOf('?') < 0
                        && at.inner().isEmpty()
                        && inner.nodes().stream().noneMatch(one -> OTHERS.contains(one.name()));
        if (url == null || !url.matches() || !plain) {
            throw new Variables.Unknown(
                    "is translated for a location that proxy_pass alone answers");
        }
        if (!node.isTold()) {
            reading.changed(
                    node,
                    "answers to whom it lets in say Cache-Control: private, for caches on the way");
        }
        String path = url.group(3) == null ? "" : url.group(3);
        boolean known = at.isPrefix() || at.kind() == Location.Kind.EXACT;
        if (path.matches(".*[$?#].*") || (!path.isEmpty() && !known)) {
            throw new Variables.Unknown("is translated for a proxy_pass to a path alone");
        }
        boolean secure = url.group(1).equalsIgnoreCase("https");
        String upstream =
                upstreams.named(
                        new Upstreams.Key(
                                secure ? PeerScheme.HTTPS : PeerScheme.HTTP,
                                url.group(2),
                                upstreams.timeouts(inner, "proxy"),
                                upstreams.tries(inner, "proxy")),
                        passes.getFirst());
        Duration time = Units.time(inner.word("proxy_read_timeout", "60s"));
        if (upstream == null || time == null) {
            throw new Variables.Unknown("has no server that could be asked");
        }
        for (NginxNode content : inner.own("proxy_pass_request_body")) {
            if (inner.nearest("internal").isEmpty()) {
                reading.changed(content, "what is asked for here by clients passes its content on");
            } else {
                reading.noted(content, "services are asked without content");
            }
        }
        Map<String, String> said = new LinkedHashMap<>();
        Map<String, String> fields =
                fields(inner, uri, ProxyContent.host(url.group(2), secure), said);
        String target = path.isEmpty() ? uri : path + uri.substring(at.path().length());
        AuthService.Telling telling = new AuthService.Telling(fields, learned(scope));
        return new Asked(new AuthService(upstream, target, telling, time), said);
    }

    /// Which fields a service gets.
    ///
    /// @param said takes the templates of their values, by variables
    private Map<String, String> fields(
            Scope inner, String uri, String host, Map<String, String> said) {
        Map<String, String> fields = new LinkedHashMap<>();
        String prefix = "nginx.auth." + inner.id() + ".";
        said.put(prefix + "host", Variables.literal(host));
        fields.put("Host", "ENV:" + prefix + "host");
        for (NginxNode node : inner.nearest("proxy_set_header")) {
            String name = node.word(0);
            boolean own = name.equalsIgnoreCase("host");
            if (FieldReader.isOfConnection(name) || (!own && FieldRule.isProtected(name))) {
                continue;
            }
            String variable = prefix + name.toLowerCase(Locale.ROOT);
            try {
                String text =
                        node.word(1)
                                .replaceAll(
                                        "\\$(?:(?:document_)?uri(?!\\w)|\\{(?:document_)?uri\\})",
                                        Matcher.quoteReplacement(uri));
                said.put(variable, variables.template(text));
                fields.put(own ? "Host" : name, "ENV:" + variable);
            } catch (Variables.Unknown e) {
                reading.changed(node, "services do not get it: " + e.getMessage());
            }
        }
        return fields;
    }

    private Map<String, String> learned(Scope scope) {
        Map<String, String> learned = new LinkedHashMap<>();
        for (NginxNode node : scope.nearest("auth_request_set")) {
            String name = node.word(0).replaceFirst("^\\$", "").toLowerCase(Locale.ROOT);
            String value = node.word(1).toLowerCase(Locale.ROOT);
            if (value.equals("$upstream_status")) {
                learned.put(name, "");
            } else if (value.matches("\\$upstream_http_[a-z0-9_]+")) {
                String field = value.substring("$upstream_http_".length());
                learned.put(name, field.replace('_', '-'));
            } else {
                reading.changed(node, "is known for fields and the status of the answer alone");
            }
            if (reading.isUsedBeyondFields(name)) {
                reading.changed(
                        node,
                        "$" + name + " is known to proxy_set_header and add_header, not to others");
            }
        }
        return learned;
    }

    /// What else may answer a location.
    private static final Set<String> OTHERS =
            Set.of("return", "rewrite", "set", "if", "try_files", "break", "fastcgi_pass");

    /// The variable that says that a request has come through a location.
    static String through(Location location) {
        return "nginx.at." + location.id();
    }

    /// The sections of a server.
    HostAccess of(List<Location> locations) {
        List<AccessSection> sections = new ArrayList<>();
        Condition nowhere = Conditions.is("%{ENV:" + Variables.LOCATION + "}", "^$");
        sections.add(section(List.of(nowhere), rules(List.of(NOBODY), null, Login.NONE, -1)));
        List<Location> sorted = new ArrayList<>(locations);
        // Of several sizes the smallest counts, which comes last.
        sorted.sort(Comparator.comparingLong((Location one) -> content(one.scope())).reversed());
        for (Location location : sorted) {
            List<Condition> when = List.of(Conditions.has(through(location), "1"));
            sections.add(section(when, rules(location)));
        }
        AccessSection always =
                new AccessSection(
                        new SectionMatch.Everything(), with(FileTypes.PLAIN), List.of(), sections);
        return HostAccess.NONE.withAlways(always);
    }

    /// Locations through which a request must not have come before it comes to one: with users of
    /// their own, of which one alone would be asked.
    List<Location> apart(Location location, List<Location> all) {
        Login own = login(location.scope());
        return !own.asks()
                ? List.of()
                : all.stream()
                        .filter(one -> {
                            Login other = login(one.scope());
                            return other.asks() && !other.equals(own);
                        })
                        .toList();
    }

    private static AccessSection section(List<Condition> when, AccessRules rules) {
        return new AccessSection(
                new SectionMatch.When(RequestConditions.of(when)), rules, List.of(), List.of());
    }

    private AccessRules rules(Location location) {
        Scope scope = location.scope();
        Methods methods = Methods.ALL;
        NginxNode limit = null;
        for (NginxNode node : scope.own("limit_except")) {
            limit = node;
            methods = Methods.of(node.words());
        }
        Scope limited = limit == null ? null : new Scope(scope.id(), scope, limit, limit.block());
        Part own = part(scope, methods);
        List<Requirement> always = new ArrayList<>(own.always);
        List<Requirement> users = new ArrayList<>(own.users);
        Login login = own.login;
        if (limited != null) {
            Part others = part(limited, new Methods(methods.names(), true));
            always.addAll(others.always);
            users.addAll(others.users);
            if (limit != null
                    && login.asks()
                    && others.login.asks()
                    && !login.equals(others.login)) {
                reading.wrong(limit, "has other users than its location");
            }
            login = login.asks() ? login : others.login;
        }
        Requirement required =
                users.isEmpty() ? null : new Requirement.Group(true, false, null, users);
        return rules(always, required, login, content(scope), types(scope));
    }

    /// Which types files have by their last ending; what has none gets `default_type`.
    private FileTypes types(Scope scope) {
        return types.computeIfAbsent(
                scope.nearest("types"),
                nodes ->
                        new FileTypes(
                                EndingTypes.of(nodes), Map.of(), null, null, TypesFile.NONE, true));
    }

    private record Part(List<Requirement> always, List<Requirement> users, Login login) {}

    private Part part(Scope scope, Methods methods) {
        Requirement addresses = addresses(scope, methods);
        Login login = login(scope);
        Requirement user =
                login.asks()
                        ? new Requirement.Test(new AccessTerm.AnyUser(), false, methods)
                        : null;
        boolean any = scope.word("satisfy", "all").equals("any");
        if (any && addresses != null && user != null) {
            Requirement either =
                    new Requirement.Group(
                            true,
                            false,
                            methods,
                            List.of(
                                    new Requirement.Group(
                                            false, false, null, List.of(addresses, user))));
            return new Part(List.of(), List.of(either), login);
        }
        return new Part(
                addresses == null ? List.of() : List.of(addresses),
                user == null ? List.of() : List.of(user),
                login);
    }

    /// The first `allow` or `deny` that is about a client counts.
    private @Nullable Requirement addresses(Scope scope, Methods methods) {
        List<NginxNode> nodes = new ArrayList<>();
        for (Scope at = scope; at != null && nodes.isEmpty(); at = at.parent()) {
            for (NginxNode node : at.nodes()) {
                if (node.name().equals("allow") || node.name().equals("deny")) {
                    nodes.add(node.asked());
                }
            }
        }
        if (nodes.isEmpty()) {
            return null;
        }
        Requirement all = EVERYBODY;
        for (NginxNode node : nodes.reversed()) {
            AccessTerm term = term(node);
            if (term == null) {
                return NOBODY;
            }
            boolean allows = node.name().equals("allow");
            Requirement test = new Requirement.Test(term, !allows, Methods.ALL);
            all = new Requirement.Group(!allows, false, null, List.of(test, all));
        }
        return methods.equals(Methods.ALL)
                ? all
                : new Requirement.Group(true, false, methods, List.of(all));
    }

    private @Nullable AccessTerm term(NginxNode node) {
        String word = node.word(0);
        if (word.equals("all")) {
            return new AccessTerm.Everybody(true);
        }
        if (word.equals("unix:")) {
            return new AccessTerm.Everybody(false);
        }
        Network network = Network.parse(word).orElse(null);
        if (network == null) {
            reading.wrong(node, "invalid parameter \"" + word + "\"");
            return null;
        }
        return new AccessTerm.From(List.of(network));
    }

    private Login login(Scope scope) {
        AuthService service = asked(scope).service;
        NginxNode realm = scope.last("auth_basic");
        if (service != null) {
            if (realm != null && !realm.word(0).equals("off")) {
                reading.wrong(realm, "is not translated beside auth_request");
            }
            return Login.NONE.with(Login.Method.SERVICE).with(new Login.Users.OfService(service));
        }
        NginxNode users = scope.last("auth_basic_user_file");
        if (realm == null || realm.word(0).equals("off")) {
            return Login.NONE;
        }
        if (users == null) {
            return Login.NONE; // nginx asks for nothing without a file
        }
        if (Variables.isIn(realm.word(0)) || Variables.isIn(users.word(0))) {
            reading.wrong(realm, "is translated without variables only");
            return Login.NONE;
        }
        Path file = reading.file(users.word(0));
        return new Login(
                Login.Method.BASIC,
                realm.word(0),
                new Login.Users.InFile(file),
                null,
                null,
                null,
                null);
    }

    private long content(Scope scope) {
        NginxNode node = scope.last("client_max_body_size");
        if (node == null) {
            return CONTENT_DEFAULT;
        }
        Long bytes = Units.bytes(node.word(0));
        if (bytes == null) {
            reading.wrong(node, "\"client_max_body_size\" directive invalid value");
            return CONTENT_DEFAULT;
        }
        return bytes == 0 ? Long.MAX_VALUE : bytes;
    }

    private static AccessRules with(FileTypes types) {
        return rules(List.of(), null, Login.NONE, -1, types);
    }

    private static AccessRules rules(
            List<Requirement> always, @Nullable Requirement required, Login login, long bytes) {
        return rules(always, required, login, bytes, FileTypes.NONE);
    }

    private static AccessRules rules(
            List<Requirement> always,
            @Nullable Requirement required,
            Login login,
            long bytes,
            FileTypes types) {
        return AccessRulesBuilder.builder(AccessRules.NONE)
                .required(required)
                .always(always)
                .merging(required == null ? AccessRules.Merging.UNSET : AccessRules.Merging.AND)
                .contentBytesMax(bytes == Long.MAX_VALUE ? 0 : bytes)
                .types(types)
                .login(login)
                .build();
    }
}
