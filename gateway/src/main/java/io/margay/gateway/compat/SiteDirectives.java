package io.margay.gateway.compat;

import io.margay.gateway.compat.GatewayPlan.FilesPlan;
import io.margay.gateway.compat.GatewayPlan.ListenerPlan;
import io.margay.gateway.compat.GatewayPlan.LogPlan;
import io.margay.gateway.proxy.TlsFact;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.server.log.LogFormat;
import io.margay.server.log.LogFormatException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads what concerns listeners, names, files, logs, TLS, access and variables. Confined to one
/// reading.
final class SiteDirectives {
    private static final Map<String, String> ATTRIBUTES =
            Map.of(
                    "request_uri", "%{REQUEST_URI}",
                    "request_method", "%{REQUEST_METHOD}",
                    "remote_addr", "%{REMOTE_ADDR}",
                    "server_addr", "");

    private final HttpdReader reader;

    SiteDirectives(HttpdReader reader) {
        this.reader = reader;
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case LISTEN -> listen(node);
            case SERVER_NAME -> name(node, server, node.argument(0));
            case SERVER_ALIAS -> node.arguments().forEach(name -> name(node, server, name));
            case DOCUMENT_ROOT -> {
                server.documentRoot = node.argument(0);
                reader.honoured(node);
            }
            case DIRECTORY_INDEX -> index(node, server);
            case ALIAS -> alias(node, server, section);
            case CUSTOM_LOG, TRANSFER_LOG -> log(node, server);
            case LOG_FORMAT -> {
                if (node.size() > 1) {
                    reader.logFormats.put(node.argument(1), node.argument(0));
                } else {
                    reader.logFormats.put("", node.argument(0));
                }
                reader.honoured(node);
            }
            case ERROR_LOG, LOG_LEVEL ->
                    reader.noted(node, "messages go to stderr; --log LEVEL says how many");
            case SSL_ENGINE,
                    SSL_CERTIFICATE_FILE,
                    SSL_CERTIFICATE_KEY_FILE,
                    SSL_VERIFY_CLIENT,
                    SSLCA_CERTIFICATE_FILE,
                    SSL_PROTOCOL,
                    SSL_PROXY_ENGINE,
                    SSL_PROXY_VERIFY,
                    SSL_PROXY_CA ->
                    tls(directive, node, server);
            case REQUIRE, REQUIRE_ALL, REQUIRE_ANY, ORDER, ALLOW, DENY, SATISFY ->
                    access(node, server, section);
            case SET_ENV -> setEnv(node, server, section);
            case SET_ENV_IF, SET_ENV_IF_NO_CASE ->
                    setEnvIf(node, server, directive == HttpdDirective.SET_ENV_IF_NO_CASE);
            case PASS_ENV -> reader.noted(node, "variables of the process are not sent to peers");
            case REQUEST_HEADER -> requestHeader(node, server, section);
            case SET_HANDLER -> handler(node, server, section);
            case TIMEOUT -> server.timeout = seconds(node);
            case KEEP_ALIVE -> {
                if (node.isOn()) {
                    reader.honoured(node);
                } else {
                    reader.changed(node, "connections are kept as clients ask for it");
                }
            }
            case KEEP_ALIVE_TIMEOUT ->
                    reader.noted(node, "limits.connection.idle-timeout in margay.yaml says it");
            default -> throw new IllegalStateException(directive.word());
        }
    }

    private Duration seconds(HttpdNode node) {
        Optional<Duration> time = HttpdTime.parse(node.argument(0), 1000);
        if (time.isPresent()) {
            reader.honoured(node, "the time that peers may take");
        } else {
            reader.wrong(node, "\"" + node.argument(0) + "\" is no number of seconds");
        }
        return time.orElse(Duration.ofSeconds(60));
    }

    /// `Listen [address:]port [protocol]`.
    private void listen(HttpdNode node) {
        String text = node.argument(0);
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        String host = colon < 0 ? "*" : text.substring(0, colon);
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            reader.wrong(node, "\"" + text + "\" is no [ADDRESS:]PORT");
            return;
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        reader.honoured(node);
        reader.listens.add(
                new HttpdReader.Listen(
                        new ListenerPlan(
                                host.equals("0.0.0.0") || host.equals("::") ? "*" : host,
                                Integer.parseInt(port),
                                null),
                        node.argument(1).equalsIgnoreCase("https"),
                        node.place()));
    }

    private void name(HttpdNode node, HttpdServer server, String text) {
        String name = text.toLowerCase(Locale.ROOT).replaceFirst("^[a-z]+://", "");
        int colon = name.lastIndexOf(':');
        if (colon > name.lastIndexOf(']') && colon > 0) {
            name = name.substring(0, colon);
        }
        boolean wild = name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
        if (wild && !name.matches("\\*\\.[^*?]+")) {
            if (name.equals("*")) {
                reader.noted(node, "every name that no other host has");
                server.names.clear();
                return;
            }
            reader.changed(node, "\"" + name + "\" is no name and no *.name: it is not served");
            return;
        }
        reader.honoured(node);
        server.names.add(name);
    }

    private void index(HttpdNode node, HttpdServer server) {
        server.index = new ArrayList<>(node.arguments());
        if (node.argument(0).equalsIgnoreCase("index.html")
                || node.size() == 0
                || node.argument(0).equalsIgnoreCase("disabled")
                || node.argument(0).endsWith(".php")) {
            reader.honoured(node);
        } else {
            reader.changed(node, "a folder's page is index.html");
        }
    }

    private void alias(HttpdNode node, HttpdServer server, HttpdSection section) {
        String path = section.isLocation() ? section.argument() : node.argument(0);
        String target = node.argument(section.isLocation() ? 0 : 1);
        Path folder = reader.path(target);
        if (!path.startsWith("/") || folder == null || target.isEmpty()) {
            reader.wrong(node, "write Alias /path FOLDER");
            return;
        }
        reader.honoured(node);
        String prefix = path.equals("/") ? "" : path.replaceFirst("/+$", "");
        server.aliases.add(new FilesPlan(prefix, folder));
    }

    private void log(HttpdNode node, HttpdServer server) {
        String format = node.argument(1);
        boolean conditional =
                node.arguments().stream()
                        .skip(1)
                        .anyMatch(word -> word.startsWith("env=") || word.startsWith("expr="));
        Path path = reader.log(node, node.argument(0));
        if (path == null) {
            return;
        }
        if (conditional) {
            reader.changed(node, "every request is logged: conditions are not asked");
        } else {
            reader.honoured(node);
        }
        server.logs.add(new LogPlan(path, format(node, format)));
    }

    /// What a line looks like: by its nickname, by the format itself, or as `LogFormat` says.
    private String format(HttpdNode node, String word) {
        String byDefault = reader.logFormats.getOrDefault("", "common");
        boolean none = word.isEmpty() || word.startsWith("env=") || word.startsWith("expr=");
        String format = none ? byDefault : reader.logFormats.getOrDefault(word, word);
        try {
            Object _ = LogFormat.of(format);
            return format;
        } catch (LogFormatException e) {
            reader.changed(node, e.getMessage() + ": the format is combined");
            return "combined";
        }
    }

    private void tls(HttpdDirective directive, HttpdNode node, HttpdServer server) {
        switch (directive) {
            case SSL_ENGINE -> {
                server.tls = node.isOn();
                reader.honoured(node);
            }
            case SSL_CERTIFICATE_FILE -> file(node).ifPresent(server.certificates::add);
            case SSL_CERTIFICATE_KEY_FILE -> file(node).ifPresent(server.keys::add);
            case SSLCA_CERTIFICATE_FILE -> file(node).ifPresent(path -> server.trust = path);
            case SSL_VERIFY_CLIENT -> {
                server.clientAuth =
                        switch (node.argument(0).toLowerCase(Locale.ROOT)) {
                            case "require" -> "need";
                            case "optional", "optional_no_ca" -> "want";
                            default -> "none";
                        };
                reader.honoured(node);
            }
            case SSL_PROTOCOL -> {
                server.protocols = protocols(node);
                reader.honoured(node, "of TLS 1.2 and 1.3 those that it allows");
            }
            case SSL_PROXY_VERIFY -> {
                reader.workers.verify(node.argument(0).equalsIgnoreCase("require"));
                reader.honoured(node, "of every https:// peer");
            }
            case SSL_PROXY_CA -> file(node).ifPresent(reader.workers::trust);
            case SSL_PROXY_ENGINE -> reader.honoured(node, "https:// peers are spoken to by TLS");
            default -> throw new IllegalStateException(directive.word());
        }
    }

    private Optional<Path> file(HttpdNode node) {
        Path path = reader.path(node.argument(0));
        if (path == null) {
            reader.wrong(node, "\"" + node.argument(0) + "\" is no path");
            return Optional.empty();
        }
        reader.honoured(node);
        return Optional.of(path);
    }

    private static List<String> protocols(HttpdNode node) {
        boolean two = false;
        boolean three = false;
        for (String word : node.arguments()) {
            boolean on = !word.startsWith("-");
            String name = word.replaceFirst("^[+-]", "").toLowerCase(Locale.ROOT);
            if (name.equals("all") || name.equals("tlsv1.2")) {
                two = on;
            }
            if (name.equals("all") || name.equals("tlsv1.3")) {
                three = on;
            }
        }
        List<String> protocols = new ArrayList<>();
        if (three) {
            protocols.add("TLSv1.3");
        }
        if (two) {
            protocols.add("TLSv1.2");
        }
        return protocols;
    }

    private void access(HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (section.kind()) {
            case LOCATION -> {
                HttpdAccess access =
                        server.access.stream()
                                .filter(one -> one.section.equals(section))
                                .findFirst()
                                .orElseGet(() -> {
                                    HttpdAccess made = new HttpdAccess(section, reader.account);
                                    server.access.add(made);
                                    return made;
                                });
                access.read(node);
            }
            case DIRECTORY -> reader.directory(section).read(node);
            default -> {
                HttpdAccess access = new HttpdAccess(section, reader.account);
                access.read(node);
                boolean files = section.kind() == HttpdSection.Kind.FILES;
                if (access.isLimited() && files) {
                    server.access.add(access);
                } else if (access.isLimited()) {
                    reader.wrong(node, "write it into a Location: it would not hold here");
                }
            }
        }
    }

    private void setEnv(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.argument(0).equals("no-jk")) {
            server.noJk.add(GatewayRule.of(section.match(), new RuleAction.Leave()));
            reader.honoured(node);
            return;
        }
        server.environment.put(node.argument(0), node.argument(1));
        if (section.isNone()) {
            reader.honoured(node, "sent to peers where JkEnvVar or the prefix AJP_ asks for it");
        } else {
            reader.changed(node, "holds for the whole host, not for the section alone");
        }
    }

    /// `SetEnvIf attribute regex [!]variable[=value]…`, for `no-jk` alone.
    private void setEnvIf(HttpdNode node, HttpdServer server, boolean anyCase) {
        String attribute = node.argument(0);
        List<String> variables =
                node.arguments().stream()
                        .skip(2)
                        .map(word -> word.replaceFirst("=.*", ""))
                        .toList();
        if (!variables.contains("no-jk")) {
            reader.changed(node, "variables of a request are not set; no-jk alone is followed");
            return;
        }
        String value =
                ATTRIBUTES.getOrDefault(
                        attribute.toLowerCase(Locale.ROOT), "%{HTTP:" + attribute + "}");
        GatewayRule rule =
                new GatewayRule(
                        PathMatch.ANY,
                        List.of(),
                        List.of(new Condition(value, node.argument(1), anyCase, false, false)),
                        new RuleAction.Leave());
        if (Expressions.check(node, rule, reader.account)) {
            server.noJk.add(rule);
            reader.honoured(node);
        }
    }

    /// The variables of mod_ssl that a field can be set to.
    private static final Map<String, TlsFact> TLS_VARIABLES =
            Map.ofEntries(
                    Map.entry("SSL_CLIENT_CERT", TlsFact.PEM),
                    Map.entry("SSL_CLIENT_S_DN", TlsFact.SUBJECT),
                    Map.entry("SSL_CLIENT_I_DN", TlsFact.ISSUER),
                    Map.entry("SSL_CLIENT_M_SERIAL", TlsFact.SERIAL),
                    Map.entry("SSL_CLIENT_VERIFY", TlsFact.VERIFY),
                    Map.entry("SSL_CIPHER", TlsFact.CIPHER),
                    Map.entry("SSL_CIPHER_USEKEYSIZE", TlsFact.KEY_BITS),
                    Map.entry("SSL_PROTOCOL", TlsFact.PROTOCOL),
                    Map.entry("SSL_SESSION_ID", TlsFact.SESSION));

    private static final Pattern TLS_VARIABLE = Pattern.compile("%\\{([A-Z_]+)\\}[se]");
    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /// What is set of TLS, and what is taken away before; whether it was that.
    private static boolean tlsField(HttpdNode node, HttpdServer server) {
        String name = node.argument(1);
        if (!FIELD_NAME.matcher(name).matches()) {
            return false;
        }
        if (node.size() == 2 && node.argument(0).equalsIgnoreCase("unset")) {
            TlsFact _ = server.tlsFields.putIfAbsent(name, TlsFact.NONE);
            return true;
        }
        Matcher variable = TLS_VARIABLE.matcher(node.argument(2));
        if (node.size() != 3
                || !node.argument(0).equalsIgnoreCase("set")
                || !variable.matches()
                || !TLS_VARIABLES.containsKey(variable.group(1))) {
            return false;
        }
        server.tlsFields.put(name, TLS_VARIABLES.get(variable.group(1)));
        return true;
    }

    private static boolean isEverywhere(HttpdSection section) {
        return section.isNone()
                || (section.isLocation() && section.match().equals(new PathMatch.Prefix("/")));
    }

    /// The gateway itself says by which protocol the client came.
    private void requestHeader(HttpdNode node, HttpdServer server, HttpdSection section) {
        boolean proto =
                node.argument(0).equalsIgnoreCase("set")
                        && node.argument(1).equalsIgnoreCase("X-Forwarded-Proto");
        String value = node.argument(2).toLowerCase(Locale.ROOT);
        if (proto && value.equals("expr=%{request_scheme}")) {
            reader.honoured(node, "sent to HTTP peers");
        } else if (proto && value.equals(server.tls ? "https" : "http")) {
            reader.honoured(node, "sent to HTTP peers");
        } else if (isEverywhere(section) && tlsField(node, server)) {
            reader.honoured(node);
        } else {
            reader.changed(node, "the field is sent as the client sends it");
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
        boolean hasPaths = section.isLocation() || section.kind() == HttpdSection.Kind.FILES;
        if (page.isPresent() && hasPaths) {
            server.handlers.add(
                    GatewayRule.of(section.match(), new RuleAction.Page(page.get(), "")));
            reader.honoured(node);
        } else if (handler.regionMatches(true, 0, "proxy:", 0, 6) && hasPaths) {
            proxyHandler(node, server, section, handler.substring(6));
        } else if (handler.equalsIgnoreCase("none")
                || handler.equalsIgnoreCase("default-handler")) {
            reader.noted(node, "files are sent as they are");
        } else {
            reader.changed(node, "there is no handler " + handler + ": it is passed over");
        }
    }

    private void proxyHandler(
            HttpdNode node, HttpdServer server, HttpdSection section, String text) {
        Optional<ProxyUrl> url = ProxyUrl.parse(text);
        if (url.isEmpty() || (!url.get().isBalancer() && url.get().address().isEmpty())) {
            reader.wrong(node, "\"" + text + "\" is no URL of a peer");
            return;
        }
        if (section.match() instanceof PathMatch.Regex regex
                && !Expressions.check(node, regex.regex(), reader.account)) {
            return;
        }
        reader.honoured(node);
        server.handled.add(
                new HttpdServer.Pass(
                        section.match(),
                        url.get(),
                        new ProxyParameters(node.place(), node.name(), reader.account),
                        false,
                        RuleAction.Query.KEEP,
                        List.of(),
                        false,
                        node.place()));
    }
}
