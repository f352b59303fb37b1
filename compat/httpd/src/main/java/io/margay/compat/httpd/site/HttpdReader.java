package io.margay.compat.httpd.site;

import io.margay.compat.account.Account;
import io.margay.compat.httpd.access.AccessMatch;
import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.access.HttpdOpenId;
import io.margay.compat.httpd.context.Conditionals;
import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.domain.HttpdDomains;
import io.margay.compat.httpd.jk.WorkerProperties;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdDirective.Subject;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.UnsupportedDirectives;
import io.margay.gateway.access.FolderFile;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.VariableRule;
import io.margay.server.forwarded.NodeAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Walks the nodes of httpd's configuration and hands each directive to those who know it. Confined
/// to one reading.
public final class HttpdReader {
    private static final String UNIQUE_ID = "UNIQUE_ID";

    /// Variables that modules of httpd set and nobody does here, the first without its module:
    /// those of mod_ssl but what is known of the connection and of the client's certificate.
    private static final Pattern UNSET =
            Pattern.compile(
                    "%\\{(?:ENV:|SSL:)?(?:UNIQUE_ID|MATCH_[A-Z0-9_]+"
                            + "|SSL_(?!(?:PROTOCOL|CIPHER|CIPHER_USEKEYSIZE|SESSION_ID|TLS_SNI)})"
                            + "(?!CLIENT_(?:VERIFY|CERT|M_SERIAL|M_VERSION|V_START|V_END)})"
                            + "(?!CLIENT_[SI]_DN[_}])[A-Za-z0-9_]+)}|(?<=')UNIQUE_ID(?=')");

    private final HttpdConfig config;
    private final ReadingContext context;
    private final UnsupportedDirectives others = UnsupportedDirectives.load();
    private final JkDirectives jk;
    private final ProxyDirectives proxy;
    private final RedirectDirectives redirect;
    private final RewriteDirectives rewrite;
    private final SiteDirectives site;
    private final ChangeDirectives changes;
    private final ContentDirectives content;
    private final SubstituteDirectives substitute;

    /// Whether requests have a name of their own, by mod_unique_id.
    private boolean named;

    /// Whether the section that is being read restricts access.
    private boolean closed;

    HttpdReader(HttpdConfig config) {
        this.config = config;
        context = config.context;
        jk = new JkDirectives(config);
        proxy = new ProxyDirectives(config);
        redirect = new RedirectDirectives(config);
        rewrite = new RewriteDirectives(config, redirect);
        site = new SiteDirectives(config);
        changes = new ChangeDirectives(context);
        content = new ContentDirectives(config);
        substitute = new SubstituteDirectives(context);
    }

    /// Reads what a file in a folder, such as `.htaccess`, says of it.
    ///
    /// @param files that its host serves
    /// @param passing how its host passes requests on
    public static FolderFile folder(
            List<HttpdNode> nodes,
            Path folder,
            List<FilesPlan> files,
            HostAccess.Passing passing,
            Account account) {
        HttpdConfig config =
                new HttpdConfig(
                        ReadingContext.ofFolder(account, folder),
                        new WorkerProperties(Map.of(), account));
        config.workers.shows(passing.tls()::certificates);
        config.passing = pass -> SectionRewrites.passed(pass, passing, config.workers);
        config.running = pass -> SectionRewrites.run(pass, passing, config.workers);
        return config.context
                .expressions()
                .during(() -> new HttpdReader(config).readFolder(nodes, folder, files));
    }

    public void read(List<HttpdNode> nodes) {
        engine(nodes, config.main);
        walk(nodes, config.main, HttpdSection.NONE);
        context.expressions().at(null);
    }

    /// Whether rules of a server count depends on the last line about it, wherever they stand.
    private static void engine(List<HttpdNode> nodes, HttpdServer server) {
        for (HttpdNode node : nodes) {
            if (node.key().equals("rewriteengine")) {
                server.rewriteEngine = node.isOn();
            }
        }
    }

