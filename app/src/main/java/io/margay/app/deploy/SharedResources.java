package io.margay.app.deploy;

import io.margay.app.config.DeployOptions;
import io.margay.app.config.HostSettings;
import io.margay.app.config.JavaxSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RealmSettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.StartException;
import io.margay.compat.tomcat.application.HostDefaults;
import io.margay.compat.tomcat.application.SignOnValve;
import io.margay.compat.tomcat.application.TomcatApplications;
import io.margay.compat.tomcat.javax.JavaxLibraries;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.server.Extensions;
import io.margay.servlet.deploy.SharedLibraries;
import io.margay.servlet.deploy.VendorDescriptor.OwnRealm;
import io.margay.servlet.deploy.VendorDescriptor.RealmEnvironment;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.naming.PoolReading;
import io.margay.servlet.naming.ResourceSpec;
import io.margay.servlet.naming.ServerResources;
import io.margay.servlet.realm.CredentialHandler;
import io.margay.servlet.realm.DatabaseRealm;
import io.margay.servlet.realm.DirectoryRealm;
import io.margay.servlet.realm.DirectorySettings;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.SingleSignOn;
import io.margay.servlet.session.SessionStores;
import io.margay.servlet.session.engine.EngineReading;
import io.margay.servlet.settings.RequestRewriting;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// What applications share: libraries, resources and realms. A reload keeps them, unless something
/// of them has changed. Thread-safe.
public final class SharedResources {
    /// Nothing is shared.
    public static final SharedResources NONE =
            new SharedResources(
                    "",
                    null,
                    new JavaxLibraries.Converted(List.of(), false),
                    ServerResources.none(SharedResources.class.getClassLoader()),
                    null);

    private static final System.Logger LOG = System.getLogger(SharedResources.class.getName());

    private final Object made;
    private final @Nullable SharedLibraries libraries;

    /// How the libraries were converted from javax.
    private final JavaxLibraries.Converted converted;

    private final ServerResources resources;
    private final List<Realm> realms = new ArrayList<>();

    /// Descriptors of contexts may be others though nothing of this has changed.
    private volatile @Nullable CatalinaHosts catalina;

    /// Realms of hosts and engines of Tomcat's, by where they are declared.
    private final Map<String, OwnRealm> declared = new HashMap<>();

    /// Log-ins to all applications of a host, or of an engine of Tomcat's, by its name.
    private final Map<String, SingleSignOn> signOns = new HashMap<>();

    /// The sessions that servers share; null = they are in memory.
    private @Nullable SessionEngines sessions;

    private SharedResources(
            Object made,
            @Nullable SharedLibraries libraries,
            JavaxLibraries.Converted converted,
            ServerResources resources,
            @Nullable CatalinaHosts catalina) {
        this.made = made;
        this.catalina = catalina;
        this.libraries = libraries;
        this.converted = converted;
        this.resources = resources;
    }

    /// What they were made of; equal ones need not be made again.
    private record Key(
            List<String> libraries,
            Map<String, ?> resources,
            List<RealmSettings> realms,
            String catalina,
            JavaxSettings javax,
            Map<String, SingleSignOn.Settings> signOns,
            SessionSettings.@Nullable Shared sessions) {}

    /// Those of a configuration: `before`, when they are equal.
    ///
    /// @param work folder for what is made of libraries
    /// @throws StartException when the folder of libraries or a `CATALINA_BASE` cannot be read
    public static SharedResources of(MargayConfig config, Path work, SharedResources before) {
        SharedResources shared = of(config, work, before, true);
        String conversion = shared.conversion();
        if (shared != before && conversion != null) {
            LOG.log(Level.INFO, "libraries of all applications: {0}", conversion);
        }
        return shared;
    }

    /// Those of a configuration that is looked at alone, of which nothing is logged.
    ///
    /// @param served false = a `CATALINA_BASE` may have settings with which it would not be served
    public static SharedResources checked(MargayConfig config, Path work, boolean served) {
        return of(config, work, NONE, served);
    }

