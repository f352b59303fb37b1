package io.margay.compat.httpd;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.GatewayPlan.ListenerPlan;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.Methods;
import io.margay.gateway.access.SectionMatch;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RequestConditions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Walks the nodes of httpd's configuration and hands each directive to those who know it. Confined
/// to one reading.
final class HttpdReader {
    private static final Pattern VARIABLE = Pattern.compile("%\\{ENV:([^}|]*)");

    final Account account;
    final ProxyWorkers workers;
    final WorkerProperties properties;
    final Path folder;
    final HttpdServer main = new HttpdServer(new Place("", 0), List.of(), this);
    final List<HttpdServer> servers = new ArrayList<>();
    final List<Listen> listens = new ArrayList<>();
    final Map<String, String> logFormats = new HashMap<>();
    final List<HttpdNode> workersFiles = new ArrayList<>();
    List<String> folderFiles = HostAccess.FOLDER_FILES;

    /// Whether rules of mod_rewrite stand in sections.
    boolean rewritesInSections;

    Duration mountReload = Duration.ofSeconds(60);

    final ClosingDirectives closing = ClosingDirectives.load();
    private final HttpdOthers others = HttpdOthers.load();
    private final JkDirectives jk = new JkDirectives(this);
    private final ProxyDirectives proxy = new ProxyDirectives(this);
    private final RewriteDirectives rewrite = new RewriteDirectives(this);
    private final SiteDirectives site = new SiteDirectives(this);
    private final ChangeDirectives changes = new ChangeDirectives(this);

    /// Variables that something depends on.
    private final Set<String> variables = new HashSet<>();

    /// Variables that directives set which are not followed exactly.
    private final Set<String> unfollowed = new HashSet<>();

    /// Variables that access depends on, with the first directive that says so.
    private final Map<String, HttpdNode> deciding = new LinkedHashMap<>();

    /// Of each section that was opened, what it says of access.
    private final IdentityHashMap<HttpdSection, HttpdAccess> access = new IdentityHashMap<>();

    private @Nullable Path serverRoot;

    /// Whether the section that is being read closes something.
    private boolean closed;

    /// A `Listen` line.
    record Listen(ListenerPlan plan, boolean https, Place place) {}

    /// @param folder what relative paths are relative to, where no `ServerRoot` is there
    HttpdReader(Account account, WorkerProperties properties, Path folder) {
        this.account = account;
        this.properties = properties;
        this.folder = folder;
        workers = new ProxyWorkers(account);
        servers.add(main);
    }

    void serverRoot(@Nullable Path root) {
        serverRoot = root;
    }

    void read(List<HttpdNode> nodes) {
        engine(nodes, main);
        walk(nodes, main, HttpdSection.NONE);
    }

    /// Whether rules of a server count depends on the last line about it, wherever they stand.
    private static void engine(List<HttpdNode> nodes, HttpdServer server) {
        for (HttpdNode node : nodes) {
            if (node.key().equals("rewriteengine")) {
                server.rewriteEngine = node.isOn();
            }
        }
    }

    /// What a section says of access.
    HttpdAccess access(HttpdSection section, HttpdServer server) {
        HttpdAccess known = access.get(section);
        return known == null ? server.access : known;
    }

    /// Reads what a file in a folder says of it.
    AccessSection folder(List<HttpdNode> nodes, Path folder) {
        SectionMatch match = new SectionMatch.Everything();
        HttpdSection section =
                new HttpdSection(
                        HttpdSection.Kind.DIRECTORY,
                        folder.toString(),
                        PathMatch.ANY,
                        HttpdSection.NONE);
        HttpdAccess made = new HttpdAccess(match, this);
        access.put(section, made);
        walk(nodes, main, section);
        deciding.values()
                .forEach(node ->
                        wrong(
                                node,
                                "asks for a variable, which is not known in a file of a folder"));
        return made.build();
    }

    /// Takes note of a section, in which access may be limited.
    private void open(HttpdSection inner, HttpdNode node, HttpdServer server) {
        HttpdSection parent = inner.parent();
        HttpdAccess around = parent == null ? server.access : access(parent, server);
        try {
            SectionMatch match = AccessMatch.of(inner, node, this);
            HttpdAccess made =
                    switch (inner.kind()) {
                        case LOCATION -> added(server.paths, match);
                        case DIRECTORY -> added(server.folders, match);
                        case PROXY -> added(server.peers, match);
                        case FILES -> around.files(match);
                        case IF -> around.conditional(match);
                        case LIMIT, NONE, UNKNOWN -> around;
                    };
            access.put(inner, made);
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            account.wrong(node.place(), node.title(), text);
        }
    }

