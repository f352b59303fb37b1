package io.margay.compat.httpd.site;

import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.expression.HttpdExpression;
import io.margay.compat.httpd.proxy.ProxyParameters;
import io.margay.compat.httpd.proxy.ProxyUrl;
import io.margay.compat.httpd.syntax.DirectiveWords;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.HttpdTime;
import io.margay.compat.httpd.syntax.TextFile;
import io.margay.compat.httpd.tls.PeerCertificates;
import io.margay.compat.httpd.tls.TlsDirectives;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.plan.HostPlan.LogPlan;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.server.forwarded.Networks;
import io.margay.server.forwarded.NodeAddress;
import io.margay.server.log.LogFormat;
import io.margay.server.log.LogFormatException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the directives of a server that have no file of their subject. Confined to one reading.
final class SiteDirectives {
    /// `^/path/(.*)$` and its like.
    private static final Pattern WHOLE_FOLDER =
            Pattern.compile("\\^(/[A-Za-z0-9_./-]*?)(?:/?\\(\\.\\*\\)|\\(/\\.\\*\\)\\??)\\$?");

    /// `%{NAME}e` of a log.
    private static final Pattern VARIABLE = Pattern.compile("%[!0-9,<>]*\\{([^}]*)}e");

    /// What a log cannot tell here.
    private static final Pattern UNKNOWN =
            Pattern.compile("%[!0-9,<>]*(?:f|R|L|\\{(?!JK_)[^}]*}n)");

    private final HttpdConfig config;
    private final ReadingContext context;
    private final TlsDirectives tls;
    private final PeerCertificates shown;
    private final PageDirectives pages;

