package io.margay.app;

import io.margay.app.config.HostSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.console.HostMap;
import io.margay.app.console.HostMap.Target;
import io.margay.app.deploy.RunningApp;
import io.margay.app.site.Site;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleAction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Draws where the requests of hosts go, of the active configuration. Stateless.
final class HostMaps {
    private static final int HOSTS_MAX = 200;
    private static final int TARGETS_MAX = 100;

    private HostMaps() {}

    /// At most 200 hosts, of each at most 100 targets.
    static List<HostMap> of(List<HostSettings> hosts, Site site) {
        return hosts.stream()
                .limit(HOSTS_MAX)
                .map(host ->
                        new HostMap(
                                Site.name(host),
                                site.stages(host),
                                targets(host, site).stream().limit(TARGETS_MAX).toList()))
                .toList();
    }

    private static List<Target> targets(HostSettings host, Site site) {
        Set<Target> found = new LinkedHashSet<>();
        for (GatewayRule rule : host.rules()) {
            if (rule.action() instanceof RuleAction.Forward forward) {
                found.add(new Target(Site.pattern(rule), "upstream", forward.upstream()));
            }
        }
        for (RouteSettings route : host.routes()) {
            switch (route) {
                case RouteSettings.Gateway to ->
                        found.add(new Target(below(to.prefix()), "upstream", to.upstream()));
                case RouteSettings.StaticFiles files ->
                        found.add(
                                new Target(
                                        below(files.prefix()), "files", files.folder().toString()));
                case RouteSettings.Status page ->
                        found.add(new Target(below(page.prefix()), "page", page.page().word()));
                case RouteSettings.App _, RouteSettings.Webapps _ -> {
                    // Those that run are asked.
                }
            }
        }
        for (RunningApp app : site.apps()) {
            if (app.name().host().equals(host.names())) {
                String path = app.name().contextPath();
                found.add(new Target(below(path), "application", path.isEmpty() ? "/" : path));
            }
        }
        return new ArrayList<>(found);
    }

    private static String below(String prefix) {
        return prefix + "/*";
    }
}
