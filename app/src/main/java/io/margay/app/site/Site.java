package io.margay.app.site;

import io.margay.app.admin.HostReading;
import io.margay.app.admin.MemberChange;
import io.margay.app.admin.UpstreamReading;
import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.FileFailure;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.deploy.AppChange;
import io.margay.app.deploy.AppFailure;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.AppVersions;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.deploy.Deployments;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.ServedApps;
import io.margay.app.deploy.SharedResources;
import io.margay.app.deploy.SiteContext;
import io.margay.app.shared.SharedState;
import io.margay.app.shared.SharedStatus;
import io.margay.gateway.cache.CachePurge;
import io.margay.gateway.cache.HostCache;
import io.margay.gateway.cache.SharedPurges;
import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.discovery.Registrar;
import io.margay.gateway.login.Logins;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.server.compression.CompressionLimits;
import io.margay.server.compression.Compressor;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.VirtualHosts;
import io.margay.server.log.AccessLog;
import io.margay.server.log.LogFormat;
import io.margay.server.meter.InFlight;
import io.margay.server.meter.Meter;
import io.margay.server.sight.Watched;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.naming.PoolReading;
import io.margay.servlet.session.engine.EngineReading;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Everything that is served at one time: hosts with their routes, applications and logs.
/// Immutable; a change makes another and takes over what has not changed.
public final class Site implements ServedApps {
    private static final System.Logger LOG = System.getLogger(Site.class.getName());

    /// Serves nothing.
    public static final Site NONE =
            new Site(
                    HostPlaces.NONE,
                    SharedResources.NONE,
                    List.of(),
                    Map.of(),
                    List.of(),
                    Gateways.NONE,
                    HostLimiters.NONE,
                    0,
                    null);

    private final HostPlaces hosts;
    private final SharedResources shared;
    private final List<RunningApp> apps;
    private final Map<AccessLogSettings, AccessLog> logs;
    private final List<AppFailure> failures;
    private final Gateways gateways;
    private final HostLimiters limits;
    private final int routes;

    /// Requests that are at the stages of a host.
    private final InFlight passages = new InFlight();

    /// Whether what another site does not use is being closed.
    private volatile boolean retired;

    /// Null when no host asks for it.
    private final @Nullable Compressor compressor;

    private Site(
            HostPlaces hosts,
            SharedResources shared,
            List<RunningApp> apps,
            Map<AccessLogSettings, AccessLog> logs,
            List<AppFailure> failures,
            Gateways gateways,
            HostLimiters limits,
            int routes,
            @Nullable Compressor compressor) {
        this.compressor = compressor;
        this.hosts = hosts;
        this.shared = shared;
        this.gateways = gateways;
        this.limits = limits;
        this.routes = routes;
        this.apps = List.copyOf(apps);
        this.logs = Map.copyOf(logs);
        this.failures = List.copyOf(failures);
    }

    /// Deploys in parallel what the change asks for. What cannot be deployed is a failure of the
    /// site, and the rest is served.
    ///
    /// @param stopped applications that are not to run, though the configuration names them
    /// @throws StartException when a folder of files or an access log cannot be opened; nothing new
    ///   is left running
    public static Site build(
            MargayConfig config,
            Site before,
            AppChange change,
            Set<AppName> stopped,
            SiteContext context,
            DeployProgress progress) {
        Map<AccessLogSettings, AccessLog> logs = new HashMap<>();
        join(context);
        SharedResources shared = SharedResources.of(config, config.work(), before.shared);
        if (shared != before.shared) {
            shared.awaitSessions();
        }
        Gateways gateways = before.gateways.next(config, context);
        Map<String, HostTraffic.Counts> traffic = before.hosts.traffic();
        StatusRoutes status = new StatusRoutes(config, gateways, context.server(), traffic);
        List<RunningApp> apps = List.of();
        HostLimiters limits = HostLimiters.NONE;
        try {
            Deployments.Outcome outcome =
                    Deployments.deploy(config, shared, before, change, stopped, context, progress);
            apps = outcome.apps();
            HostPlaces.Builder places = new HostPlaces.Builder();
            limits = HostLimiters.of(config.hosts(), before.limits, context);
            Logins logins =
                    gateways.logins(
                            config,
                            ServerUsers.of(Deployments.realm(config, shared, context.lockOuts())),
                            ServerUsers.databases(config, shared, context.lockOuts()),
                            context,
                            before.gateways);
            Compressor compressor = compressor(config, before, context);
            SiteHosts made =
                    new SiteHosts(
                            apps,
                            status,
                            logins,
                            shared,
                            compressor,
                            host -> logs(host, before, logs),
                            context.sight());
            if (shared == before.shared && gateways.isAlike(before.gateways)) {
                made.takeOver(before.hosts, before.apps);
            }
            for (HostSettings host : config.hosts()) {
                places.add(host, made.of(host, limits.of(host)));
            }
            return new Site(
                    places.build(),
                    shared,
                    apps,
                    logs,
                    outcome.failures(),
                    gateways,
                    limits,
                    made.routes(),
                    compressor);
        } catch (RuntimeException e) {
            Site made =
                    new Site(NONE.hosts, shared, apps, logs, List.of(), gateways, limits, 0, null);
            made.retire(before, Duration.ZERO);
            throw e;
        }
    }