    private static SharedResources of(
            MargayConfig config, Path work, SharedResources before, boolean served) {
        DeployOptions options = config.deploy();
        CatalinaHosts catalina = CatalinaHosts.of(config, served);
        List<Path> jars = new ArrayList<>(jars(options.libraries()));
        jars.addAll(catalina.libraries());
        jars.addAll(JavaEeLibraries.of(options.javax().modules()));
        if (jars.isEmpty()
                && options.resources().isEmpty()
                && options.realms().isEmpty()
                && options.signOn() == null
                && config.sessions().shared() == null
                && catalina.all().isEmpty()) {
            return NONE;
        }
        Key key =
                new Key(
                        jars.stream().map(SharedResources::stamp).toList(),
                        options.resources(),
                        options.realms(),
                        catalina.stamp(),
                        options.javax(),
                        ofHosts(config),
                        config.sessions().shared());
        if (before.made.equals(key)) {
            before.catalina = catalina;
            return before;
        }
        ClassLoader container = SharedResources.class.getClassLoader();
        JavaxLibraries.Converted converted =
                converted(options.javax(), jars, catalina, work, before == NONE);
        SharedLibraries loader =
                new SharedLibraries(
                        converted.libraries(),
                        converted.of(catalina.declaringLibraries()),
                        container,
                        new TomcatApplications());
        Map<String, ResourceSpec> specs =
                new HashMap<>(catalina.resources(text -> LOG.log(Level.WARNING, text)));
        options.resources()
                .forEach((name, settings) -> specs.put(name, new ResourceSpec.Pool(settings)));
        SharedResources shared =
                new SharedResources(
                        key,
                        loader,
                        converted,
                        new ServerResources(specs, List.of(loader, container)),
                        catalina);
        if (key.sessions() != null) {
            shared.sessions =
                    SessionEngines.open(
                            key.sessions(),
                            shared.resources,
                            List.of(container, Extensions.loader(), loader));
        }
        options.realms().forEach(settings -> shared.realms.add(shared.realm(settings)));
        catalina.all().forEach(host -> shared.declare(host, loader));
        for (HostDefaults host : catalina.all()) {
            SignOnValve valve = host.signOn();
            if (valve != null) {
                shared.signOn(valve.owner(), valve.settings(), before);
            }
        }
        key.signOns().forEach((host, settings) -> shared.signOn(host, settings, before));
        return shared;
    }

    /// How users are known to all applications of a host, by the host.
    private static Map<String, SingleSignOn.Settings> ofHosts(MargayConfig config) {
        SingleSignOn.Settings settings = config.deploy().signOn();
        Map<String, SingleSignOn.Settings> all = new HashMap<>();
        if (settings != null) {
            config.hosts().forEach(host -> all.put(owner(host), settings));
        }
        return all;
    }

    private static String owner(HostSettings host) {
        return "names " + String.join(" ", host.names());
    }

    /// The libraries as applications see them; what was written for javax is converted, unless such
    /// applications are refused.
    ///
    /// @param start whether no application runs yet
    private static JavaxLibraries.Converted converted(
            JavaxSettings javax,
            List<Path> jars,
            CatalinaHosts catalina,
            Path work,
            boolean start) {
        if (javax.mode() == JavaxSettings.Mode.OFF || jars.isEmpty()) {
            return new JavaxLibraries.Converted(jars, false);
        }
        try {
            JavaxLibraries libraries =
                    new JavaxLibraries(jars, SharedLibraries.conversion(work), System::nanoTime);
            JavaxLibraries.Converted converted = libraries.convert(catalina.isJavax());
            if (start) {
                libraries.clean();
            }
            return converted;
        } catch (IOException e) {
            throw new StartException(
                    "the shared libraries cannot be converted from javax: " + e.getMessage(), e);
        }
    }

    /// How the libraries of all applications were converted from javax; null = they were not.
    public @Nullable String conversion() {
        return converted.account();
    }

    /// Whether applications are likely to be for javax, as the libraries that they share are.
    public boolean isJavax() {
        return converted.javax();
    }

    /// Whether the `CATALINA_BASE`s served are of Tomcat 10.1 or before.
    public boolean isBefore11() {
        CatalinaHosts read = catalina;
        try {
            return read != null && read.isBefore11();
        } catch (IOException e) {
            return false; // Reading the base tells.
        }
    }