    SiteDirectives(HttpdConfig config) {
        this.config = config;
        context = config.context;
        tls = new TlsDirectives(context);
        shown = new PeerCertificates(context);
        config.workers.shows(shown::all);
        pages = new PageDirectives(context);
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive.subject()) {
            case ACCESS -> access(node, server, section);
            case LISTINGS -> listing(node, server, section);
            case VARIANTS -> config.access(section, server).variants(node);
            case FILES -> files(directive, node, server, section);
            default -> others(directive, node, server, section);
        }
    }

    private void files(
            HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        if (directive == HttpdDirective.ADD_TYPE && isProxy(node.argument(0))) {
            addHandler(node, server, section);
        } else if (directive == HttpdDirective.FORCE_TYPE && isProxy(node.argument(0))) {
            handler(node, server, section);
        } else {
            config.access(section, server).read(node, Methods.ALL);
        }
    }

    private void others(
            HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case LISTEN -> listen(node);
            case PROTOCOLS -> protocols(node, server);
            case SERVER_NAME -> name(node, server, node.argument(0));
            case SERVER_ALIAS -> node.arguments().forEach(name -> name(node, server, name));
            case TYPES_CONFIG -> typesConfig(node, server, section);
            case SERVER_ADMIN -> {
                server.admin = node.argument(0);
                context.honoured(node, "for programs that run files");
            }
            case DOCUMENT_ROOT -> {
                server.documentRoot = node.argument(0);
                context.honoured(node);
            }
            case DIRECTORY_INDEX, FALLBACK_RESOURCE ->
                    pages.read(directive, node, config.access(section, server));
            case ALIAS -> alias(node, server, section);
            case ALIAS_MATCH -> aliasMatch(node, server);
            case CUSTOM_LOG, TRANSFER_LOG -> log(node, server);
            case LOG_FORMAT -> {
                String name = node.size() > 1 ? node.argument(1) : "";
                config.logFormats.put(name, node.argument(0));
                context.honoured(node);
            }
            case ERROR_LOG, LOG_LEVEL ->
                    context.noted(node, "messages go to stderr; --log LEVEL says how many");
            case SSL_PROXY_ENGINE,
                    SSL_PROXY_VERIFY,
                    SSL_PROXY_CHECK_NAME,
                    SSL_PROXY_CHECK_CN,
                    SSL_PROXY_CHECK_EXPIRE,
                    SSL_PROXY_CA,
                    SSL_PROXY_MACHINE_FILE,
                    SSL_PROXY_MACHINE_PATH,
                    SSL_PROXY_MACHINE_CHAIN ->
                    peerTls(directive, node, server, section);
            case ADD_HANDLER -> addHandler(node, server, section);
            case ALLOW_OVERRIDE, ALLOW_OVERRIDE_LIST -> overrides(node, server, section);
            case OPTIONS -> options(node, server, section);
            case ACCESS_FILE_NAME -> {
                config.folderFiles = node.arguments();
                context.honoured(node);
            }
            case SCRIPT_ALIAS, SCRIPT_ALIAS_MATCH -> scripts(directive, node, server);
            case PASS_ENV ->
                    context.noted(
                            node,
                            "environment variables of the process are not" + " sent to peers");
            case SET_HANDLER -> handler(node, server, section);
            case LDAP_TRUSTED_GLOBAL_CERT, LDAP_TRUSTED_MODE, LDAP_VERIFY_SERVER_CERT ->
                    context.directories()
                            .read(node, section.isNone() && server.equals(config.main));
            case TIMEOUT -> timeout(node, server);
            case TRACE_ENABLE -> {
                server.trace = !node.argument(0).equalsIgnoreCase("off");
                context.honoured(node);
            }
            case KEEP_ALIVE -> {
                if (node.isOn()) {
                    context.honoured(node);
                } else {
                    context.changed(node, "keep-alive is up to the client");
                }
            }
            default -> tls.read(directive, node, server.tls, section);
        }
    }

    /// `RemoteIPHeader` and its kin.
    void client(HttpdDirective directive, HttpdNode node, HttpdServer server) {
        switch (directive) {
            case REMOTE_IP_HEADER -> {
                server.clientField = node.argument(0);
                context.honoured(node);
            }
            case REMOTE_IP_TRUSTED_PROXY -> fronts(node, node.arguments(), server.trustedFronts);
            case REMOTE_IP_INTERNAL_PROXY -> fronts(node, node.arguments(), server.internalFronts);
            case REMOTE_IP_TRUSTED_PROXY_LIST -> fronts(node, listed(node), server.trustedFronts);
            case REMOTE_IP_INTERNAL_PROXY_LIST -> fronts(node, listed(node), server.internalFronts);
            case REMOTE_IP_PROXY_PROTOCOL -> config.headers.protocol(node, server);
            case REMOTE_IP_PROXY_PROTOCOL_EXCEPTIONS -> config.headers.exceptions(node);
            case REMOTE_IP_PROXIES_HEADER -> {
                server.proxiesField = node.argument(0);
                context.honoured(node);
            }
            default -> throw new IllegalStateException(directive.word());
        }
    }

    /// The words of the file that a directive names, without comments; with none, what is no
    /// address.
    private List<String> listed(HttpdNode node) {
        Path file = context.path(node.argument(0));
        List<String> words = new ArrayList<>();
        try {
            if (file != null) {
                for (String line : TextFile.read(file, file.toString()).lines()) {
                    words.addAll(DirectiveWords.of(line.replaceFirst("#.*", "")));
                }
                return words;
            }
        } catch (IOException e) {
            // It is named below.
        }
        return List.of(node.argument(0) + ", which cannot be read");
    }

    private void fronts(HttpdNode node, List<String> words, List<String> fronts) {
        for (String text : words) {
            try {
                Object _ = Networks.of(List.of(text));
                fronts.add(text);
            } catch (IllegalArgumentException e) {
                context.wrong(
                        node,
                        "\"" + text + "\" is not an address such as 10.1.2.3," + " 10.1.0.0/16");
                return;
            }
        }
        context.honoured(node);
    }

    private void typesConfig(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (section.isNone() && server.equals(config.main)) {
            server.access.typesConfig(node);
        } else {
            context.noted(node, "has no effect here, as in httpd: it is for all servers");
        }
    }

    private void timeout(HttpdNode node, HttpdServer server) {
        Optional<Duration> time = HttpdTime.parse(node.argument(0), 1000);
        if (time.isEmpty()) {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a number of seconds");
            return;
        }
        context.honoured(node, "for clients and peers");
        server.timeout = time.get();
        config.clients.timeout(node, server, time.get());
    }

    /// `Protocols h2 h2c http/1.1`. Where nothing is said, listeners speak HTTP/2.
    private void protocols(HttpdNode node, HttpdServer server) {
        boolean http2 =
                node.arguments().stream()
                        .anyMatch(one -> one.equalsIgnoreCase("h2") || one.equalsIgnoreCase("h2c"));
        if (server.equals(config.main)) {
            config.http2 = http2;
            context.honoured(node);
        } else if (http2) {
            context.honoured(node);
        } else {
            context.changed(node, "it applies to listeners: write it outside of VirtualHost");
        }
    }

    /// `Listen [address:]port [protocol]`.
    private void listen(HttpdNode node) {
        String text = node.argument(0);
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        String host = colon < 0 ? "*" : text.substring(0, colon);
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            context.wrong(node, "\"" + text + "\" is not [ADDRESS:]PORT");
            return;
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        InetAddress literal = NodeAddress.literal(host);
        boolean every = literal != null && literal.isAnyLocalAddress();
        context.honoured(node);
        config.listens.add(
                new HttpdConfig.Listen(
                        new ListenerPlan(
                                every ? "*" : literal == null ? host : NodeAddress.text(literal),
                                Integer.parseInt(port),
                                null,
                                true,
                                false,
                                null),
                        node.argument(1).equalsIgnoreCase("https"),
                        node.place()));
    }

    private void name(HttpdNode node, HttpdServer server, String text) {
        if (node.key().equals("servername")) {
            server.namedPort = text.matches(".*:[0-9]+") ? node : null;
        }
        String name = text.toLowerCase(Locale.ROOT).replaceFirst("^[a-z]+://", "");
        if (node.key().equals("serveralias") && text.indexOf(':') >= 0) {
            // To httpd the host of a request has neither brackets nor a port.
            if (NodeAddress.literal(text) == null || text.startsWith("[")) {
                context.noted(
                        node,
                        "\""
                                + text
                                + "\" finds no host, as in httpd: write it without port and"
                                + " brackets");
                return;
            }
            name = "[" + name + "]";
        }
        int colon = name.lastIndexOf(':');
        if (colon > name.lastIndexOf(']') && colon > 0) {
            name = name.substring(0, colon);
        }
        boolean wild = name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
        if (wild && !name.matches("\\*\\.[^*?]+")) {
            if (name.equals("*")) {
                context.noted(node, "every name that no other host has");
                server.names.clear();
                return;
            }
            context.changed(
                    node, "\"" + name + "\" is neither a name nor *.name, and is not" + " served");
            return;
        }
        context.honoured(node);
        server.names.add(name);
    }

    private void alias(HttpdNode node, HttpdServer server, HttpdSection section) {
        String path = section.isLocation() ? section.argument() : node.argument(0);
        String target = node.argument(section.isLocation() ? 0 : 1);
        Path folder = context.path(target);
        if (!path.startsWith("/") || folder == null || target.isEmpty()) {
            context.wrong(node, "write Alias /path FOLDER, or FILE");
            return;
        }
        context.honoured(node);
        String prefix = path.equals("/") ? "" : path.replaceFirst("/+$", "");
        server.alias(new FilesPlan(prefix, folder), path.endsWith("/"));
    }

    /// Expressions that take all below a path are what `Alias` is; others are not followed.
    private void aliasMatch(HttpdNode node, HttpdServer server) {
        Matcher path = WHOLE_FOLDER.matcher(node.argument(0));
        String target = node.argument(1);
        Path folder =
                target.endsWith("$1")
                        ? context.path(target.substring(0, target.length() - 2))
                        : null;
        if (!path.matches() || folder == null) {
            context.changed(node, "its files are not served; use Alias /path FOLDER");
            return;
        }
        context.honoured(node);
        server.aliasMatches.add(node);
        server.alias(new FilesPlan(path.group(1).replaceFirst("/+$", ""), folder), false);
    }

    /// Its programs are not run, and no file that another directive serves there is sent.
    private void scripts(HttpdDirective directive, HttpdNode node, HttpdServer server) {
        String path = node.argument(0);
        boolean regex = directive == HttpdDirective.SCRIPT_ALIAS_MATCH;
        if (regex && !Expressions.check(node, path, context.account())) {
            return;
        }
        PathMatch match =
                regex ? new PathMatch.Regex(path, false, false) : new PathMatch.Prefix(path);
        server.scripts.add(GatewayRule.of(match, new RuleAction.Refuse(404)));
        Path folder = regex ? null : context.path(node.argument(1));
        if (folder != null) {
            String plain = folder.toAbsolutePath().normalize().toString();
            HttpdAccess programs = new HttpdAccess(new SectionMatch.Literal(plain), context);
            programs.whole(() -> FileHandler.PROGRAM);
            server.folders.add(programs);
        }
        context.changed(node, "programs are not run: its URLs get 404");
    }

    private void log(HttpdNode node, HttpdServer server) {
        String format = node.argument(1);
        String condition =
                node.arguments().stream()
                        .skip(1)
                        .filter(word -> word.startsWith("env=") || word.startsWith("expr="))
                        .findFirst()
                        .orElse("");
        Path path = context.log(node, node.argument(0));
        if (path == null) {
            return;
        }
        List<Condition> when = new ArrayList<>();
        if (condition.startsWith("env=")) {
            boolean not = condition.startsWith("!", 4);
            Condition set = context.variables().isSet(condition.substring(not ? 5 : 4));
            when.add(new Condition(set.value(), set.regex(), set.anyCase(), not, false));
        } else if (!condition.isEmpty()) {
            HttpdExpression.conditions(condition.substring(5), context.variables())
                    .ifPresent(when::addAll);
        }
        if (when.isEmpty() && !condition.isEmpty()) {
            context.changed(node, "all requests are logged: the condition is not understood");
        } else {
            context.honoured(node);
        }
        long rotateBytes = ReadingContext.rotateBytes(node.argument(0));
        server.logs.add(new LogPlan(path, format(node, format), when, rotateBytes));
    }

    /// What a line looks like: by its nickname, by the format itself, or as `LogFormat` says.
    private String format(HttpdNode node, String word) {
        String byDefault = config.logFormats.getOrDefault("", "common");
        boolean none = word.isEmpty() || word.startsWith("env=") || word.startsWith("expr=");
        String format = none ? byDefault : config.logFormats.getOrDefault(word, word);
        try {
            Object _ = LogFormat.of(format);
            VARIABLE.matcher(format)
                    .results()
                    .forEach(found -> context.variables().reference(found.group(1)));
            Matcher unknown = UNKNOWN.matcher(format);
            if (unknown.find()) {
                boolean id = unknown.group().endsWith("L");
                context.changed(
                        node,
                        unknown.group() + (id ? " is never empty" : " is not known here: it is -"));
            }
            return format;
        } catch (LogFormatException e) {
            context.changed(node, e.getMessage() + ": the combined format is used");
            return "combined";
        }
    }

    private void peerTls(
            HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case SSL_PROXY_VERIFY,
                    SSL_PROXY_CHECK_NAME,
                    SSL_PROXY_CHECK_CN,
                    SSL_PROXY_CHECK_EXPIRE ->
                    server.peerChecks.read(directive, node, section, context);
            case SSL_PROXY_CA -> tls.file(node).ifPresent(server.peerChecks::trust);
            case SSL_PROXY_MACHINE_FILE -> shown.file(node);
            case SSL_PROXY_MACHINE_PATH -> shown.folder(node);
            case SSL_PROXY_MACHINE_CHAIN -> shown.chain(node);
            case SSL_PROXY_ENGINE -> context.honoured(node, "TLS is used with https:// peers");
            default -> throw new IllegalStateException(directive.word());
        }
    }

    private void access(HttpdNode node, HttpdServer server, HttpdSection section) {
        boolean anywhere = node.key().equals("sslusername");
        if (section.isNone() && !anywhere) {
            context.account()
                    .wrong(node.place(), node.title(), "belongs in a section, as in" + " httpd");
            return;
        }
        config.access(section, server).read(node, Methods.ALL);
    }

    private void options(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (section.kind() == HttpdSection.Kind.DIRECTORY || section.isNone()) {
            config.access(section, server).read(node, Methods.ALL);
        } else {
            config.access(section, server).listsHere(node);
        }
    }

    /// What is about some files is so below the path of its section, as in httpd.
    private void listing(HttpdNode node, HttpdServer server, HttpdSection section) {
        String path = section.isNone() || section.isConditional() ? "" : section.argument();
        boolean folder = context.isOfFolder() && !path.endsWith("/");
        config.access(section, server).listed(node, folder ? path + "/" : path);
    }

    private void overrides(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (section.kind() != HttpdSection.Kind.DIRECTORY) {
            context.noted(node, "has no effect here, as in httpd: it belongs in a Directory");
        } else {
            config.access(section, server).read(node, Methods.ALL);
            config.readsFolders |= !node.text().equalsIgnoreCase("none");
        }
    }

    private void handler(HttpdNode node, HttpdServer server, HttpdSection section) {
        String handler = node.argument(0);
        Optional<RuleAction.Page.Kind> page =
                switch (handler.toLowerCase(Locale.ROOT)) {
                    case "server-status" -> Optional.of(RuleAction.Page.Kind.SERVER_STATUS);
                    case "balancer-manager" -> Optional.of(RuleAction.Page.Kind.BALANCER_MANAGER);
                    default -> Optional.empty();
                };
        boolean hasPaths =
                section.isLocation()
                        || section.isConditional()
                        || section.kind() == HttpdSection.Kind.FILES;
        if (page.isPresent() && hasPaths) {
            server.handlers.add(
                    new GatewayRule(
                            section.match(),
                            List.of(),
                            section.conditions(),
                            new RuleAction.Page(
                                    page.get(),
                                    "",
                                    page.get() == RuleAction.Page.Kind.BALANCER_MANAGER)));
            context.honoured(node);
        } else if (isProxy(handler)) {
            HttpdServer.Pass pass = proxyHandler(node, section, handler);
            if (pass != null) {
                config.access(section, server).whole(() -> config.handler(pass));
                if (hasPaths) {
                    server.handled.add(pass);
                }
            }
        } else if (handler.equalsIgnoreCase("none")
                || handler.equalsIgnoreCase("default-handler")) {
            config.access(section, server).noPrograms(node, !handler.equalsIgnoreCase("none"));
        } else {
            config.access(section, server).programs(node);
        }
    }

    /// Whether a handler, or a type that is one, passes files to a peer, where that is followed.
    private boolean isProxy(String handler) {
        if (!handler.regionMatches(true, 0, "proxy:", 0, 6)) {
            return false;
        }
        return !context.isOfFolder()
                || ProxyUrl.parse(handler.substring(6)).filter(ProxyUrl::isProgram).isPresent();
    }

    /// `AddHandler NAME ENDING…`, and `AddType` with what is a handler to httpd.
    private void addHandler(HttpdNode node, HttpdServer server, HttpdSection section) {
        String handler = node.argument(0);
        HttpdServer.Pass pass = isProxy(handler) ? proxyHandler(node, section, handler) : null;
        if (pass == null) {
            config.access(section, server).read(node, Methods.ALL);
        } else {
            config.access(section, server)
                    .endings(node.arguments().subList(1, node.size()), () -> config.handler(pass));
        }
    }

    /// What runs files; null where that is wrong.
    private HttpdServer.@Nullable Pass proxyHandler(
            HttpdNode node, HttpdSection section, String handler) {
        String text = handler.substring(6);
        Optional<ProxyUrl> url = ProxyUrl.parse(text);
        if (url.isEmpty() || (!url.get().isBalancer() && url.get().address().isEmpty())) {
            context.wrong(node, "\"" + text + "\" is not the URL of a peer");
            return null;
        }
        if (section.match() instanceof PathMatch.Regex regex
                && !Expressions.check(node, regex.regex(), context.account())) {
            return null;
        }
        if (url.get().isBalancer() || url.get().scheme().equals("fcgi")) {
            context.honoured(node);
        } else {
            context.changed(
                    node, "a peer gets the path of the URL, where httpd sends that of the file");
        }
        context.variables().useAll();
        return HttpdServerPassBuilder.builder()
                .match(section.match())
                .url(url.get())
                .parameters(new ProxyParameters(node.place(), node.name(), context.account()))
                .query(RuleAction.Query.KEEP)
                .conditions(section.conditions())
                .place(node.place())
                .build();
    }
}