    private static void join(SiteContext context) {
        try {
            SharedState _ = context.shared().start();
        } catch (IllegalArgumentException e) {
            throw new StartException("shared: " + e.getMessage(), e);
        }
    }

    private static @Nullable Compressor compressor(
            MargayConfig config, Site before, SiteContext context) {
        if (config.hosts().stream().noneMatch(HostSettings::compresses)) {
            return null;
        }
        return before.compressor != null
                ? before.compressor
                : new Compressor(context.memory(), CompressionLimits.defaults());
    }

    private static List<HostLog> logs(
            HostSettings host, Site before, Map<AccessLogSettings, AccessLog> logs) {
        if (host.accessLog() == null && host.sight().furtherLogs().isEmpty()) {
            return List.of();
        }
        List<AccessLogSettings> all = new ArrayList<>(host.sight().furtherLogs());
        if (host.accessLog() != null) {
            all.addFirst(host.accessLog());
        }
        List<HostLog> found = new ArrayList<>();
        for (AccessLogSettings settings : all) {
            RequestTest test =
                    settings.when().isEmpty()
                            ? null
                            : host.changes()
                                    .places()
                                    .during(() ->
                                            RequestTest.of(
                                                    settings.when(),
                                                    host.changes(),
                                                    RuleLimits.defaults()));
            found.add(new HostLog(log(settings, before, logs), test));
        }
        return List.copyOf(found);
    }

    private static AccessLog log(
            AccessLogSettings settings, Site before, Map<AccessLogSettings, AccessLog> logs) {
        AccessLog log = logs.get(settings);
        if (log == null) {
            log = before.logs.get(settings);
            if (log == null) {
                log = openLog(settings);
            }
            logs.put(settings, log);
        }
        return log;
    }

    private static AccessLog openLog(AccessLogSettings settings) {
        try {
            Path parent = settings.file().toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            return new AccessLog(
                    settings.file().toString(),
                    LogFormat.of(settings.format()),
                    settings.rotateBytes());
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException(
                    "the access log "
                            + settings.file()
                            + " cannot be opened: "
                            + FileFailure.text(e),
                    e);
        }
    }

    /// The stages that requests of a host pass, by their names; none = it has routes alone.
    public List<String> stages(HostSettings host) {
        ServedHost served = hosts.served(host);
        return served == null
                ? List.of()
                : Stream.of(served.kinds()).map(HostStage::toString).toList();
    }

    /// What a host is called where it is counted.
    public static String name(HostSettings host) {
        return HostTraffic.name(host);
    }

    /// The paths of a rule, where it is counted.
    public static String pattern(GatewayRule rule) {
        return StatusRoutes.pattern(rule.match());
    }

    /// What those hosts have answered that have answered anything.
    public List<HostReading> traffic() {
        return hosts.traffic().values().stream()
                .map(HostTraffic.Counts::read)
                .filter(host -> host.statuses().stream().anyMatch(count -> count > 0))
                .sorted(Comparator.comparing(HostReading::name))
                .toList();
    }