    private void declare(HostDefaults host, ClassLoader loader) {
        if (host.realm() != null && !declared.containsKey(host.realmPlace())) {
            RealmEnvironment environment =
                    new RealmEnvironment(null, null, resources, loader, true);
            try {
                OwnRealm made =
                        host.realm(environment, text -> LOG.log(Level.WARNING, "{0}", text));
                if (made != null) {
                    declared.put(host.realmPlace(), made);
                }
            } catch (WebAppException e) {
                throw new StartException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    /// Log-ins outlive a change of the configuration.
    private void signOn(String owner, SingleSignOn.Settings settings, SharedResources before) {
        if (!signOns.containsKey(owner)) {
            SingleSignOn known = before.signOns.get(owner);
            boolean same = known != null && known.settings().equals(settings);
            signOns.put(
                    owner,
                    known != null && same ? known : new SingleSignOn(settings, System::nanoTime));
        }
    }

    /// The log-in to all applications of a host; null = there is none.
    @Nullable SingleSignOn signOn(HostSettings host) {
        HostDefaults tomcat = defaults(host);
        SignOnValve valve = tomcat == null ? null : tomcat.signOn();
        return signOns.get(valve == null ? owner(host) : valve.owner());
    }

    /// What a `CATALINA_BASE` says of the applications of a host; null = nothing.
    public @Nullable HostDefaults defaults(HostSettings host) {
        CatalinaHosts read = catalina;
        return read == null ? null : read.of(host);
    }

    /// The rules by which requests of a host are rewritten; null = there are none.
    public @Nullable RequestRewriting rewriting(HostSettings host) {
        CatalinaHosts read = catalina;
        return read == null ? null : read.rewriting(host);
    }

    /// The realm that a `CATALINA_BASE` gives the applications of a host; null = none.
    @Nullable Realm realm(HostDefaults host) {
        OwnRealm made = declared.get(host.realmPlace());
        return made == null ? null : made.realm();
    }

    /// Users of a database or a directory.
    public Realm realm(RealmSettings settings) {
        return switch (settings) {
            case RealmSettings.Database(
                            String resource,
                            String passwordQuery,
                            @Nullable String roleQuery) ->
                    new DatabaseRealm(
                            "the realm of " + resource,
                            () -> (DataSource) resources.lookup(resource),
                            passwordQuery,
                            roleQuery,
                            new CredentialHandler.AsInFile());
            case RealmSettings.Directory(DirectorySettings directory) ->
                    new DirectoryRealm("the realm of " + directory.access().urls(), directory);
        };
    }

    /// The realms of databases and directories, in order.
    List<Realm> realms() {
        return List.copyOf(realms);
    }

    /// Tells whether a folder of libraries, or a file of a `CATALINA_BASE`, has changed.
    static String stamp(MargayConfig config) {
        List<String> stamps =
                new ArrayList<>(
                        jars(config.deploy().libraries()).stream()
                                .map(SharedResources::stamp)
                                .toList());
        Set<Path> bases = new TreeSet<>();
        for (HostSettings host : config.hosts()) {
            if (host.catalina() != null && bases.add(host.catalina().base())) {
                CatalinaBase.files(host.catalina().base()).stream()
                        .map(SharedResources::stamp)
                        .forEach(stamps::add);
            }
        }
        return String.join(" ", stamps);
    }

    private static String stamp(Path jar) {
        return jar + " " + RunningApp.stamp(jar);
    }

    private static List<Path> jars(@Nullable Path folder) {
        List<Path> jars = new ArrayList<>();
        if (folder != null) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
                found.forEach(jars::add);
            } catch (IOException e) {
                throw new StartException(
                        "the shared libraries cannot be read from "
                                + folder
                                + ": "
                                + e.getMessage(),
                        e);
            }
        }
        jars.sort(null);
        return jars;
    }

    /// The class loader behind those of applications.
    public ClassLoader container() {
        return libraries == null ? SharedResources.class.getClassLoader() : libraries;
    }

    public ServerResources resources() {
        return resources;
    }

    /// Where the sessions of applications live.
    SessionStores sessions() {
        return sessions == null ? SessionStores.MEMORY : sessions.sessions();
    }

    /// What has become of the calls of the engine that keeps sessions; none = they are in memory.
    public List<EngineReading> sessionEngines() {
        return sessions == null ? List.of() : List.of(sessions.sessions().reading());
    }

    /// Waits, within bounds, until the engine of sessions has answered for the first time.
    public void awaitSessions() {
        if (sessions != null) {
            sessions.sessions().awaitFirstAnswer();
        }
    }

    /// What keeps the engine of sessions from being used now; null = nothing. Waits for it.
    public @Nullable String unreachableSessions() {
        return sessions == null ? null : sessions.unreachable();
    }

    /// The pools of connections that have been made.
    public List<PoolReading> pools() {
        if (sessions == null) {
            return resources.pools();
        }
        List<PoolReading> pools = new ArrayList<>(resources.pools());
        pools.addAll(sessions.pools());
        return pools;
    }

    /// Ends them. No application may use them any more.
    public void close() {
        if (sessions != null) {
            sessions.close();
        }
        for (Realm realm : realms) {
            if (realm instanceof DirectoryRealm directory) {
                directory.close();
            }
        }
        declared.values().forEach(made -> made.closing().forEach(SharedResources::close));
        resources.close();
        if (libraries != null) {
            try {
                libraries.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "shared libraries were not closed: {0}", e.toString());
            }
        }
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "a realm was not closed: {0}", e.toString());
        }
    }
}
