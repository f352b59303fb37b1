package io.margay.app.migrate;

import io.margay.app.config.CatalinaHost;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.HostSettings;
import io.margay.app.config.LimitSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.WorkerSettings;
import io.margay.app.config.access.AccessKeys;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.file.LimitKeys;
import io.margay.app.config.file.LogKeys;
import io.margay.app.config.file.SessionKeys;
import io.margay.app.config.file.deploy.DeployKeys;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.rules.ChangeKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.gateway.access.FolderPages;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.rules.HostChanges;
import io.margay.protocol.http.PathReading;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeConfig;
import io.margay.servlet.deploy.WebAppsFolder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
            String storage = YamlText.quote(config.acme().storage().toString());
            writer.out.append("acme: {storage: ").append(storage).append("}\n");
        }
        if (!config.upstreams().isEmpty()) {
            writer.out.append("upstreams:\n");
            config.upstreams().values().forEach(writer::upstream);
        }
        writer.server(config);
        return writer.out.toString();
    }

    /// What holds for the whole server.
    private void server(MargayConfig config) {
        LimitSettings limits = LimitSettings.defaults();
        Map<String, Map<String, Object>> sections = new LinkedHashMap<>();
        sections.put(
                "limits",
                LimitKeys.LIMITS.write(
                        config.limits(),
                        config.upstreams().isEmpty() ? limits : limits.forGateway()));
        sections.put(
                "workers", LimitKeys.WORKERS.write(config.workers(), WorkerSettings.defaults()));
        sections.put(
                "sessions",
                SessionKeys.SESSIONS.write(config.sessions(), SessionSettings.defaults()));
        sections.put("deploy", DeployKeys.DEPLOY.write(config.deploy(), DeployOptions.defaults()));
        sections.values().removeIf(Map::isEmpty);
        YamlText.keys(sections, 0, out);
    }

    private void listener(ListenerSettings listener) {
        out.append("  - ")
                .append(YamlText.line(ListenerKeys.write(listener, ownFiles)))
                .append('\n');
    }

    private void host(HostSettings host) {
        Map<String, Object> written = new LinkedHashMap<>();
        String name = host.names().isEmpty() ? "any name" : host.names().getFirst();
        if (!host.names().isEmpty()) {
            written.put("name", YamlText.quote(name));
        }
        if (host.names().size() > 1) {
            List<String> aliases = host.names().subList(1, host.names().size());
            written.put("aliases", aliases.stream().map(YamlText::quote).toList());
        }
        if (!host.at().isEmpty()) {
            written.put("at", host.at().stream().map(at -> YamlText.quote(at.toString())).toList());
        }
        if (!own.isEmpty()) {
            written.put("acme", AcmeLines.of(own.remove()));
        }
        PathReading paths = host.paths().whole();
        if (paths.slash() != PathReading.STRICT.slash()) {
            written.put("encoded-slashes", paths.slash().word());
        }
        if (paths.backslash()) {
            written.put("backslashes", "slash");
        }
        if (host.accessLog() != null) {
            written.put("access-log", LogKeys.write(host.accessLog()));
        }
        if (!host.furtherLogs().isEmpty()) {
            written.put("further-logs", host.furtherLogs().stream().map(LogKeys::write).toList());
        }
        if (!host.rules().isEmpty() || host.routes().isEmpty()) {
            written.put("rules", host.rules().stream().map(RuleKeys::write).toList());
        }
        if (!host.access().isEmpty()) {
            written.put("access", AccessKeys.write(host.access()));
        }
        written.putAll(ChangeKeys.CHANGES.write(host.changes(), HostChanges.NONE));
        CatalinaHost catalina = host.catalina();
        if (catalina != null) {
            written.put(
                    "catalina",
                    Map.of(
                            "base", YamlText.quote(catalina.base().toString()),
                            "host", YamlText.quote(catalina.name())));
        }
        routes(host, written);
        out.append("  - # ").append(name).append('\n');
        YamlText.keys(written, 2, out);
    }

    private static void routes(HostSettings host, Map<String, Object> written) {
        Map<String, Object> routes = new LinkedHashMap<>();
        for (RouteSettings route : host.routes()) {
            switch (route) {
                case RouteSettings.App app -> {
                    YamlLine line = new YamlLine().text("app", app.app().toString());
                    if (!app.params().isEmpty()) {
                        line.map("params", app.params());
                    }
                    boolean named = WebAppsFolder.named(app.app()).version().equals(app.version());
                    route(named ? app.contextPath() : app.at().toString(), line, routes);
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
                            fallback == null ? line : line.text("fallback", fallback),
                            routes);
                }
                case RouteSettings.Gateway gateway ->
                        route(
                                gateway.prefix(),
                                new YamlLine().text("gateway", gateway.upstream()),
                                routes);
                case RouteSettings.Status status -> {
                    YamlLine line = new YamlLine().text("status", status.page().word());
                    if (status.token() != null) {
                        line.text("token", status.token());
                    }
                    if (status.state() != null) {
                        line.text("state", status.state().toString());
                    }
                    route(status.prefix(), line, routes);
                }
                case RouteSettings.Webapps(Path folder) ->
                        written.put("webapps", YamlText.quote(folder.toString()));
            }
        }
        if (!routes.isEmpty()) {
            written.put("routes", routes);
        }
    }

    private static void route(String path, YamlLine line, Map<String, Object> routes) {
        routes.put(YamlText.quote(path.isEmpty() ? "/" : path), line.toString());
    }

    private void upstream(UpstreamConfig upstream) {
        out.append("  ").append(upstream.name()).append(":\n");
        YamlText.keys(UpstreamKeys.write(upstream), 2, out);
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
