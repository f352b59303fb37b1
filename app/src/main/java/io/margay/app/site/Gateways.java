package io.margay.app.site;

import io.margay.app.admin.MemberChange;
import io.margay.app.admin.UpstreamReading;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.StartException;
import io.margay.app.deploy.RouteDivisions;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.SiteContext;
import io.margay.app.process.ProcessorLoad;
import io.margay.app.shared.SharedState;
import io.margay.app.shared.SharedStatus;
import io.margay.compat.httpd.HtaccessFiles;
import io.margay.gateway.access.AccessGate;
import io.margay.gateway.access.ServedFolders;
import io.margay.gateway.balance.NamedUpstreams;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.balance.UpstreamState;
import io.margay.gateway.canary.CanaryConfig;
import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.canary.CanaryRouter;
import io.margay.gateway.canary.CanarySides;
import io.margay.gateway.canary.DividedRoutes;
import io.margay.gateway.config.HedgeConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.discovery.Registrar;
import io.margay.gateway.discovery.SharedRegistrations;
import io.margay.gateway.forward.ForwardAuth;
import io.margay.gateway.health.CheckResult;
import io.margay.gateway.health.HealthChecks;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.LoginLimits;
import io.margay.gateway.login.Logins;
import io.margay.gateway.login.UserSource;
import io.margay.gateway.mirror.Mirror;
import io.margay.gateway.mirror.MirrorConfig;
import io.margay.gateway.peer.PeerPools;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.proxy.PathRouter;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.gateway.proxy.Router;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.gateway.status.ChangesState;
import io.margay.gateway.status.SharedChanges;
import io.margay.gateway.status.StateFile;
import io.margay.gateway.status.StatusSource;
import io.margay.server.exchange.ExchangeRules;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.Relay;
import io.margay.server.forwarded.Networks;
import io.margay.server.handover.TravellingState;
import io.margay.server.host.Routes;
import io.margay.server.sight.Watched;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The upstreams of a site, with the connections to their peers. Immutable but for what happens
/// inside of these; a reload takes over the upstreams that have not changed, with state and
/// connections.
final class Gateways {
    /// This gateway's name in `Via`.
    private static final String PSEUDONYM = "margay";

    /// No upstreams.
    static final Gateways NONE =
            new Gateways(
                    new PeerPools(PeerLimits.defaults()),
                    Map.of(),
                    List.of(),
                    Map.of(),
                    MemberSources.NONE,
                    new SharedState(null),
                    false,
                    none(),
                    DividedRoutes.NONE);

    /// Which new clients get a canary, and which requests are copied; nothing that is secret.
    private static final RandomGenerator CHANCE = () -> ThreadLocalRandom.current().nextLong();

    private final PeerPools pools;
    private final Map<String, Upstream> upstreams;

    /// Those that the site before did not have.
    private final List<Upstream> fresh;

    /// Of the upstreams that say how they are checked.
    private final Map<Upstream, HealthChecks> checks;

    private final MemberSources sources;

    private final SharedState shared;

    /// Whether routes pass TRACE on, by which a member sends back what a client may not see, such
    /// as fields that the gateway has added.
    private final boolean trace;

    /// Changes by hand, also those of other gateways; null = they are this one's own.
    private final @Nullable SharedChanges changes;

    /// That keep what was changed by hand; few, and filled before the site is active.
    private final List<StateFile> files = new CopyOnWriteArrayList<>();

    /// What the rules of hosts pass requests on to, as long as the hosts are there; shared by the
    /// sites whose connections are the same.
    private final Set<NamedUpstreams> named;

    private final DividedRoutes divided;

    /// Null until they are made, once, before the site is active.
    private volatile @Nullable Logins logins;

    private Gateways(
            PeerPools pools,
            Map<String, Upstream> upstreams,
            List<Upstream> fresh,
            Map<Upstream, HealthChecks> checks,
            MemberSources sources,
            SharedState shared,
            boolean trace,
            Set<NamedUpstreams> named,
            DividedRoutes divided) {
        this.named = named;
        this.divided = divided;
        this.pools = pools;
        this.trace = trace;
        this.upstreams = Collections.unmodifiableMap(upstreams);
        this.fresh = List.copyOf(fresh);
        this.checks = Map.copyOf(checks);
        this.sources = sources;
        this.shared = shared;
        this.changes = shared.changes();
    }