    private HttpdAccess added(List<HttpdAccess> sections, SectionMatch match) {
        HttpdAccess made = new HttpdAccess(match, this);
        sections.add(made);
        return made;
    }

    /// Takes note that access depends on whether a variable is set.
    void decidesAccess(String name, HttpdNode node) {
        variables.add(name);
        deciding.putIfAbsent(name, node);
    }

    /// The same for the variables of conditions.
    void decideAccess(RequestConditions conditions, HttpdNode node) {
        conditions.conditions().stream()
                .flatMap(one -> VARIABLE.matcher(one.value()).results())
                .forEach(found -> decidesAccess(found.group(1), node));
    }

    /// Complains of variables on which access depends and which are not what they are in httpd.
    void checkVariables() {
        deciding.forEach((name, node) -> {
            if (unfollowed.contains(name)) {
                account.wrong(
                        node.place(),
                        node.title(),
                        "depends on the variable "
                                + name
                                + ", which is set by a directive that is not followed exactly");
            }
        });
        for (HttpdServer server : servers) {
            deciding.forEach((name, node) -> {
                if (server.lateVariables.contains(name)) {
                    account.wrong(
                            node.place(),
                            node.title(),
                            "depends on the variable "
                                    + name
                                    + ", which httpd sets only afterwards, or for one folder; set"
                                    + " it by SetEnvIf outside of folders");
                }
            });
        }
    }

    private void walk(List<HttpdNode> nodes, HttpdServer server, HttpdSection section) {
        Conditionals conditionals = new Conditionals(this);
        for (HttpdNode node : nodes) {
            if (Conditionals.isOne(node)) {
                HttpdSection inner = conditionals.section(node, section);
                if (inner != null) {
                    open(inner, node, server);
                    walk(node.children(), server, inner);
                }
                continue;
            }
            if (!node.section()) {
                directive(node, server, section);
                continue;
            }
            if (node.key().equals("virtualhost")) {
                account.honoured(node.place(), node.title());
                HttpdServer virtual = new HttpdServer(node.place(), addresses(node), this);
                servers.add(virtual);
                engine(node.children(), virtual);
                walk(node.children(), virtual, HttpdSection.NONE);
                continue;
            }
            section(node, server, section);
        }
    }

    private void section(HttpdNode node, HttpdServer server, HttpdSection parent) {
        if (node.key().startsWith("require")) {
            directive(node, server, parent);
            return;
        }
        if (parent.isConditional()) {
            new Conditionals(this).passedOver(node, "has no place in an If");
            return;
        }
        HttpdSection inner = HttpdSection.of(node, parent);
        switch (inner.kind()) {
            case UNKNOWN -> {
                other(node);
                return;
            }
            case LIMIT -> {
                account.honoured(node.place(), node.title());
                open(inner, node, server);
                Methods methods = HttpdAccess.methods(node);
                node.children().forEach(child -> access(inner, server).read(child, methods));
                return;
            }
            case NONE, LOCATION, DIRECTORY, FILES, PROXY, IF -> {
                if (!inner.mayStandIn(parent)) {
                    account.wrong(node.place(), node.title(), "has no place here, as in httpd");
                    return;
                }
                account.honoured(node.place(), node.title());
                open(inner, node, server);
            }
        }
        boolean around = closed;
        closed |= closing.closes(node);
        walk(node.children(), server, inner);
        closed = around;
    }

    /// A directive or section that is not followed.
    private void other(HttpdNode node) {
        others.account(node, account, closed, closing.closes(node));
    }

    private List<String> addresses(HttpdNode node) {
        List<String> found = new ArrayList<>();
        for (String argument : node.arguments()) {
            String text = argument.replace("_default_", "*");
            int colon = text.lastIndexOf(':');
            boolean hasPort = colon > text.lastIndexOf(']') && colon >= 0;
            String host = hasPort ? text.substring(0, colon) : text;
            String port = hasPort ? text.substring(colon + 1) : "*";
            if (!host.matches("\\*|[0-9.]+|\\[[0-9A-Fa-f:.]+]")) {
                account.wrong(
                        node.place(),
                        node.title(),
                        host + " is no address, and would be looked up once: write the address");
                continue;
            }
            if (!port.matches("\\*|[0-9]{1,5}")) {
                account.wrong(node.place(), node.title(), "\"" + port + "\" is no port");
                continue;
            }
            found.add(port.equals("*") ? host : host + ":" + port);
        }
        if (node.size() == 0) {
            account.wrong(node.place(), node.title(), "names no address; write *:80");
        }
        if (found.isEmpty()) {
            found.add("*");
        }
        return found;
    }

