package io.margay.app;

import io.margay.app.admin.AdminException;
import io.margay.app.admin.AdminException.Kind;
import io.margay.app.admin.AppRef;
import io.margay.app.admin.CertificateReading;
import io.margay.app.admin.HostReading;
import io.margay.app.admin.LastReload;
import io.margay.app.admin.ManagedServer;
import io.margay.app.admin.MemberChange;
import io.margay.app.admin.Operator;
import io.margay.app.admin.UpstreamReading;
import io.margay.app.config.ContextPath;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.console.ConfigControl;
import io.margay.app.console.HostMap;
import io.margay.app.deploy.AppFailure;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.WantedApps;
import io.margay.app.register.RegistrationReading;
import io.margay.app.shared.SharedStatus;
import io.margay.app.site.Site;
import io.margay.app.slow.SlowRequests;
import io.margay.gateway.cache.CachePurge;
import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.discovery.Registrar;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.files.DiskRoom;
import io.margay.server.files.OwnerOnly;
import io.margay.server.meter.Meter;
import io.margay.server.sight.Sight;
import io.margay.servlet.ServletReading;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.naming.Naming;
import io.margay.servlet.session.engine.EngineReading;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// What the admin listener sees of a server and does to it. Thread-safe: operations run one at a
/// time, under the lock of [MargayServer].
final class AppControl implements ManagedServer {
    private static final System.Logger LOG = System.getLogger(AppControl.class.getName());