    /// What its hosts keep of responses.
    public List<HostCache> caches() {
        return limits.caches();
    }

    /// Removes what is kept, and at the other gateways of the group.
    ///
    /// @return how many URLs were kept here
    public int purge(CachePurge what) {
        SharedPurges purges = limits.purges();
        if (purges != null) {
            purges.add(what);
        }
        return what.from(caches());
    }

    /// The numbers of what it is made of.
    public List<Meter> meters() {
        List<Meter> all = new ArrayList<>(limits.meters());
        hosts.traffic().values().forEach(host -> all.addAll(host.meters()));
        logs.forEach((settings, log) ->
                all.addAll(Meter.with(log.meters(), "file", settings.file().toString())));
        upstreams().forEach(upstream -> all.addAll(upstream.meters()));
        newVersions().forEach((of, one) -> all.addAll(Meter.with(one.meters(), "application", of)));
        SharedStatus shared = shared();
        if (shared != null) {
            all.addAll(shared.meters());
        }
        return all;
    }

    /// What counts requests, but for the listeners.
    List<Watched> watched() {
        List<Watched> all = new ArrayList<>(gateways.watched());
        all.addAll(hosts.watched());
        return all;
    }

    /// It is active from now on.
    void inForce() {
        caches().forEach(HostCache::begin);
        gateways.inForce();
        SharedPurges purges = limits.purges();
        if (purges != null) {
            purges.follow(this::caches);
        }
    }

    /// How the upstreams and their members do.
    public List<UpstreamReading> upstreams() {
        return gateways.read();
    }

    /// How new versions of applications do that get a part of the clients, by host and path.
    public Map<String, CanaryReading> newVersions() {
        return gateways.versions();
    }

    /// What is shared with other servers; null = nothing.
    public @Nullable SharedStatus shared() {
        return gateways.shared();
    }

    /// Changes a member of an upstream.
    ///
    /// @param by who does, for logs
    /// @return what has changed, for the log; null when there is no such member
    public @Nullable String changeMember(
            String upstream, String member, MemberChange change, String by) {
        return gateways.change(upstream, member, change, by);
    }

    /// Waits for the members without which nobody serves requests: of upstreams where members
    /// register, and nobody has yet.
    public void awaitRegistered() {
        gateways.awaitRegistered();
    }

    /// What another process goes on with that follows this one.
    ///
    /// @param context of the server, which outlasts sites
    public SiteState state(SiteContext context) {
        return new SiteState(gateways, limits, context);
    }

    /// Who lets members of an upstream register; null = nobody does.
    public @Nullable Registrar registrar(String upstream) {
        return gateways.registrar(upstream);
    }

    /// Opens the access logs anew, after they have been rotated.
    public void reopenLogs() {
        logs.values().forEach(AccessLog::reopen);
    }

    /// The host of a request, or what answers where nobody serves it.
    Handler host(Exchange exchange) {
        return hosts.select(exchange);
    }

    /// The first host of a name; null = nobody serves it.
    @Nullable ServedHost host(String name) {
        return hosts.find(name) instanceof ServedHost one ? one : null;
    }

    /// The requests that are at the stages of a host: what they may still need is not closed.
    InFlight passages() {
        return passages;
    }

    /// Whether what another site does not use is closed, or about to be.
    boolean isRetired() {
        return retired;
    }

    /// What serves a path of a host, without regard to versions; null when nothing does.
    @Override
    public @Nullable RunningApp find(List<String> host, String path) {
        String name = host.isEmpty() ? VirtualHosts.ANY : host.getFirst();
        Handler found = hosts.find(name) instanceof ServedHost one ? one.routes().find(path) : null;
        return switch (found) {
            case RunningApp app -> app;
            case AppVersions versions -> versions.newest();
            case null, default -> null;
        };
    }

    /// The pools of connections that applications share.
    public List<PoolReading> pools() {
        return shared.pools();
    }

    /// The engine that keeps the sessions of applications; none = they are in memory.
    public List<EngineReading> sessionEngines() {
        return shared.sessionEngines();
    }

    /// The applications that run.
    @Override
    public List<RunningApp> apps() {
        return apps;
    }

