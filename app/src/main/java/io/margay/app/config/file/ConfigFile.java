package io.margay.app.config.file;

import io.margay.app.acme.AcmeReader;
import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.AdminSettings;
import io.margay.app.config.CatalinaHost;
import io.margay.app.config.ConfigException;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.DeployOptionsBuilder;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.JmxMode;
import io.margay.app.config.LimitSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.PathSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.WorkFolder;
import io.margay.app.config.WorkerSettings;
import io.margay.app.config.access.AccessReader;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.file.deploy.DeployKeys;
import io.margay.app.config.file.hosts.FileKind;
import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.config.file.hosts.KnownHosts;
import io.margay.app.config.file.hosts.RepeatedNames;
import io.margay.app.config.file.login.LoginKeys;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.listener.TlsKeys;
import io.margay.app.config.members.RegisterKeys;
import io.margay.app.config.members.UpstreamReader;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.register.RegisterSettings;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.ShapeReader;
import io.margay.gateway.access.FolderPages;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.protocol.http.PathReading;
import io.margay.server.compression.CompressionConfig;
import io.margay.servlet.deploy.WarLimits;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.transport.TlsConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Reads `margay.yaml` into a [MargayConfig]. Used by one thread.
public final class ConfigFile {
    private final Path base;
    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> missing = new ArrayList<>();
    private final KnownHosts known;

    /// Whether all that is wrong is to be told; else a doubt has it read again.
    private final boolean whole;

    private ConfigFile(Path base, KnownHosts known, boolean whole) {
        this.whole = whole;
        this.base = base;
        this.known = known;
    }

    /// What a file says.
    ///
    /// @param config null when there are problems
    /// @param problems what is wrong with the file itself
    /// @param missing applications and folders that it names and that are not there: the rest can
    ///   be served
    public record Result(
            @Nullable MargayConfig config, List<Problem> problems, List<Problem> missing) {
        /// The configuration.
        ///
        /// @throws ConfigException when there are problems
        public MargayConfig get() {
            if (config == null) {
                throw new ConfigException(problems);
            }
            return config;
        }
    }

    /// Reads a file; never fails, but reports.
    public static Result read(Path path, Map<String, String> variables) {
        return read(path, variables, new KnownHosts(), true);
    }

    /// The same, of which hosts may be known from the last reading; the result is the same.
    public static Result read(Path path, Map<String, String> variables, KnownHosts known) {
        Result read = read(path, variables, known, false);
        if (read.config != null && read.missing.isEmpty()) {
            return read;
        }
        known.forget();
        return read(path, variables);
    }

    private static Result read(
            Path path, Map<String, String> variables, KnownHosts known, boolean whole) {
        Path parent = path.toAbsolutePath().getParent();
        ConfigFile file = new ConfigFile(parent == null ? Path.of("") : parent, known, whole);
        String name = path.toString();
        Shape.Section shape = FileShape.root();
        return file.result(
                whole
                        ? ShapeReader.read(path, name, shape, variables, file.problems)
                        : ShapeReader.reread(path, name, shape, variables, known.begin()));
    }

    /// Reads what a command line stands for, whose relative paths are relative to `base`.
    public static Result of(String text, Path base, String name) {
        ConfigFile file = new ConfigFile(base, new KnownHosts(), true);
        return file.result(
                ShapeReader.parse(text, name, FileShape.root(), Map.of(), file.problems));
    }

    private Result result(Optional<Settings> root) {
        MargayConfig config = root.map(this::config).orElse(null);
        Collections.sort(problems);
        return new Result(
                problems.isEmpty() ? config : null, List.copyOf(problems), List.copyOf(missing));
    }