    /// For an application to end after its last request.
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9._-]{0,64}");

    private final MargayServer server;
    private final long startNanos = System.nanoTime();

    AppControl(MargayServer server) {
        this.server = server;
    }

    /// An operation, which reports why it was not done.
    @FunctionalInterface
    private interface Operation {
        void run() throws AdminException, IOException;
    }

    private void exclusively(Operation operation) throws AdminException {
        server.lock();
        try {
            operation.run();
        } catch (IOException | StartException e) {
            throw new AdminException(Kind.FAILED, String.valueOf(e.getMessage()));
        } finally {
            server.unlock();
        }
    }

    private static ChangeCause cause(Operator by) {
        return new ChangeCause(by.toString());
    }

    // Names

    private HostSettings host(String name) throws AdminException {
        List<HostSettings> hosts = server.config().hosts();
        if (name.isEmpty()) {
            return hosts.getFirst();
        }
        for (HostSettings host : hosts) {
            if (host.names().contains(name)) {
                return host;
            }
        }
        throw new AdminException(Kind.NOT_FOUND, "No host exists named [" + shown(name) + "]");
    }

    /// A text of a client in a message.
    private static String shown(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private AppName name(AppRef app) throws AdminException {
        if (!VERSION.matcher(app.version()).matches()) {
            throw new AdminException(
                    Kind.INVALID, "Invalid version [" + shown(app.version()) + "] was specified");
        }
        try {
            String path = ContextPath.check(app.path());
            return new AppName(host(app.host()).names(), path, app.version());
        } catch (IllegalArgumentException e) {
            throw new AdminException(
                    Kind.INVALID, "Invalid context path [" + shown(app.path()) + "] was specified");
        }
    }

    private static AdminException unknown(AppName name) {
        return new AdminException(Kind.NOT_FOUND, "No context exists named [" + name + "]");
    }

    private RunningApp running(AppRef app) throws AdminException {
        AppName name = name(app);
        RunningApp found = server.site().app(name);
        if (found == null) {
            throw unknown(name);
        }
        return found;
    }

    // What there is

    @Override
    public String version() {
        return ServerVersion.number();
    }

    @Override
    public Duration uptime() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    @Override
    public List<HostReading> traffic() {
        return server.site().traffic();
    }

    @Override
    public List<HostMap> map() {
        return HostMaps.of(server.config().hosts(), server.site());
    }

    @Override
    public Map<String, CanaryReading> newVersions() {
        return server.site().newVersions();
    }

    @Override
    public List<UpstreamReading> upstreams() {
        return server.site().upstreams();
    }

    @Override
    public void changeMember(String upstream, String member, MemberChange change, Operator by)
            throws AdminException {
        String done = server.site().changeMember(upstream, member, change, by.toString());
        if (done == null) {
            throw new AdminException(
                    Kind.NOT_FOUND,
                    "there is no member " + shown(member) + " of an upstream " + shown(upstream));
        }
        LOG.log(Level.INFO, "upstream {0}: {1}: {2}, {3}", upstream, member, done, cause(by));
    }

    @Override
    public int purge(CachePurge what, Operator by) {
        int count = server.site().purge(what);
        LOG.log(
                Level.INFO,
                "{0} URLs removed from caches: {1} {2}, {3}",
                count,
                what.kind().word(),
                shown(what.what()),
                cause(by));
        return count;
    }

    @Override
    public List<RegistrationReading> registrations() {
        return server.registrations();
    }

    @Override
    public @Nullable Registrar registrar(String upstream) {
        return server.site().registrar(upstream);
    }

    @Override
    public List<CertificateReading> certificates() {
        return CertificateFiles.of(server.config().listeners());
    }

    @Override
    public Sight sight() {
        return server.context.sight();
    }

    @Override
    public SlowRequests slow() {
        return server.front.slow();
    }

    @Override
    public List<Meter> meters() {
        return ServerMeters.of(this, server);
    }

    @Override
    public Workers workers() {
        Dispatcher dispatcher = server.dispatcher();
        return new Workers(
                dispatcher.active(),
                dispatcher.queued(),
                dispatcher.threads(),
                server.config().workers().limits().threadsMax());
    }

    @Override
    public @Nullable ConfigControl configuration() {
        return server.configured.control();
    }

    @Override
    public @Nullable LastReload lastReload() {
        return server.configured.last();
    }

    @Override
    public boolean isDead() {
        return server.isDead();
    }

    @Override
    public String idleState() {
        return server.isDead() ? "failed" : server.started ? "stopping" : "starting";
    }

    @Override
    public boolean isDiskFull() {
        return DiskRoom.isUsedUp(server.work());
    }

    @Override
    public boolean isServing() {
        return server.isServing();
    }

    @Override
    public List<Listener> listeners() {
        return server.listeners().read();
    }

    @Override
    public List<Pool> pools() {
        Site site = server.site();
        List<Pool> all = new ArrayList<>();
        site.pools().forEach(reading -> all.add(new Pool(null, reading)));
        for (RunningApp app : site.apps()) {
            Naming naming = Naming.of(app.deployment().classLoader());
            AppName name = app.name();
            AppRef ref = new AppRef(hostOf(name), name.contextPath(), name.version());
            if (naming != null) {
                naming.pools().forEach(reading -> all.add(new Pool(ref, reading)));
            }
        }
        return all;
    }

    @Override
    public List<EngineReading> sessionEngines() {
        return server.site().sessionEngines();
    }

    @Override
    public @Nullable SharedStatus shared() {
        return server.site().shared();
    }

    @Override
    public List<List<String>> hosts() {
        return server.config().hosts().stream().map(HostSettings::names).toList();
    }

    @Override
    public Map<String, ServletReading> servlets(AppRef app) {
        Map<String, ServletReading> all = new TreeMap<>();
        try {
            running(app).deployment().webApp().servlets().forEach(one -> all.put(one.name(), one));
        } catch (AdminException e) {
            LOG.log(Level.DEBUG, "an application that has gone", e);
        }
        return all;
    }

    @Override
    public List<App> apps() {
        return AppList.of(server);
    }

    static String hostOf(AppName name) {
        return name.host().isEmpty() ? "" : name.host().getFirst();
    }

    @Override
    public List<Session> sessions(AppRef app) throws AdminException {
        return new AppSessions(running(app).deployment()).all();
    }

    @Override
    public int expire(AppRef app, Duration idle) throws AdminException {
        return new AppSessions(running(app).deployment()).expire(idle);
    }

    @Override
    public void endSession(AppRef app, String key, Operator by) throws AdminException {
        String ended = new AppSessions(running(app).deployment()).end(key);
        if (ended == null) {
            throw new AdminException(Kind.NOT_FOUND, "There is no such session.");
        }
        LOG.log(Level.INFO, "session {0} of {1} was ended, {2}", ended, app.shownPath(), cause(by));
    }

    @Override
    public Duration sessionTimeout(AppRef app) throws AdminException {
        int minutes = running(app).deployment().webApp().context().getSessionTimeout();
        return Duration.ofMinutes(Math.max(0, minutes));
    }

    @Override
    public Map<String, String> resources() {
        Map<String, String> types = new TreeMap<>();
        server.config()
                .deploy()
                .resources()
                .keySet()
                .forEach(name -> types.put(name, DataSource.class.getName()));
        return types;
    }

    @Override
    public Path tagged(AppRef app, String tag) throws AdminException {
        AppName name = name(app);
        if (tag.isEmpty() || tag.startsWith(".") || !VERSION.matcher(tag).matches()) {
            throw new AdminException(
                    Kind.INVALID, "The tag [" + shown(tag) + "] is not made of A-Za-z0-9._-");
        }
        String host = name.host().isEmpty() ? "localhost" : name.host().getFirst();
        Path folder = server.config().work().resolve("tags").resolve(host).resolve(tag);
        try {
            return OwnerOnly.createFolders(folder)
                    .resolve(WebAppsFolder.baseName(name.contextPath(), name.version()) + ".war");
        } catch (IOException e) {
            throw new AdminException(Kind.FAILED, folder + " cannot be made: " + e.getMessage());
        }
    }

    @Override
    public List<String> failures() {
        return server.failures();
    }

    // Operations

    @Override
    public Path receivingFolder(String host) throws AdminException {
        Path folder = WantedApps.folder(server.config(), host(host));
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new AdminException(Kind.FAILED, folder + " cannot be made: " + e.getMessage());
        }
    }

    @Override
    public void deploy(AppRef app, Path received, boolean update, Operator by)
            throws AdminException {
        try {
            AppName name = name(app);
            exclusively(() -> deploy(name, received, update, cause(by)));
        } finally {
            AppFiles.deleteQuietly(received);
        }
    }

    private void deploy(AppName name, Path received, boolean update, ChangeCause cause)
            throws AdminException, IOException {
        MargayConfig config = server.config();
        RunningApp.Key existing = WantedApps.of(config).keys().get(name);
        if (existing != null && !update) {
            throw new AdminException(
                    Kind.CONFLICT, "Application already exists at path [" + name + "]");
        }
        if (existing != null) {
            requireInFolder(config, existing);
        }
        String file = WebAppsFolder.baseName(name.contextPath(), name.version()) + ".war";
        Path target = received.resolveSibling(file);
        Path before = received.resolveSibling(".before-" + UUID.randomUUID());
        boolean replaces = Files.exists(target);
        if (replaces) {
            Files.move(target, before, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(received, target, StandardCopyOption.ATOMIC_MOVE);
        String fault = redeploy(name, cause);
        if (fault == null) {
            AppFiles.deleteQuietly(before);
            return;
        }
        if (replaces) {
            Files.move(before, target, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(target);
        }
        server.forgetFailure(name);
        throw new AdminException(
                Kind.FAILED,
                "Failed to deploy application at context path ["
                        + name
                        + "]: "
                        + fault.replace(target.toString(), file)
                        + (server.site().app(name) == null
                                ? ""
                                : " The previous version stays in service."));
    }

    /// Deploys an application again; null, or what has failed.
    private @Nullable String redeploy(AppName name, ChangeCause cause) {
        server.stopped(name, false);
        List<AppFailure> failures = server.change(Set.of(name), cause);
        if (!failures.isEmpty()) {
            return failures.getFirst().text();
        }
        return server.site().app(name) == null
                ? "something else is served at " + name.contextPath() + "/"
                : null;
    }

    private static void requireInFolder(MargayConfig config, RunningApp.Key key)
            throws AdminException {
        if (!AppFiles.isInFolder(config, key)) {
            throw new AdminException(
                    Kind.CONFLICT,
                    "The application at path ["
                            + key.name()
                            + "] was named when the server was started or in its configuration:"
                            + " change "
                            + key.file()
                            + " itself");
        }
    }

    @Override
    public void undeploy(AppRef app, Operator by) throws AdminException {
        AppName name = name(app);
        exclusively(() -> {
            RunningApp.Key key = WantedApps.of(server.config()).keys().get(name);
            if (key == null) {
                throw unknown(name);
            }
            requireInFolder(server.config(), key);
            Undeployment.remove(server, name, cause(by));
        });
    }

    @Override
    public void reload(AppRef app, Operator by) throws AdminException {
        exclusively(() -> {
            AppName name = running(app).name();
            String fault = redeploy(name, cause(by));
            if (fault != null) {
                throw new AdminException(
                        Kind.FAILED, fault + " The application continues unchanged.");
            }
        });
    }

    @Override
    public void start(AppRef app, Operator by) throws AdminException {
        AppName name = name(app);
        exclusively(() -> {
            if (server.site().app(name) != null) {
                return;
            }
            if (!WantedApps.of(server.config()).keys().containsKey(name)) {
                throw unknown(name);
            }
            String fault = redeploy(name, cause(by));
            if (fault != null) {
                throw new AdminException(
                        Kind.FAILED,
                        "Application at context path ["
                                + name
                                + "] could not be started: "
                                + fault);
            }
        });
    }

    @Override
    public void stop(AppRef app, Operator by) throws AdminException {
        AppName name = name(app);
        CountDownLatch stopped = new CountDownLatch(1);
        exclusively(() -> {
            if (!WantedApps.of(server.config()).keys().containsKey(name)) {
                throw unknown(name);
            }
            server.stopped(name, true);
            List<AppFailure> _ = server.change(Set.of(name), cause(by), stopped::countDown);
        });
        // Its sessions are kept when it has stopped: whoever starts it next wants them.
        try {
            Duration longest = server.config().drain().plus(STOP_MAX);
            if (!stopped.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AdminException(
                        Kind.FAILED,
                        "Application at context path ["
                                + name
                                + "] does not end; it is unreachable");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<Leak> findLeaks() {
        return server.findLeaks();
    }
}