    /// Those of a new configuration; checks of new upstreams begin, and what their sources of
    /// members say is waited for a little.
    Gateways next(MargayConfig next, SiteContext context) {
        PeerLimits limits = next.limits().peers();
        Map<String, Upstream> made = new LinkedHashMap<>();
        List<Upstream> added = new ArrayList<>();
        Map<Upstream, HealthChecks> checked = new HashMap<>();
        next.upstreams()
                .forEach((name, config) -> {
                    Upstream known = upstreams.get(name);
                    boolean kept = known != null && known.configured().equals(config);
                    Upstream upstream = kept ? known : new Upstream(config);
                    made.put(name, upstream);
                    if (!kept) {
                        added.add(upstream);
                    }
                    HealthChecks running = checks.get(upstream);
                    if (running != null) {
                        checked.put(upstream, running);
                    } else if (config.health() != null) {
                        checked.put(
                                upstream,
                                new HealthChecks(List.of(upstream), new SplittableRandom()));
                    }
                });
        // Without upstreams there are no connections, and NONE is not for two servers to share.
        boolean fits = !upstreams.isEmpty() && pools.limits().equals(limits);
        PeerPools kept = fits ? pools : new PeerPools(limits, context.memory(), System::nanoTime);
        SharedChanges shared = context.shared().changes();
        Runnable joined = shared == null ? () -> {} : shared::joined;
        MemberSources found = sources.next(made.values(), checked, kept, joined);
        if (shared != null) {
            shared.apply(added);
        }
        return new Gateways(
                kept,
                made,
                added,
                checked,
                found,
                context.shared(),
                next.deploy().trace(),
                fits ? named : none(),
                divided.next(RouteDivisions.of(next.hosts()), System::nanoTime));
    }

    private static Set<NamedUpstreams> none() {
        return Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    }

