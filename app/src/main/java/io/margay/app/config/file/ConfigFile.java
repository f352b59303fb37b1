package io.margay.app.config.file;

import io.margay.app.acme.AcmeReader;
import io.margay.app.config.ConfigException;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.DeployOptionsBuilder;
import io.margay.app.config.HostSettings;
import io.margay.app.config.HostSettingsBuilder;
import io.margay.app.config.LimitSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.MargayConfigBuilder;
import io.margay.app.config.PathSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.WorkFolder;
import io.margay.app.config.access.AccessReader;
import io.margay.app.config.binding.Reading;
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
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.ShapeReader;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.protocol.http.PathReading;
import io.margay.server.compression.CompressionConfig;
import io.margay.servlet.deploy.WarLimits;
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
    private Reading reading;

    /// Whether all that is wrong is to be told; else a doubt has it read again.
    private final boolean whole;

    private ConfigFile(Path base, KnownHosts known, boolean whole) {
        this.whole = whole;
        this.base = base;
        this.known = known;
        reading = new Reading(base, problems, missing);
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
        Set<String> names =
                root.section("upstreams").map(Settings::keys).map(Set::copyOf).orElse(Set.of());
        reading = new Reading(base, problems, missing, names);
        AcmeReader acme = new AcmeReader(root, reading);
        TlsKeys tls = new TlsKeys(acme, acme.ofHosts(root));
        List<ListenerSettings> listeners =
                root.list("listeners", Settings.class).stream()
                        .map(section -> ListenerKeys.read(section, tls, reading))
                        .flatMap(Optional::stream)
                        .toList();
        UpstreamReader gateways = new UpstreamReader(reading, root);
        realms(root);
        MargayConfig said = FileShape.ROOT.read(root, otherwise(root), reading);
        boolean hasUsers =
                root.section("deploy")
                        .filter(one -> one.has("users") || one.has("realms"))
                        .isPresent();
        LoginKeys logins =
                new LoginKeys(
                        reading,
                        hasUsers,
                        listeners.stream().anyMatch(ConfigFile::asksForCertificates),
                        said.deploy().resources().keySet(),
                        said.limits().login());
        List<HostSettings> hosts =
                root.list("hosts", Settings.class).stream()
                        .map(host -> known.host(host, () -> host(host, gateways, logins)))
                        .map(gateways::withUpstreams)
                        .toList();
        new RepeatedNames(problems).check(root, whole);
        String shared = SharedKeys.url(root).orElse(null);
        SessionSettings sessions =
                root.section("sessions")
                        .map(one -> SessionKeys.complete(said.sessions(), one, shared, reading))
                        .orElse(said.sessions());
        MargayConfigBuilder made =
                MargayConfigBuilder.builder(said)
                        .listeners(root.has("listeners") ? listeners : said.listeners())
                        .hosts(hosts)
                        .sessions(sessions)
                        .deploy(deploy(root, said.deploy()))
                        .upstreams(gateways.upstreams())
                        .register(
                                root.has("register")
                                        ? RegisterKeys.read(root, sessions.route(), reading)
                                        : said.register())
                        .admin(AdminKeys.read(root, reading))
                        .acme(acme.config());
        if (!problems.isEmpty()) {
            return null;
        }
        return reading.made(root, "hosts", made::build).orElse(null);
    }

    /// What holds for keys that are left out.
    private MargayConfig otherwise(Settings root) {
        MargayConfigBuilder otherwise =
                MargayConfigBuilder.builder(MargayConfig.defaults())
                        .workFolder(WorkFolder.defaultIn(base));
        return (root.has("upstreams")
                        ? otherwise.limits(LimitSettings.defaults().forGateway())
                        : otherwise)
                .build();
    }

    private static boolean asksForCertificates(ListenerSettings listener) {
        TlsConfig tls = listener.tls();
        return listener.ajp() != null || (tls != null && tls.asksForCertificates());
    }

    private HostSettings host(Settings section, UpstreamReader gateways, LoginKeys logins) {
        HostSettings read = HostBinding.PLAIN.read(section, HostBinding.PLAIN.defaults(), reading);
        List<RouteSettings> routes = new ArrayList<>();
        Map<RouteSettings, CompressionConfig> compression = new HashMap<>();
        boolean bare = HostKeys.arePlain(section);
        PathReading whole =
                bare
                        ? PathReading.STRICT
                        : PathKeys.OF_HOST.read(section, PathReading.STRICT, reading);
        Map<RouteSettings, PathReading> paths = new HashMap<>();
        section.section("routes")
                .ifPresent(named ->
                        routes(
                                named,
                                routes,
                                gateways,
                                (of, route) -> {
                                    if (bare) {
                                        return;
                                    }
                                    RouteKeys.compression(of, reading)
                                            .ifPresent(how -> compression.put(route, how));
                                    PathReading own = PathKeys.OF_ROUTE.read(of, whole, reading);
                                    if (!own.equals(whole)) {
                                        paths.put(route, own);
                                    }
                                }));
        section.text("webapps")
                .map(reading::path)
                .ifPresent(folder -> {
                    FileKind _ = lookFor(section, "webapps", folder, true);
                    routes.add(new RouteSettings.Webapps(folder));
                });
        if (!section.has("routes") && !section.has("webapps") && !section.has("rules")) {
            reading.problem(section, "name", "a host needs one of the keys routes, webapps, rules");
        }
        HostSettings plain = new HostSettings(read.names(), read.accessLog(), routes, read.at());
        if (bare) {
            return plain;
        }
        HostSettings said = HostBinding.FURTHER.read(section, plain, reading);
        EdgeKeys.Edge edge = EdgeKeys.EDGE.read(section, EdgeKeys.Edge.NONE, reading);
        HostChanges changes =
                HostChangeRules.complete(said.changes(), edge.fields(), section, reading);
        List<GatewayRule> rules = new ArrayList<>(edge.rules());
        for (Settings rule : section.list("rules", Settings.class)) {
            RuleKeys.rule(rule, changes, reading).ifPresent(rules::add);
            gateways.checkCookie(rule);
        }
        return HostSettingsBuilder.builder(said)
                .rules(rules)
                .changes(changes)
                .access(changes.places().during(() -> new AccessReader(logins).access(section)))
                .compression(compression)
                .paths(new PathSettings(whole, paths))
                .limits(RequestLimitKeys.read(section, changes, reading))
                .shield(ShieldKeys.read(section, changes, reading))
                .build();
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
                reading.problem(named, key, "a version belongs to an app");
            }
            RouteKeys.read(path, section, gateways, reading)
                    .ifPresent(route -> {
                        lookFor(section, route);
                        routes.add(route);
                        further.accept(section, route);
                    });
        }
    }

    private void lookFor(Settings section, RouteSettings route) {
        if (route instanceof RouteSettings.App app) {
            FileKind _ = lookFor(section, "app", app.app(), false);
        } else if (route instanceof RouteSettings.StaticFiles files) {
            Path path = files.folder();
            if (lookFor(section, "files", path, false) == FileKind.FILE
                    && path.toString().endsWith(".war")) {
                reading.problem(section, "files", path + " is an application: say \"app\"");
            }
        }
    }

    /// Reports what is not there as missing.
    ///
    /// @return what is there
    private FileKind lookFor(Settings section, String key, Path path, boolean folder) {
        FileKind kind = known.kind(path);
        if (kind == FileKind.NONE || (folder && kind != FileKind.FOLDER)) {
            String what = kind == FileKind.NONE ? " does not exist" : " is not a folder";
            missing.add(new Problem(section.position(key), "\"" + key + "\": " + path + what));
        }
        return kind;
    }

    /// Complains of realms whose data source does not stand in the file.
    private void realms(Settings root) {
        List<String> sources = root.section("resources").map(Settings::keys).orElse(List.of());
        root.section("deploy")
                .ifPresent(deploy -> {
                    for (Settings realm : deploy.list("realms", Settings.class)) {
                        String name = realm.text("database").orElse("");
                        if (!name.isEmpty() && !sources.contains(name)) {
                            reading.problem(realm, "database", "there is no data source " + name);
                        }
                    }
                });
    }

    /// The deployment, with the limits of WARs.
    private DeployOptions deploy(Settings root, DeployOptions said) {
        WarLimits own = WarLimits.defaults();
        return DeployOptionsBuilder.builder(said)
                .war(
                        root.section("limits")
                                .map(all -> LimitKeys.WAR.below(all, "war", own, reading))
                                .orElse(own))
                .build();
    }
}