    private @Nullable MargayConfig config(Settings root) {
        MargayConfig defaults = MargayConfig.defaults();
        AcmeReader acme = new AcmeReader(base, root, problems);
        Reading reading = reading();
        TlsKeys tls = new TlsKeys(acme, acme.ofHosts(root));
        List<ListenerSettings> listeners =
                root.list("listeners", Settings.class).stream()
                        .map(section -> ListenerKeys.read(section, tls, reading))
                        .flatMap(Optional::stream)
                        .toList();
        UpstreamReader gateways = new UpstreamReader(reading, root);
        boolean hasUsers =
                root.section("deploy")
                        .filter(one -> one.has("users") || one.has("realms"))
                        .isPresent();
        LimitSettings byDefault = LimitSettings.defaults();
        LimitSettings limits =
                LimitKeys.LIMITS.below(
                        root,
                        "limits",
                        root.has("upstreams") ? byDefault.forGateway() : byDefault,
                        reading);
        Map<String, DataSourceSettings> resources =
                ResourceKeys.SOURCES.read(root, "resources", Map.of(), reading);
        LoginKeys logins =
                new LoginKeys(
                        new Reading(base, problems, missing, gateways.names()),
                        hasUsers,
                        listeners.stream().anyMatch(ConfigFile::asksForCertificates),
                        resources.keySet(),
                        limits.login());
        List<HostSettings> hosts =
                root.list("hosts", Settings.class).stream()
                        .map(host -> known.host(host, () -> host(host, gateways, logins)))
                        .map(gateways::withUpstreams)
                        .toList();
        new RepeatedNames(problems).check(root, whole);
        WorkerSettings workers =
                LimitKeys.WORKERS.below(root, "workers", WorkerSettings.defaults(), reading);
        SessionSettings sessions = sessions(root);
        DeployOptions deploy = deploy(root, resources);
        List<RegisterSettings> register =
                new RegisterKeys(base, problems).read(root, sessions.route());
        if (!problems.isEmpty()) {
            return null;
        }
        try {
            return new MargayConfig(
                    root.has("listeners") ? listeners : defaults.listeners(),
                    hosts,
                    sessions,
                    workers,
                    limits,
                    deploy,
                    path(root, "work").map(WorkFolder::exactly).orElse(WorkFolder.defaultIn(base)),
                    root.duration("drain").orElse(defaults.drain()),
                    root.duration("drain-delay").orElse(defaults.drainDelay()),
                    gateways.upstreams(),
                    admin(root, reading).orElse(null),
                    root.text("jmx").map(JmxMode::of).orElse(defaults.jmx()),
                    register,
                    acme.config(),
                    SharedKeys.read(root, reading));
        } catch (IllegalArgumentException e) {
            problem(root, "hosts", String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static boolean asksForCertificates(ListenerSettings listener) {
        TlsConfig tls = listener.tls();
        return listener.ajp() != null || (tls != null && tls.asksForCertificates());
    }

    private HostSettings host(Settings section, UpstreamReader gateways, LoginKeys logins) {
        List<String> names = new ArrayList<>();
        section.text("name").ifPresent(names::add);
        names.addAll(section.list("aliases", String.class));
        List<RouteSettings> routes = new ArrayList<>();
        Map<RouteSettings, CompressionConfig> compression = new HashMap<>();
        PathReading whole = PathKeys.read(section, PathReading.STRICT);
        Map<RouteSettings, PathReading> paths = new HashMap<>();
        section.section("routes")
                .ifPresent(named ->
                        routes(
                                named,
                                routes,
                                gateways,
                                (of, route) -> {
                                    RouteKeys.compression(of, reading())
                                            .ifPresent(how -> compression.put(route, how));
                                    if (PathKeys.areIn(of)) {
                                        paths.put(route, PathKeys.read(of, whole));
                                    }
                                }));
        existing(section, "webapps", missing, true)
                .ifPresent(folder -> routes.add(new RouteSettings.Webapps(folder)));
        if (!section.has("routes") && !section.has("webapps") && !section.has("rules")) {
            problem(section, "name", "a host needs one of the keys routes, webapps, rules");
        }
        AccessLogSettings log = section.section("access-log").map(this::accessLog).orElse(null);
        if (HostKeys.arePlain(section)) {
            return new HostSettings(names, log, routes, section.list("at", HostPlace.class));
        }
        EdgeKeys.Edge edge = EdgeKeys.EDGE.read(section, EdgeKeys.Edge.NONE, reading());
        HostChanges changes = HostChangeRules.read(section, edge.fields(), reading());
        Reading reading = new Reading(base, problems, missing, gateways.names());
        List<GatewayRule> rules = new ArrayList<>(edge.rules());
        for (Settings rule : section.list("rules", Settings.class)) {
            RuleKeys.rule(rule, changes, reading).ifPresent(rules::add);
        }
        return new HostSettings(
                names,
                log,
                routes,
                section.list("at", HostPlace.class),
                rules,
                section.list("further-logs", Settings.class).stream().map(this::accessLog).toList(),
                changes,
                changes.places().during(() -> new AccessReader(logins).access(section)),
                compression,
                new PathSettings(whole, paths),
                RequestLimitKeys.read(section, changes, reading),
                ShieldKeys.read(section, changes, reading),
                catalina(section).orElse(null));
    }

    /// The host of Tomcat's whose settings the applications have.
    private Optional<CatalinaHost> catalina(Settings section) {
        Optional<Settings> catalina = section.section("catalina");
        Optional<Path> base = catalina.flatMap(one -> existing(one, "base", problems, true));
        return base.map(folder ->
                new CatalinaHost(folder, catalina.orElseThrow().text("host").orElse("localhost")));
    }

    private AccessLogSettings accessLog(Settings section) {
        return LogKeys.KEYS.read(section, LogKeys.KEYS.defaults(), reading());
    }

    private Reading reading() {
        return new Reading(base, problems, missing);
    }

    private void routes(
            Settings named,
            List<RouteSettings> routes,
            UpstreamReader gateways,
            BiConsumer<Settings, RouteSettings> further) {
        RepeatedNames seen = new RepeatedNames(problems);
        for (String key : named.keys()) {
            Settings section = named.section(key).orElseThrow();
            RouteSettings.Place path = RouteSettings.Place.parse(key);
            seen.once(named, key, "the path " + path);
            if (!path.version().isEmpty() && !section.has("app")) {
                problem(named, key, "a version belongs to an app");
            }
            if (section.hasAny(RouteKeys.OF_SOME)) {
                misplaced(section);
            }
            int before = routes.size();
            route(path, section, routes, gateways);
            if (routes.size() > before) {
                further.accept(section, routes.getLast());
            }
        }
    }

    private void misplaced(Settings section) {
        if (!section.has("gateway")) {
            RouteKeys.strangers(section, reading());
        }
        if (!section.has("status")) {
            StatusShape.strangers(section, problems);
        }
        for (String of : List.of("dot-files", "index", "fallback")) {
            if (section.has(of) && !section.has("files")) {
                problem(section, of, "\"" + of + "\" belongs to files");
            }
        }
    }

    private void route(
            RouteSettings.Place at,
            Settings section,
            List<RouteSettings> routes,
            UpstreamReader gateways) {
        String path = at.path();
        if (section.has("status")) {
            StatusShape.read(path, section, base).ifPresent(routes::add);
        } else if (section.has("gateway")) {
            RouteKeys.read(path, section, gateways, reading()).ifPresent(routes::add);
        } else if (section.has("files")) {
            if (section.has("params")) {
                problem(section, "params", "\"params\" belongs to an app");
            }
            existing(section, "files", missing, false)
                    .ifPresent(files -> {
                        if (known.kind(files) == FileKind.FILE
                                && files.toString().endsWith(".war")) {
                            problem(section, "files", files + " is an application: say \"app\"");
                        }
                        boolean dots = section.get("dot-files", Boolean.class).orElse(false);
                        pages(section)
                                .ifPresent(pages ->
                                        routes.add(
                                                new RouteSettings.StaticFiles(
                                                        path, files, dots, pages)));
                    });
        } else {
            existing(section, "app", missing, false)
                    .map(app -> RouteSettings.App.of(at, app, section.texts("params")))
                    .ifPresent(routes::add);
        }
    }

    /// What is sent where a path stands for no file.
    private Optional<FolderPages> pages(Settings section) {
        if (!section.has("index") && !section.has("fallback")) {
            return Optional.of(FolderPages.DEFAULT);
        }
        List<String> index =
                section.has("index")
                        ? section.list("index", String.class)
                        : FolderPages.DEFAULT.index();
        try {
            return Optional.of(new FolderPages(index, section.text("fallback").orElse(null)));
        } catch (IllegalArgumentException e) {
            String key = section.has("fallback") ? "fallback" : "index";
            problem(section, key, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private DeployOptions deploy(Settings root, Map<String, DataSourceSettings> resources) {
        root.section("deploy")
                .ifPresent(deploy -> {
                    for (Settings realm : deploy.list("realms", Settings.class)) {
                        String name = realm.text("database").orElse("");
                        if (!name.isEmpty() && !resources.containsKey(name)) {
                            problem(realm, "database", "there is no data source " + name);
                        }
                    }
                });
        WarLimits own = WarLimits.defaults();
        DeployOptions deploy =
                DeployKeys.DEPLOY.below(root, "deploy", DeployOptions.defaults(), reading());
        return DeployOptionsBuilder.builder(deploy)
                .war(
                        root.section("limits")
                                .map(all -> LimitKeys.WAR.below(all, "war", own, reading()))
                                .orElse(own))
                .resources(resources)
                .build();
    }

    private SessionSettings sessions(Settings root) {
        String shared = SharedKeys.url(root).orElse(null);
        return root.section("sessions")
                .map(section -> SessionKeys.read(section, shared, reading()))
                .orElseGet(SessionSettings::defaults);
    }

    private Optional<AdminSettings> admin(Settings root, Reading reading) {
        Optional<String> token = root.text("admin-token");
        Optional<Endpoint> endpoint = root.get("admin", Endpoint.class);
        List<String> names = root.list("admin-names", String.class);
        if (endpoint.isEmpty() && token.isPresent()) {
            problem(root, "admin-token", "\"admin-token\" belongs to \"admin\"");
        }
        if (endpoint.isEmpty() && !names.isEmpty()) {
            problem(root, "admin-names", "\"admin-names\" belongs to \"admin\"");
        }
        if (endpoint.isEmpty() && root.has("admin-certificates")) {
            problem(root, "admin-certificates", "\"admin-certificates\" belongs to \"admin\"");
        }
        List<TlsConfig.Certificate> certificates =
                TlsKeys.certificates(root, "admin-certificates", reading);
        TlsConfig tls = certificates.isEmpty() ? null : TlsConfig.of(certificates);
        return endpoint.map(
                at -> new AdminSettings(at, token.orElse(null), Set.copyOf(names), tls));
    }

    private Optional<Path> path(Settings section, String key) {
        return section.text(key).map(text -> base.resolve(text).normalize());
    }

    /// The path, also when it is not there, which is then reported.
    private Optional<Path> existing(
            Settings section, String key, List<Problem> reports, boolean folder) {
        Optional<Path> path = path(section, key);
        FileKind kind = path.map(known::kind).orElse(FileKind.FOLDER);
        if (kind == FileKind.NONE || (folder && kind != FileKind.FOLDER)) {
            String what = kind == FileKind.NONE ? " does not exist" : " is not a folder";
            String text = "\"" + key + "\": " + path.orElseThrow() + what;
            reports.add(new Problem(section.position(key), text));
        }
        return path;
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