    /// Whether what these answer with is the same that others do: the same upstreams, with the same
    /// connections.
    boolean isAlike(Gateways other) {
        if (trace != other.trace
                || !shared.equals(other.shared)
                || !divided.equals(other.divided)
                || upstreams.size() != other.upstreams.size()
                || (!upstreams.isEmpty() && !pools.equals(other.pools))) {
            return false;
        }
        for (Map.Entry<String, Upstream> one : upstreams.entrySet()) {
            if (!one.getValue().equals(other.upstreams.get(one.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /// What answers the requests of a route.
    Handler handler(RouteSettings.Gateway route) {
        Upstream upstream = named(route.upstream());
        CanaryConfig canary = route.canary();
        Router choosing =
                canary == null
                        ? new PathRouter(upstream, route.rules())
                        : new CanaryRouter(
                                divided.canary(route.upstream(), canary),
                                upstream,
                                named(canary.to()),
                                route.rules(),
                                CHANCE);
        HedgeConfig hedge = route.hedge();
        Router router =
                hedge == null
                        ? choosing
                        : choosing.hedged(divided.hedging(route.upstream(), route.prefix(), hedge));
        ReverseProxy passing =
                new ReverseProxy(router, pools, PSEUDONYM, Networks.of(route.trusted()));
        ReverseProxy proxy = trace ? passing : passing.withoutTrace();
        MirrorConfig mirror = route.mirror();
        return mirror == null
                ? proxy
                : new Mirror(
                        divided.copies(route.upstream(), mirror),
                        proxy,
                        proxy,
                        new Mirror.Sides(upstream, named(mirror.to())),
                        route.rules(),
                        new Mirror.Means(System::nanoTime, CHANCE, ProcessorLoad::now));
    }

    /// Which clients get the newest of several versions of an application; null = all without a
    /// session.
    @Nullable CanarySides versions(HostSettings host, RunningApp newest) {
        return RouteDivisions.sides(host, newest, divided, CHANCE);
    }

    /// How new versions of applications do, by host and path.
    Map<String, CanaryReading> versions() {
        return RouteDivisions.applications(divided);
    }

    private Upstream named(String name) {
        Upstream upstream = upstreams.get(name);
        if (upstream == null) {
            throw new StartException("there is no upstream " + name);
        }
        return upstream;
    }

    /// What answers by the rules of a host, or keeps requests from its routes; null when it has
    /// nothing of both.
    ///
    /// @param logins who knows the users
    @Nullable RuleFront rules(HostSettings host, StatusRoutes pages, Logins logins) {
        if (host.rules().isEmpty() && host.access().isEmpty() && host.changes().isNothing()) {
            return null; // As the gate would say, of which there may be thousands.
        }
        HtaccessFiles folders =
                new HtaccessFiles(
                        host.access().folderFiles(),
                        files(host.routes()),
                        host.access().passing(),
                        RuleLimits.defaults(),
                        System::nanoTime);
        AccessGate gate =
                new AccessGate(
                        RuleSet.of(host.rules(), host.changes(), RuleLimits.defaults()),
                        host.access(),
                        ServedFolders.of(mounts(host.routes())),
                        folders,
                        logins);
        if (gate.isEmpty()) {
            return null;
        }
        Map<RuleAction.Page, Handler> shown = new HashMap<>();
        for (GatewayRule rule : host.rules()) {
            if (rule.action() instanceof RuleAction.Page page) {
                shown.put(page, pages.handler(page));
            }
            String name = rule.upstream();
            if (name != null && !upstreams.containsKey(name)) {
                throw new StartException("there is no upstream " + name);
            }
        }
        NamedUpstreams known = new NamedUpstreams(upstreams, folders::peer);
        named.add(known);
        return new RuleFront(
                gate,
                known,
                shown,
                ReverseProxy.ofHost(
                        host.names().isEmpty() ? null : host.names().getFirst(),
                        pools,
                        PSEUDONYM,
                        trusted(host.changes().client())));
    }

    /// Finds out who clients are, and goes on with what is known of the users of the site before.
    ///
    /// @param server the users of the server; null = it has none
    /// @param databases the users in tables
    /// @param before those of the site before
    Logins logins(
            MargayConfig config,
            @Nullable UserSource server,
            Function<Login.Users.InDatabase, UserSource> databases,
            SiteContext context,
            Gateways before) {
        LoginLimits limits = config.limits().login();
        Set<Directory> directories = new HashSet<>();
        config.hosts().forEach(host -> directories.addAll(host.access().directories()));
        ForwardAuth services =
                new ForwardAuth(
                        upstreams,
                        new ReverseProxy(_ -> null, pools, PSEUDONYM, Networks.NONE),
                        limits.answerBytesMax(),
                        context.memory(),
                        System::nanoTime);
        Logins made =
                new Logins(
                        limits,
                        new Logins.Sources(server, databases, directories),
                        services,
                        context.openId(),
                        System::nanoTime,
                        before.logins);
        logins = made;
        return made;
    }

    /// Whose forwarding fields rules believe: those who are believed when they tell where clients
    /// are.
    private static Networks trusted(@Nullable ClientAddress client) {
        if (client == null) {
            return Networks.NONE;
        }
        List<String> networks = new ArrayList<>(client.trusted());
        networks.addAll(client.internal());
        return Networks.of(networks.isEmpty() ? List.of("0.0.0.0/0", "::/0") : networks);
    }

    private static List<FilesPlan> files(List<RouteSettings> routes) {
        return routes.stream()
                .filter(RouteSettings.StaticFiles.class::isInstance)
                .map(RouteSettings.StaticFiles.class::cast)
                .map(files ->
                        new FilesPlan(
                                files.prefix(),
                                files.folder(),
                                files.precompressed(),
                                files.pages()))
                .toList();
    }

    private static List<ServedFolders.Mount> mounts(List<RouteSettings> routes) {
        List<ServedFolders.Mount> mounts = new ArrayList<>();
        for (RouteSettings route : routes) {
            switch (route) {
                case RouteSettings.StaticFiles files ->
                        mounts.add(
                                new ServedFolders.Mount(
                                        files.prefix(), files.folder(), files.pages()));
                case RouteSettings.App _, RouteSettings.Gateway _, RouteSettings.Status _ ->
                        mounts.add(new ServedFolders.Mount(route.prefix(), null));
                case RouteSettings.Webapps _ -> {
                    // Its applications are below it; of files there are those of other routes.
                }
            }
        }
        return mounts;
    }

    /// What a host changes in all that passes it; null when nothing.
    ///
    /// @param rules of the host, or null
    /// @param routes of the host
    @Nullable ExchangeRules changes(HostSettings host, @Nullable RuleFront rules, Routes routes) {
        HostExchangeRules.Pages open = rules == null ? (_, _) -> true : rules.pages(routes);
        return host.access().readsFolders()
                ? HostExchangeRules.always(
                        host.changes(), this::variables, open, RuleLimits.defaults())
                : HostExchangeRules.of(
                        host.changes(), this::variables, open, RuleLimits.defaults());
    }

    /// What mod_proxy_balancer says about the peer that has answered.
    private Map<String, String> variables(Relay relay) {
        Upstream upstream = upstreams.get(relay.upstream());
        Map<String, String> variables = new HashMap<>();
        variables.put("BALANCER_NAME", "balancer://" + relay.upstream());
        if (upstream == null) {
            return variables;
        }
        for (Peer peer : upstream.peers()) {
            PeerConfig config = peer.config();
            if (config.name().equals(relay.peer())) {
                variables.put("BALANCER_WORKER_NAME", config.name());
                variables.put("BALANCER_WORKER_ROUTE", config.share().route());
            }
        }
        if (upstream.config().sticky().enabled() && !relay.kept()) {
            variables.put("BALANCER_ROUTE_CHANGED", "1");
        }
        return variables;
    }

    /// What status pages show of the upstreams.
    ///
    /// @param maps which requests lead to an upstream, by its name
    /// @param state the file that changes are kept in, or null
    StatusSource source(
            Function<String, List<StatusSource.UriMap>> maps,
            String software,
            @Nullable Path state) {
        Collection<Upstream> all = upstreams.values();
        StateFile file = state == null ? null : new StateFile(state);
        if (file != null) {
            if (changes == null || !changes.isKnown()) {
                file.load(fresh);
            }
            files.add(file);
        }
        return new StatusSource(
                all,
                pools::open,
                this::result,
                maps,
                InstantSource.system(),
                software,
                by -> {
                    if (file != null) {
                        file.save(all);
                    }
                    if (changes != null) {
                        changes.changed(by);
                    }
                });
    }

    /// What is shared with other servers; null = nothing.
    @Nullable SharedStatus shared() {
        return shared.read();
    }

    /// How the upstreams and their members do.
    List<UpstreamReading> read() {
        return UpstreamReadings.of(
                upstreams.values(), pools::open, sources::read, this::divided, changes);
    }

    /// What an upstream gives to others.
    private UpstreamReading.Divided divided(Upstream upstream) {
        String name = upstream.config().name();
        return new UpstreamReading.Divided(
                divided.canaries(name), divided.mirrors(name), divided.hedges(name));
    }

    /// The members, to be watched.
    List<Watched> watched() {
        return UpstreamReadings.watched(upstreams.values());
    }

    /// What is known of members, for the process that goes on with it: first who has registered,
    /// then how they do.
    List<TravellingState> states() {
        List<TravellingState> states = new ArrayList<>(sources.states());
        states.addAll(divided.all());
        for (Upstream upstream : upstreams.values()) {
            states.add(new UpstreamState(upstream));
            states.add(new UpstreamState.LeftOut(upstream));
            states.add(new UpstreamState.Busy(upstream));
            if (changes == null) { // Else the engine has them, and what is newer.
                states.add(new ChangesState(upstream));
            }
            HealthChecks running = checks.get(upstream);
            if (running != null) {
                states.add(running.state(upstream));
            }
        }
        return states;
    }

    /// Waits a little for upstreams where members register, and nobody has yet.
    void awaitRegistered() {
        sources.awaitRegistered(shared.registrations());
    }

    /// Who lets members of an upstream register; null = nobody does.
    @Nullable Registrar registrar(String upstream) {
        return sources.registrar(upstream);
    }

    /// Changes a member of an upstream; the files that keep changes keep this one, too.
    ///
    /// @param by who does, for logs
    /// @return what has changed, for the log; null when there is no such member
    @Nullable String change(String upstream, String member, MemberChange change, String by) {
        Upstream of = upstreams.get(upstream);
        if (of == null) {
            return null;
        }
        for (Peer peer : of.peers()) {
            PeerConfig before = peer.config();
            if (before.name().equals(member)) {
                peer.configure(before.withShare(change.of(before.share())));
                saveFiles();
                if (changes != null) {
                    changes.changed(by);
                }
                return change.text(before.share());
            }
        }
        return null;
    }

    private void saveFiles() {
        files.forEach(file -> file.save(upstreams.values()));
    }

    /// These are in force from now on.
    void inForce() {
        SharedRegistrations group = shared.registrations();
        if (group != null) {
            group.follow(sources.registrations());
        }
        shared.follow(upstreams.values());
        if (changes != null) {
            changes.follow(upstreams.values(), this::saveFiles);
        }
    }

    private CheckResult result(Peer peer) {
        Upstream upstream = upstreams.get(peer.upstream().name());
        HealthChecks running = upstream == null ? null : checks.get(upstream);
        return running == null ? new CheckResult(0, 0, null) : running.result(peer);
    }

    /// Closes connections to the upstreams and directories that `next` does not use, and ends their
    /// checks and the looking for their members.
    void retire(Gateways next) {
        sources.retire(next.sources);
        synchronized (named) {
            named.forEach(one -> one.forget().forEach(pools::retire));
        }
        Logins known = logins;
        if (known != null) {
            known.retire(next.logins);
        }
        checks.forEach((upstream, running) -> {
            if (!next.checks.containsKey(upstream)) {
                running.close();
            }
        });
        for (Upstream upstream : upstreams.values()) {
            if (next.pools != pools || !next.upstreams.containsValue(upstream)) {
                pools.retire(upstream);
            }
        }
    }
}