    private void directive(HttpdNode node, HttpdServer server, HttpdSection section) {
        HttpdDirective directive = HttpdDirective.of(node.name());
        if (directive == null) {
            other(node);
            return;
        }
        if (section.isConditional() && !Conditionals.FOLLOWED.contains(directive)) {
            changed(node, "is not followed in an If: it is passed over");
            return;
        }
        String word = directive.word();
        if (ChangeDirectives.KNOWN.contains(directive)) {
            changes.read(directive, node, server, section);
        } else if (word.startsWith("Jk")) {
            jk.read(directive, node, server, section);
        } else if (word.startsWith("Proxy") || word.equals("BalancerMember")) {
            proxy.read(directive, node, server, section);
        } else if (word.startsWith("RemoteIP")) {
            site.client(directive, node, server);
        } else if (word.startsWith("Rewrite") || word.startsWith("Redirect")) {
            rewrite.read(directive, node, server, section);
        } else {
            site.read(directive, node, server, section);
        }
    }

    // For those who read directives

    /// The value of a variable of the request, for a template; it is known from now on that
    /// something depends on it.
    String variable(String name) {
        variables.add(name);
        return "%{ENV:" + name + "}";
    }

    /// Whether something depends on a variable.
    boolean isUsed(String name) {
        return variables.contains(name);
    }

    /// Holds where a variable is set.
    Condition isSet(String name) {
        return Condition.of(variable(name), ".");
    }

    /// The maps that rules of a server may ask.
    HostChanges maps(HttpdServer server) {
        Map<String, MapSource> maps = new HashMap<>(main.maps);
        maps.putAll(server.maps);
        return new HostChanges(List.of(), maps, List.of(), List.of(), List.of());
    }

    /// A path of a file, relative to `ServerRoot` where that is there, or null when it is none.
    @Nullable Path path(String text) {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path;
            }
            if (serverRoot != null && java.nio.file.Files.isDirectory(serverRoot)) {
                return serverRoot.resolve(path).normalize();
            }
            return folder.resolve(path).normalize();
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /// A place for a log. A drive of another system is none here: then it is `logs/NAME`.
    @Nullable Path log(HttpdNode node, String text) {
        if (text.startsWith("|") || text.startsWith("syslog")) {
            account.changed(
                    node.place(), node.name(), "nothing is written to a program: name a file");
            return null;
        }
        String local = text;
        if (text.matches("[A-Za-z]:[/\\\\].*") && java.io.File.separatorChar == '/') {
            local = "logs/" + text.replaceFirst(".*[/\\\\]", "");
            account.noted(node.place(), node.name(), "written to " + local);
        }
        Path path = path(local);
        if (path == null) {
            account.wrong(node.place(), node.name(), "\"" + text + "\" is no path");
        }
        return path;
    }

    /// The time that a request to a peer may take where nothing else is said.
    Duration timeout(HttpdServer server) {
        Duration own = server.proxyTimeout != null ? server.proxyTimeout : main.proxyTimeout;
        if (own != null) {
            return own;
        }
        Duration general = server.timeout != null ? server.timeout : main.timeout;
        return general == null ? Duration.ofSeconds(60) : general;
    }

    /// Whether the directive stands where it may; otherwise says that it has no effect.
    boolean onlyIn(HttpdNode node, boolean allowed, String where) {
        if (!allowed) {
            changed(node, "has no effect here; it belongs " + where);
        }
        return allowed;
    }

    void honoured(HttpdNode node) {
        account.honoured(node.place(), node.name());
    }

    void honoured(HttpdNode node, String text) {
        account.honoured(node.place(), node.name(), text);
    }

    /// It is not honoured exactly: nothing is served if something would be open that was closed.
    void changed(HttpdNode node, String text) {
        unfollowed.addAll(SetVariables.of(node));
        if (closing.closes(node)) {
            account.wrong(node.place(), node.name(), text);
        } else {
            account.changed(node.place(), node.name(), text);
        }
    }

    void noted(HttpdNode node, String text) {
        unfollowed.addAll(SetVariables.of(node));
        account.noted(node.place(), node.name(), text);
    }

    void wrong(HttpdNode node, String text) {
        account.wrong(node.place(), node.name(), text);
    }
}