    private FolderFile readFolder(List<HttpdNode> nodes, Path folder, List<FilesPlan> files) {
        SectionMatch match = new SectionMatch.Everything();
        HttpdSection section =
                new HttpdSection(
                        HttpdSection.Kind.DIRECTORY,
                        folder.toString(),
                        PathMatch.ANY,
                        HttpdSection.NONE);
        HttpdAccess made = new HttpdAccess(match, context);
        config.access(section, made);
        context.variables().useAll();
        walk(nodes, config.main, section);
        context.expressions().at(null);
        context.variables()
                .deciding()
                .forEach(node ->
                        context.wrong(
                                node,
                                "depends on a variable, which is not supported in such a file"));
        // What has responses sent slowly may stand above, and look at variables that are set here.
        ContentDirectives.keepSpeeds(context);
        HostChangeBuilder changes = new HostChangeBuilder(config, config.main, List.of(), files);
        return new FolderFile(made.build(), changes.folder(), config.workers.build());
    }

    /// Takes note of a section, in which access may be limited.
    private void open(HttpdSection inner, HttpdNode node, HttpdServer server) {
        HttpdSection parent = inner.parent();
        HttpdAccess around = parent == null ? server.access : config.access(parent, server);
        try {
            SectionMatch match = AccessMatch.of(inner, node, context);
            HttpdAccess made =
                    switch (inner.kind()) {
                        case LOCATION -> added(server.paths, match);
                        case DIRECTORY -> added(server.folders, match);
                        case PROXY -> added(server.peers, match);
                        case FILES -> around.files(match);
                        case IF -> around.conditional(match);
                        case LIMIT, NONE, UNKNOWN -> around;
                    };
            config.access(inner, made);
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            context.account().wrong(node.place(), node.title(), text);
        }
    }

    private HttpdAccess added(List<HttpdAccess> sections, SectionMatch match) {
        HttpdAccess made = new HttpdAccess(match, context);
        sections.add(made);
        return made;
    }

