package io.margay.app.site;

import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.status.BalancerEditor;
import io.margay.gateway.status.JkStatus;
import io.margay.gateway.status.ServerInfo;
import io.margay.gateway.status.ServerStatus;
import io.margay.gateway.status.StatusAccess;
import io.margay.gateway.status.StatusSource;
import io.margay.server.exchange.Handler;
import io.margay.server.forwarded.Networks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Makes the status pages of a site. Immutable.
///
/// @param traffic of the hosts by their names, which is complete when requests come
record StatusRoutes(
        MargayConfig config,
        Gateways gateways,
        ServerInfo server,
        Map<String, HostTraffic.Counts> traffic) {
    Handler handler(RouteSettings.Status route) {
        StatusSource source = gateways.source(this::maps, server.software(), route.state());
        return new LocalPage(
                handler(route.page(), source, new StatusAccess(route.token())),
                Networks.of(route.allowed()));
    }

    private Handler handler(
            RouteSettings.Status.Page page, StatusSource source, StatusAccess access) {
        return switch (page) {
            case JKSTATUS -> new JkStatus(source, access);
            case BALANCER_MANAGER -> new BalancerEditor(source, access);
            case SERVER_STATUS -> new ServerStatus(server, source);
        };
    }

    /// The page that a rule answers with, as httpd's files have them: what mod_jk balances is shown
    /// by mod_jk's page alone, what mod_proxy does by mod_proxy's and mod_status'.
    Handler handler(RuleAction.Page page) {
        StatusSource all = gateways.source(this::maps, server.software(), null);
        StatusAccess access = page.changes() ? StatusAccess.EVERYBODY : StatusAccess.READ_ONLY;
        StatusSource ofProxy = all.only(dialect -> !dialect.likeModJk());
        return switch (page.kind()) {
            case JK_STATUS -> new JkStatus(all.only(BalanceDialect::likeModJk), access);
            case SERVER_STATUS -> new ServerStatus(server, ofProxy);
            case BALANCER_MANAGER -> new BalancerEditor(ofProxy, access);
        };
    }

    private List<StatusSource.UriMap> maps(String upstream) {
        List<StatusSource.UriMap> maps = new ArrayList<>();
        for (HostSettings host : config.hosts()) {
            String names = host.names().isEmpty() ? "*" : String.join(" ", host.names());
            for (GatewayRule rule : host.rules()) {
                if (upstream.equals(rule.upstream())) {
                    maps.add(map(host, names, pattern(rule.match())));
                }
            }
            for (RouteSettings route : host.routes()) {
                if (route instanceof RouteSettings.Gateway gateway
                        && gateway.upstream().equals(upstream)) {
                    maps.add(map(host, names, gateway.prefix() + "/*"));
                }
            }
        }
        return maps;
    }

    private StatusSource.UriMap map(HostSettings host, String names, String path) {
        HostTraffic.Counts of = traffic.get(HostTraffic.name(host));
        return new StatusSource.UriMap(names, path, of == null ? List.of() : of.statuses(path));
    }

    static String pattern(GatewayRule.PathMatch match) {
        return switch (match) {
            case GatewayRule.PathMatch.Glob(String pattern) -> pattern;
            case GatewayRule.PathMatch.Prefix(String path) -> path + "*";
            case GatewayRule.PathMatch.Regex(String regex, boolean _, boolean _) -> regex;
        };
    }
}