    /// The application that runs under a name, or null.
    @Override
    public @Nullable RunningApp app(AppName name) {
        for (RunningApp app : apps) {
            if (app.name().equals(name)) {
                return app;
            }
        }
        return null;
    }

    /// Why the application of a name could not be deployed lastly; null when it could.
    public @Nullable AppFailure failure(AppName name) {
        for (AppFailure failure : failures) {
            if (failure.key() != null && failure.key().name().equals(name)) {
                return failure;
            }
        }
        return null;
    }

    /// The same without what [#failure] answers for a name.
    public Site withoutFailure(AppName name) {
        List<AppFailure> left = new ArrayList<>(failures);
        left.removeIf(one -> one.key() != null && one.key().name().equals(name));
        return new Site(hosts, shared, apps, logs, left, gateways, limits, routes, compressor);
    }

    /// Lets applications take over the sessions of those they replace, before it is active.
    public void follow(Site before) {
        for (RunningApp app : apps) {
            RunningApp old = before.app(app.name());
            if (old != null && !old.equals(app)) {
                app.deployment().webApp().follow(old.deployment().webApp());
            }
        }
    }

    /// Writes an exchange that has ended into the log of its host.
    void log(Exchange exchange) {
        if (!logs.isEmpty() && hosts.find(exchange) instanceof ServedHost host) {
            host.logs().forEach(log -> log.ended(exchange));
        }
    }

    /// What each application that could not be deployed suffers from.
    @Override
    public List<AppFailure> failures() {
        return failures;
    }

    /// Whether there is neither an application nor a folder of files.
    public boolean isEmpty() {
        return routes == 0;
    }

    /// Ends the WebSocket sessions of what `next` does not use: they would last as long as their
    /// clients like.
    public void leave(Site next) {
        Deployments.leave(unusedBy(next));
    }

    private List<RunningApp> unusedBy(Site next) {
        return apps.stream().filter(app -> !next.apps.contains(app)).toList();
    }

    /// Stops what `next` does not use, each application after the requests that it has begun.
    /// Waits.
    ///
    /// @return the applications that were stopped
    public List<Deployments.Stopped> retire(Site next, Duration deadline) {
        return retire(next, deadline, Deployment::undeploy);
    }

    /// The same for all of it, at once, because the server ends.
    ///
    /// @param exits whether the process ends, too
    public void end(boolean exits) {
        var _ =
                retire(
                        NONE,
                        Duration.ZERO,
                        exits ? Deployment::undeployAtExit : Deployment::undeploy);
    }

    private List<Deployments.Stopped> retire(
            Site next, Duration deadline, Function<Deployment, List<String>> undeployment) {
        leave(next);
        List<RunningApp> gone = unusedBy(next);
        long end = System.nanoTime() + deadline.toNanos();
        if (!passages.awaitNone(deadline) && !deadline.isZero()) {
            LOG.log(
                    Level.WARNING,
                    "{0} requests still wait for limits or logins of the previous configuration",
                    passages.running());
        }
        retired = true;
        for (RunningApp app : gone) {
            long left = Math.max(0, end - System.nanoTime());
            if (!app.requests().awaitNone(Duration.ofNanos(left)) && !deadline.isZero()) {
                LOG.log(
                        Level.WARNING,
                        "{0}: stopped with {1} requests still running",
                        app.key(),
                        app.requests().running());
            }
            left = Math.max(0, end - System.nanoTime());
            if (!app.deployment().webApp().awaitNoVisitors(Duration.ofNanos(left))
                    && !deadline.isZero()) {
                LOG.log(
                        Level.WARNING,
                        "{0}: stopped with requests of other applications still in it",
                        app.key());
            }
        }
        for (RunningApp app : gone) {
            RunningApp successor = next.app(app.name());
            if (successor != null) {
                successor.deployment().webApp().followed();
            }
        }
        gateways.retire(next.gateways);
        limits.retire(next.limits);
        List<Deployments.Stopped> stopped = Deployments.stop(gone, undeployment);
        logs.forEach((settings, log) -> {
            if (!next.logs.containsKey(settings)) {
                log.close();
            }
        });
        if (shared != next.shared && shared != SharedResources.NONE) {
            shared.close();
        }
        return stopped;
    }
}