    private void walk(List<HttpdNode> nodes, HttpdServer server, HttpdSection section) {
        Conditionals conditionals = new Conditionals(context);
        for (HttpdNode node : nodes) {
            context.expressions().at(node.place().toString());
            if (Conditionals.isOne(node)) {
                HttpdSection inner = conditionals.section(node, section);
                if (inner != null) {
                    Varying.add(server, section, inner.conditions());
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
                context.account().honoured(node.place(), node.title());
                Map<String, Set<String>> places = places(node);
                HttpdServer virtual = new HttpdServer(node.place(), places, context);
                config.servers.add(virtual);
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
        if (HttpdDomains.knows(node)) {
            domains(node, server, parent);
            return;
        }
        if (parent.isConditional()) {
            new Conditionals(context).passedOver(node, "is not allowed in an If");
            return;
        }
        HttpdSection inner = HttpdSection.of(node, parent, context::path);
        switch (inner.kind()) {
            case UNKNOWN -> {
                other(node);
                return;
            }
            case LIMIT -> {
                context.account().honoured(node.place(), node.title());
                open(inner, node, server);
                Methods methods = HttpdAccess.methods(node);
                node.children().forEach(child -> config.access(inner, server).read(child, methods));
                return;
            }
            case NONE, LOCATION, DIRECTORY, FILES, PROXY, IF -> {
                if (!inner.mayStandIn(parent)) {
                    context.account()
                            .wrong(
                                    node.place(),
                                    node.title(),
                                    "is not allowed here, as" + " in httpd");
                    return;
                }
                context.account().honoured(node.place(), node.title());
                open(inner, node, server);
            }
        }
        boolean around = closed;
        closed |= context.restricting().restricts(node);
        walk(node.children(), server, inner);
        closed = around;
    }

    /// A directive or section that is not followed, but for the module that names requests.
    private void other(HttpdNode node) {
        if (node.key().equals("loadmodule")
                && node.argument(0).equalsIgnoreCase("unique_id_module")) {
            named = true;
            config.main.early.addFirst(
                    new VariableRule(PathMatch.ANY, List.of(), UNIQUE_ID, "%{REQUEST_ID}"));
            context.honoured(node, UNIQUE_ID + " is what logs and members call a request");
            return;
        }
        others.account(node, context.account(), closed, context.restricting().restricts(node));
    }

    /// The places of a host, each with how it is written there.
    private Map<String, Set<String>> places(HttpdNode node) {
        Map<String, Set<String>> found = new LinkedHashMap<>();
        for (String argument : node.arguments()) {
            String text = argument.replace("_default_", "*");
            int colon = text.lastIndexOf(':');
            boolean hasPort = colon > text.lastIndexOf(']') && colon >= 0;
            String host = hasPort ? text.substring(0, colon) : text;
            String port = hasPort ? text.substring(colon + 1) : "*";
            if (!port.matches("\\*|[0-9]{1,5}")) {
                context.account()
                        .wrong(node.place(), node.title(), "\"" + port + "\" is not a" + " port");
                continue;
            }
            for (String address : resolved(node, host)) {
                String place = port.equals("*") ? address : address + ":" + port;
                found.computeIfAbsent(place, _ -> new LinkedHashSet<>())
                        .add(host.toLowerCase(Locale.ROOT));
            }
        }
        if (node.size() == 0) {
            context.account().wrong(node.place(), node.title(), "names no address; write *:80");
        }
        if (found.isEmpty()) {
            found.put("*", Set.of());
        }
        return found;
    }

    /// The addresses of a name, which is looked up once, as in httpd.
    private List<String> resolved(HttpdNode node, String host) {
        if (host.matches("\\*|[0-9.]+|\\[[0-9A-Fa-f:.]+]")) {
            InetAddress literal = NodeAddress.literal(host.replaceAll("[\\[\\]]", ""));
            return List.of(literal == null ? host : place(literal));
        }
        try {
            return Stream.of(InetAddress.getAllByName(host))
                    .map(HttpdReader::place)
                    .distinct()
                    .toList();
        } catch (UnknownHostException e) {
            context.account()
                    .wrong(
                            node.place(),
                            node.title(),
                            host + " has no address: write *, or the address");
            return List.of();
        }
    }

    private static String place(InetAddress address) {
        String text = NodeAddress.text(address);
        return address.isAnyLocalAddress()
                ? "*"
                : address instanceof Inet6Address ? "[" + text + "]" : text;
    }

    private void directive(HttpdNode node, HttpdServer server, HttpdSection section) {
        HttpdDirective directive = HttpdDirective.of(node.name());
        if (HttpdOpenId.knows(node.key())) {
            openId(node, server, section);
        } else if (directive == null) {
            other(node);
        } else if (directive.subject() == Subject.DOMAINS) {
            domains(node, server, section);
        } else if (directive.subject() == Subject.SECTION) {
            context.wrong(node, "is a section: write <" + directive.word() + " …>");
        } else if (section.isConditional() && !directive.isFollowedInIf()) {
            context.changed(node, "is not supported in an If, and is ignored");
        } else {
            directive(directive, node, server, section);
        }
    }

    private void directive(
            HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        boolean told = directive == HttpdDirective.JK_ENV_VAR;
        Matcher unset = UNSET.matcher(told ? "%{" + node.argument(0) + "}" : node.text());
        unset.results()
                .map(MatchResult::group)
                .filter(text -> !(named && text.contains(UNIQUE_ID)))
                .findFirst()
                .ifPresent(text -> context.changed(node, text + " has no value here"));
        if (directive == HttpdDirective.ALLOW_OVERRIDE
                && !node.argument(0).equalsIgnoreCase("none")) {
            context.variables().useAll(); // which a file in a folder may ask for
        }
        if (directive == HttpdDirective.ADD_DEFAULT_CHARSET) {
            server.charsets.add(DefaultCharsets.of(node, section));
        }
        switch (directive.subject()) {
            case CHANGES -> changes.read(directive, node, server, section);
            case CONTENT -> content.read(directive, node, server, section);
            case CACHE -> server.cache.read(directive, node, section, context);
            case SUBSTITUTE -> substitute.read(directive, node, server, section);
            case CLIENTS -> config.clients.read(directive, node, server);
            case JK -> jk.read(directive, node, server, section);
            case PROXY -> proxy.read(directive, node, server, section);
            case REMOTE_IP -> site.client(directive, node, server);
            case REDIRECT -> redirect.read(node, server, section);
            case REWRITE -> rewrite.read(directive, node, server, section);
            default -> site.read(directive, node, server, section);
        }
    }

    private void domains(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (context.isOfFolder() || !section.isNone()) {
            context.wrong(node, "is not allowed in a section");
        } else if (server != config.main && HttpdDomains.isOfAll(node)) {
            context.wrong(node, "applies to all domains: write it outside of VirtualHost");
        } else {
            config.domains.read(node);
        }
    }

    private void openId(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (section.isNone()) {
            server.openId.read(node);
        } else if (node.key().equals("oidcunauthaction") && node.text().equalsIgnoreCase("auth")) {
            context.honoured(node);
        } else {
            context.wrong(node, "is not supported in a section; write it outside of all");
        }
    }
}
