package io.margay.app.site;

import io.margay.app.config.HostSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.deploy.AppVersions;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.SharedResources;
import io.margay.gateway.login.Logins;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleAction;
import io.margay.server.compression.Compressor;
import io.margay.server.exchange.Handler;
import io.margay.server.files.FileRules;
import io.margay.server.files.StaticFiles;
import io.margay.server.host.Routes;
import io.margay.server.sight.Sight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes the hosts of a site. A host of the site before is served on as the object that it is where
/// a new one could not be another: its settings are the same object, and so is what answers for it.
/// Confined to the thread that builds the site.
final class SiteHosts {
    private final Gateways gateways;
    private final StatusRoutes status;
    private final Logins logins;
    private final SharedResources shared;
    private final @Nullable Compressor compressor;
    private final Function<HostSettings, List<HostLog>> logs;
    private final Map<List<String>, List<RunningApp>> apps;
    private @Nullable Before before;
    private final Map<String, HostTraffic.Counts> traffic;
    private final Sight sight;
    private final StaticFiles.Parents parents = new StaticFiles.Parents();
    private int routes;

    /// The site before, as far as hosts can be taken from it.
    ///
    /// @param apps its applications, by their hosts
    private record Before(HostPlaces hosts, Map<List<String>, List<RunningApp>> apps) {}

    /// @param logs opens the logs of a host
    /// @param status has the traffic of the hosts before; that of the hosts made is put there
    SiteHosts(
            List<RunningApp> apps,
            StatusRoutes status,
            Logins logins,
            SharedResources shared,
            @Nullable Compressor compressor,
            Function<HostSettings, List<HostLog>> logs,
            Sight sight) {
        this.apps = byHost(apps);
        gateways = status.gateways();
        this.status = status;
        this.logins = logins;
        this.shared = shared;
        this.compressor = compressor;
        this.logs = logs;
        traffic = status.traffic();
        this.sight = sight;
    }

    /// Has hosts taken over from another site, whose upstreams and resources are the same.
    void takeOver(HostPlaces hosts, List<RunningApp> ofBefore) {
        before = new Before(hosts, byHost(ofBefore));
    }

    private static Map<List<String>, List<RunningApp>> byHost(List<RunningApp> apps) {
        Map<List<String>, List<RunningApp>> byHost = new HashMap<>();
        for (RunningApp app : apps) {
            byHost.computeIfAbsent(app.name().host(), _ -> new ArrayList<>()).add(app);
        }
        return byHost;
    }

    /// How many routes, applications and rules the hosts have that were made.
    int routes() {
        return routes;
    }

    /// What serves a host.
    ServedHost of(HostSettings host, HostLimiters.Made limits) {
        List<RunningApp> own = apps.getOrDefault(host.names(), List.of());
        List<HostLog> logged = logs.apply(host);
        ServedHost known = known(host, own, limits);
        ServedHost served = known;
        if (served == null) {
            served =
                    host.changes().places().isEmpty()
                            ? made(host, own, limits, logged)
                            : host.changes().places().during(() -> made(host, own, limits, logged));
        }
        routes += own.size() + host.rules().size();
        for (RouteSettings route : host.routes()) {
            boolean byApplications =
                    route instanceof RouteSettings.App || route instanceof RouteSettings.Webapps;
            routes += byApplications ? 0 : 1;
        }
        return served;
    }

    private @Nullable ServedHost known(
            HostSettings host, List<RunningApp> own, HostLimiters.Made limits) {
        Before site = before;
        ServedHost known = site == null ? null : site.hosts.served(host);
        return site != null
                        && known != null
                        && known.limits().equals(limits)
                        && own.equals(site.apps.getOrDefault(host.names(), List.of()))
                        && isAlone(host)
                        && areSame(known.files())
                ? known
                : null;
    }

    /// Whether a host depends on nothing that each site has anew: who the users are, pages about
    /// all hosts, the settings of a `CATALINA_BASE`.
    private static boolean isAlone(HostSettings host) {
        if (!host.access().isEmpty() || host.catalina() != null) {
            return false;
        }
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.Status) {
                return false;
            }
        }
        for (GatewayRule rule : host.rules()) {
            if (rule.action() instanceof RuleAction.Page) {
                return false;
            }
        }
        return true;
    }

    private boolean areSame(List<StaticFiles> folders) {
        for (StaticFiles files : folders) {
            if (!files.isWhereItWas(parents)) {
                return false;
            }
        }
        return true;
    }

    private ServedHost made(
            HostSettings host,
            List<RunningApp> own,
            HostLimiters.Made limits,
            List<HostLog> logged) {
        RuleFront rules = gateways.rules(host, status, logins);
        FileRules files = rules == null ? FileRules.NONE : rules.files();
        Map<String, Handler> handlers = handlers(host, own, files);
        Routes table = Routes.of(handlers);
        HostTraffic counted =
                HostTraffic.of(host, handlers, traffic.get(HostTraffic.name(host)), sight);
        HostTraffic.Counts counts = counted.counts();
        traffic.merge(counts.name(), counts, (known, now) -> now.with(known));
        return ServedHost.of(
                HostPartsBuilder.builder()
                        .settings(host)
                        .routes(table)
                        .handlers(handlers)
                        .rules(rules)
                        .changes(gateways.changes(host, rules, table))
                        .made(limits)
                        .hostLogs(logged)
                        .compressor(compressor)
                        .rewritingRules(shared.rewriting(host))
                        .build(),
                counted);
    }

    private AppVersions several(HostSettings host, List<RunningApp> versions) {
        RunningApp newest = AppVersions.newestFirst(versions).getFirst();
        return new AppVersions(versions, gateways.versions(host, newest));
    }

    private Map<String, Handler> handlers(
            HostSettings host, List<RunningApp> own, FileRules rules) {
        Map<String, List<RunningApp>> versions = new LinkedHashMap<>();
        for (RunningApp app : own) {
            versions.computeIfAbsent(app.name().contextPath(), _ -> new ArrayList<>()).add(app);
        }
        Map<String, Handler> handlers = new LinkedHashMap<>();
        versions.forEach((path, of) ->
                handlers.put(path + "/*", of.size() == 1 ? of.getFirst() : several(host, of)));
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.StaticFiles files) {
                handlers.putIfAbsent(
                        files.prefix() + "/*", HostFiles.of(files, host, rules, parents));
            } else if (route instanceof RouteSettings.Gateway gateway) {
                handlers.putIfAbsent(gateway.prefix() + "/*", gateways.handler(gateway));
            } else if (route instanceof RouteSettings.Status page) {
                handlers.putIfAbsent(page.prefix() + "/*", status.handler(page));
            }
        }
        return handlers;
    }
}
