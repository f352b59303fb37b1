package io.margay.app.migrate;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.CatalinaHost;
import io.margay.app.config.HostSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.file.FileShape;
import io.margay.gateway.access.FolderPages;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleAction;
import io.margay.protocol.http.PathReading;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.config.PublicAddress;
import io.margay.server.forwarded.FrontEndTrust;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.transport.TlsConfig;
import io.margay.transport.unix.SocketAccess;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Writes listeners, hosts and upstreams as `margay.yaml`; what holds by default is left out, so
/// that reading gives the same configuration. Confined to one thread.
public final class ConfigWriter {
    private final StringBuilder out = new StringBuilder();

    /// Files of certificates that the server gets by itself.
    private final Set<Path> ownFiles;

    /// Those of them that stand in no host yet.
    private final Deque<AcmeCertificate> own;

    private ConfigWriter(AcmeConfig acme) {
        own = new ArrayDeque<>(acme.certificates());
        ownFiles =
                own.stream()
                        .map(one -> one.file(acme.storage()))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /// The file.
    public static String write(MargayConfig config) {
        ConfigWriter writer = new ConfigWriter(config.acme());
        writer.out.append("listeners:\n");
        config.listeners().forEach(writer::listener);
        writer.out.append("hosts:\n");
        config.hosts().forEach(writer::host);
        writer.own.forEach(one ->
                writer.out
                        .append("# no host shows the certificate of ")
                        .append(one.domains().getFirst())
                        .append('\n'));
        if (!config.acme().isEmpty()) {
            String storage = YamlLine.quote(config.acme().storage().toString());
            writer.out.append("acme: {storage: ").append(storage).append("}\n");
        }
        if (!config.upstreams().isEmpty()) {
            writer.out.append("upstreams:\n");
            config.upstreams().values().forEach(writer::upstream);
        }
        writer.limits(FileShape.changed(config.limits(), !config.upstreams().isEmpty()));
        ServerLines.write(config, writer.out);
        return writer.out.toString();
    }

    private void limits(Map<String, Map<String, String>> sections) {
        if (!sections.isEmpty()) {
            out.append("limits:\n");
        }
        sections.forEach((name, limits) -> {
            YamlLine line = new YamlLine();
            limits.forEach(line::raw);
            out.append("  ").append(name).append(": ").append(line).append('\n');
        });
    }

    private void listener(ListenerSettings listener) {
        YamlLine line = new YamlLine();
        line.text(listener.scheme(), listener.endpoint().toString());
        if (listener.transport() != TransportChoice.AUTO) {
            line.text("transport", listener.transport().word());
        }
        line.number("backlog", listener.backlog(), ListenerSettings.BACKLOG_DEFAULT);
        var ajp = listener.ajp();
        if (ajp != null) {
            if (ajp.config().secret() == null) {
                line.flag("secret-required", false, true);
            } else {
                line.text("secret", ajp.config().secret());
            }
            line.number("packet-size", ajp.config().limits().packetBytesMax(), 8192);
            line.flag("trust-remote-user", ajp.config().trustRemoteUser(), true);
            if (ajp.config().allowedRequestAttributes() != null) {
                line.text(
                        "allowed-request-attributes",
                        ajp.config().allowedRequestAttributes().pattern());
            }
        }
        TlsConfig tls = listener.tls();
        if (tls != null) {
            TlsLines.write(tls, ownFiles, line);
        }
        line.number(
                "connections-max",
                listener.connectionsMax(),
                ListenerSettings.CONNECTIONS_MAX_DEFAULT);
        line.number(
                "connections-per-address-max",
                listener.perAddressMax(),
                ajp == null ? ListenerSettings.PER_ADDRESS_MAX_DEFAULT : 0);
        if (!listener.characters().path().isEmpty()) {
            line.text("relaxed-path-chars", listener.characters().path());
        }
        if (!listener.characters().query().isEmpty()) {
            line.text("relaxed-query-chars", listener.characters().query());
        }
        address(listener.address(), line);
        if (!listener.proxyProtocol().trusted().isEmpty()) {
            line.texts("proxy-protocol", listener.proxyProtocol().trusted());
        }
        if (!listener.proxyProtocol().except().isEmpty()) {
            line.texts("proxy-protocol-except", listener.proxyProtocol().except());
        }
        access(listener.access(), line);
        out.append("  - ").append(line).append('\n');
    }

    private static void access(SocketAccess access, YamlLine line) {
        if (!access.permissions().equals(SocketAccess.defaults().permissions())) {
            line.text("socket-mode", PosixFilePermissions.toString(access.permissions()));
        }
        if (access.owner() != null) {
            line.text("socket-owner", access.owner());
        }
        if (access.group() != null) {
            line.text("socket-group", access.group());
        }
    }

    private static void address(PublicAddress address, YamlLine line) {
        if (address.scheme() != null) {
            line.text("scheme", address.scheme());
        }
        line.flag("secure", address.secure(), "https".equals(address.scheme()));
        if (address.host() != null) {
            line.text("proxy-name", address.host());
        }
        line.number("proxy-port", address.port(), 0);
        FrontEndTrust trust = address.forwarded();
        if (trust != null) {
            YamlLine told = new YamlLine();
            told.texts("from", trust.from());
            told.text("as", trust.dialect().word());
            told.texts("take", trust.ordered().stream().map(FrontEndTrust.Part::word).toList());
            line.raw("forwarded", told.toString());
        }
    }

    private void host(HostSettings host) {
        String name = host.names().isEmpty() ? "any name" : host.names().getFirst();
        out.append("  - # ").append(name).append('\n');
        if (!host.names().isEmpty()) {
            key("name", YamlLine.quote(name));
        }
        if (host.names().size() > 1) {
            key("aliases", YamlLine.list(host.names().subList(1, host.names().size())));
        }
        if (!host.at().isEmpty()) {
            key("at", YamlLine.list(host.at().stream().map(Object::toString).toList()));
        }
        if (!own.isEmpty()) {
            key("acme", AcmeLines.of(own.remove()));
        }
        PathReading paths = host.paths().whole();
        if (paths.slash() != PathReading.STRICT.slash()) {
            key("encoded-slashes", paths.slash().word());
        }
        if (paths.backslash()) {
            key("backslashes", "slash");
        }
        AccessLogSettings log = host.accessLog();
        if (log != null) {
            key("access-log", log(log));
        }
        if (!host.furtherLogs().isEmpty()) {
            out.append("    further-logs:\n");
            host.furtherLogs()
                    .forEach(more -> out.append("      - ").append(log(more)).append('\n'));
        }
        if (!host.rules().isEmpty()) {
            out.append("    rules:\n");
            host.rules().forEach(rule -> out.append("      - ").append(rule(rule)).append('\n'));
        } else if (host.routes().isEmpty()) {
            key("rules", "[]");
        }
        AccessLines.write(host.access(), out);
        HostChangeLines.write(host.changes(), out);
        CatalinaHost catalina = host.catalina();
        if (catalina != null) {
            key(
                    "catalina",
                    new YamlLine()
                            .text("base", catalina.base().toString())
                            .text("host", catalina.name())
                            .toString());
        }
        routes(host);
    }

    private void routes(HostSettings host) {
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.Webapps(Path folder)) {
                key("webapps", YamlLine.quote(folder.toString()));
            }
        }
        List<RouteSettings> listed =
                host.routes().stream().filter(r -> !(r instanceof RouteSettings.Webapps)).toList();
        if (!listed.isEmpty()) {
            out.append("    routes:\n");
        }
        for (RouteSettings route : host.routes()) {
            switch (route) {
                case RouteSettings.App app -> {
                    YamlLine line = new YamlLine().text("app", app.app().toString());
                    if (!app.params().isEmpty()) {
                        line.map("params", app.params());
                    }
                    boolean named = WebAppsFolder.named(app.app()).version().equals(app.version());
                    route(named ? app.contextPath() : app.at().toString(), line);
                }
                case RouteSettings.StaticFiles files -> {
                    YamlLine line = new YamlLine().text("files", files.folder().toString());
                    line.flag("dot-files", files.dotFiles(), false);
                    if (!files.pages().index().equals(FolderPages.DEFAULT.index())) {
                        line.texts("index", files.pages().index());
                    }
                    String fallback = files.pages().fallback();
                    route(
                            files.prefix(),
                            fallback == null ? line : line.text("fallback", fallback));
                }
                case RouteSettings.Gateway gateway ->
                        route(gateway.prefix(), new YamlLine().text("gateway", gateway.upstream()));
                case RouteSettings.Status status -> {
                    YamlLine line = new YamlLine().text("status", status.page().word());
                    if (status.token() != null) {
                        line.text("token", status.token());
                    }
                    if (status.state() != null) {
                        line.text("state", status.state().toString());
                    }
                    route(status.prefix(), line);
                }
                case RouteSettings.Webapps _ -> {
                    // Written before the routes.
                }
            }
        }
    }

    private void route(String path, YamlLine line) {
        out.append("      ").append(YamlLine.quote(path.isEmpty() ? "/" : path));
        out.append(": ").append(line).append('\n');
    }

    private void key(String name, String value) {
        out.append("    ").append(name).append(": ").append(value).append('\n');
    }

    private static String log(AccessLogSettings log) {
        YamlLine line =
                new YamlLine().text("file", log.file().toString()).text("format", log.format());
        line.number("rotate-at", log.rotateBytes(), 0);
        when(line, log.when());
        return line.toString();
    }

    // Rules

    /// A rule.
    static String rule(GatewayRule rule) {
        YamlLine line = new YamlLine();
        match(line, rule.match());
        if (!rule.except().isEmpty()) {
            line.texts("except", rule.except());
        }
        when(line, rule.when());
        action(line, rule.action());
        if (!rule.sets().isEmpty()) {
            YamlLine sets = new YamlLine();
            rule.sets().forEach(one -> sets.text(one.name(), String.valueOf(one.value())));
            line.raw("set", sets.toString());
        }
        return line.toString();
    }

    /// Which paths are meant.
    static void match(YamlLine line, GatewayRule.PathMatch match) {
        switch (match) {
            case GatewayRule.PathMatch.Glob(String pattern) -> line.text("path", pattern);
            case GatewayRule.PathMatch.Prefix(String path) -> line.text("prefix", path);
            case GatewayRule.PathMatch.Regex(String regex, boolean anyCase, boolean not) ->
                    line.text("regex", regex)
                            .flag("any-case", anyCase, false)
                            .flag("not", not, false);
        }
    }

    /// What must hold, too.
    static void when(YamlLine line, List<GatewayRule.Condition> when) {
        if (!when.isEmpty()) {
            List<String> conditions = when.stream().map(ConfigWriter::condition).toList();
            line.raw("when", "[" + String.join(", ", conditions) + "]");
        }
    }

    private static String condition(GatewayRule.Condition condition) {
        return new YamlLine()
                .text("value", condition.value())
                .text("regex", condition.regex())
                .flag("any-case", condition.anyCase(), false)
                .flag("not", condition.not(), false)
                .flag("or", condition.or(), false)
                .toString();
    }

    private static void action(YamlLine line, RuleAction action) {
        switch (action) {
            case RuleAction.Forward forward -> {
                line.text("to", forward.upstream());
                if (forward.target() != null) {
                    line.text("target", forward.target());
                }
                line.flag("raw", forward.raw(), false);
                query(line, forward.query());
                forward(line, forward.rules());
            }
            case RuleAction.Leave _ -> line.flag("leave", true, false);
            case RuleAction.Settle _ -> line.flag("settle", true, false);
            case RuleAction.Refuse(int status) -> line.number("refuse", status, 0);
            case RuleAction.Skip(int rules) -> line.number("skip", rules, -1);
            case RuleAction.Redirect(int status, String target, RuleAction.Query query) -> {
                line.number("redirect", status, 0).text("target", target);
                query(line, query);
            }
            case RuleAction.Rewrite(
                            String target,
                            RuleAction.Query query,
                            int skip,
                            boolean end) -> {
                line.text("rewrite", target).number("skip", skip, 0).flag("end", end, false);
                query(line, query);
            }
            case RuleAction.Page(RuleAction.Page.Kind kind, String worker, boolean changes) -> {
                line.text("page", lower(kind).replace('_', '-'));
                if (!worker.isEmpty()) {
                    line.text("worker", worker);
                }
                line.flag("changes", changes, false);
            }
        }
    }

    private static void query(YamlLine line, RuleAction.Query query) {
        if (query != RuleAction.Query.KEEP) {
            line.text("query", lower(query));
        }
    }

    private static void forward(YamlLine line, ProxyRules rules) {
        if (!rules.keepHost()) {
            line.text("host-header", "peer");
        }
        String forwarded =
                rules.forwarded()
                        ? rules.standardForwarded() ? "both" : "x-forwarded"
                        : rules.standardForwarded() ? "standard" : "none";
        if (!forwarded.equals("x-forwarded")) {
            line.text("forwarded", forwarded);
        }
        line.flag("pass-forwarded", rules.passForwarded(), false);
        line.flag("upgrade", rules.upgrade(), true);
        replacements(line, "reverse", rules.reverse());
        replacements(line, "cookie-domains", rules.cookieDomains());
        replacements(line, "cookie-paths", rules.cookiePaths());
        Duration reply = rules.replyTimeout();
        if (reply != null) {
            line.text("reply-timeout", reply.toMillis() + "ms");
        }
        ProxyRules.SelectionRules selection = rules.selection();
        line.flag("stateless", selection.stateless(), false)
                .flag("ignore-sessions", selection.ignoreSessions(), false);
        if (!selection.activations().isEmpty()) {
            Map<String, String> words = new TreeMap<>();
            selection.activations().forEach((peer, to) -> words.put(peer, lower(to)));
            line.map("activations", words);
        }
        if (selection.sessionCookie() != null) {
            line.text("session-cookie", selection.sessionCookie());
        }
        if (selection.sessionParameter() != null) {
            line.text("session-parameter", selection.sessionParameter());
        }
        if (selection.setCookie() != null) {
            line.text("session-set-cookie", selection.setCookie());
        }
        if (selection.setCookiePath() != null) {
            line.text("session-set-cookie-path", selection.setCookiePath());
        }
        if (rules.failStatuses() != null) {
            line.raw("fail-statuses", rules.failStatuses().toString());
        }
        if (rules.softFailStatuses() != null) {
            line.raw("soft-fail-statuses", rules.softFailStatuses().toString());
        }
        line.number("error-pages-from", rules.overrideStatuses(), 0);
        if (!rules.attributes().isEmpty()) {
            line.map("attributes", new TreeMap<>(rules.attributes()));
        }
        if (!rules.tlsFields().isEmpty()) {
            Map<String, String> words = new TreeMap<>();
            rules.tlsFields().forEach((name, fact) -> words.put(name, fact.word()));
            line.map("tls-fields", words);
        }
    }

    private static void replacements(
            YamlLine line, String key, List<ProxyRules.Replacement> replacements) {
        if (!replacements.isEmpty()) {
            line.raw(
                    key,
                    "["
                            + String.join(
                                    ", ",
                                    replacements.stream().map(ConfigWriter::replacement).toList())
                            + "]");
        }
    }

    private static String replacement(ProxyRules.Replacement one) {
        YamlLine line = new YamlLine().text("from", one.from()).text("to", one.to());
        return (one.below().isEmpty() ? line : line.text("below", one.below())).toString();
    }

    // Upstreams

    private void upstream(UpstreamConfig upstream) {
        UpstreamConfig byDefault = UpstreamConfig.of(upstream.name(), upstream.peers());
        out.append("  ").append(upstream.name()).append(":\n");
        if (upstream.dialect() != byDefault.dialect()) {
            key("dialect", upstream.dialect().word());
        }
        if (upstream.method() != byDefault.method()) {
            key("balance", upstream.method().word());
        }
        sticky(upstream.sticky());
        if (upstream.attempts() != 0) {
            key("attempts", String.valueOf(upstream.attempts()));
        }
        UpstreamConfig.Retries retries = upstream.retries();
        if (!retries.equals(byDefault.retries())) {
            key("sent-attempts", String.valueOf(retries.sentMax()));
            key("retry-percent", String.valueOf(retries.percent()));
            key("retry-floor", String.valueOf(retries.floor()));
        }
        if (upstream.rounds() != 1) {
            key("rounds", String.valueOf(upstream.rounds()));
        }
        if (!upstream.patience().isZero()) {
            key("patience", upstream.patience().toMillis() + "ms");
        }
        if (!upstream.escalation().equals(byDefault.escalation())) {
            key("error-escalation", upstream.escalation().toMillis() + "ms");
        }
        if (upstream.replyTimeoutsMax() != 0) {
            key("late-replies-max", String.valueOf(upstream.replyTimeoutsMax()));
        }
        if (!upstream.forceRecovery()) {
            key("force-recovery", "false");
        }
        if (!upstream.maintain().equals(byDefault.maintain())) {
            key("maintain", upstream.maintain().toMillis() + "ms");
        }
        HealthConfig health = upstream.health();
        if (health != null) {
            key("health", health(health));
        }
        out.append("    members:\n");
        for (PeerConfig peer : upstream.peers()) {
            out.append("      - ").append(PeerLine.of(peer)).append('\n');
        }
    }

    private void sticky(UpstreamConfig.Sticky sticky) {
        if (!sticky.enabled()) {
            key("sticky", "none");
            return;
        }
        key("sticky", YamlLine.quote(sticky.cookie()));
        if (!sticky.parameter().equals(sticky.cookie().toLowerCase(Locale.ROOT))) {
            key("sticky-parameter", YamlLine.quote(sticky.parameter()));
        }
        if (!sticky.separator().equals(".")) {
            key("sticky-separator", YamlLine.quote(sticky.separator()));
        }
        if (sticky.queryParameter()) {
            key("sticky-in-query", "true");
        }
        if (sticky.force()) {
            key("sticky-force", "true");
        }
        if (sticky.setCookie() != null) {
            key("sticky-set-cookie", YamlLine.quote(sticky.setCookie()));
        }
        if (sticky.setCookiePath() != null) {
            key("sticky-set-cookie-path", YamlLine.quote(sticky.setCookiePath()));
        }
    }

    private static String health(HealthConfig health) {
        YamlLine line = new YamlLine();
        switch (health.kind()) {
            case TCP -> line.text("ping", "tcp");
            case CPING -> line.text("ping", "cping");
            case OPTIONS, HEAD, GET -> line.text(lower(health.kind()), health.uri());
        }
        if (health.pingFirst()) {
            line.text("ping", "cping");
        }
        if (health.host() != null) {
            line.text("host", health.host());
        }
        line.text("every", health.every().toMillis() + "ms")
                .number("passes", health.passes(), 1)
                .number("fails", health.fails(), 1)
                .text("timeout", health.timeout().toMillis() + "ms");
        answer(line, health.answer());
        if (!health.answers().isEmpty()) {
            YamlLine answers = new YamlLine();
            new TreeMap<>(health.answers())
                    .forEach((name, answer) ->
                            answers.raw(
                                    YamlLine.quote(name),
                                    answer(new YamlLine(), answer).toString()));
            line.raw("answers", answers.toString());
        }
        return line.toString();
    }

    private static YamlLine answer(YamlLine line, HealthConfig.ExpectedResponse answer) {
        line.text("status", answer.statusFrom() + "-" + answer.statusTo());
        return answer.body() == null ? line : line.text("body", answer.body());
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
