package io.margay.app.config;

import io.margay.gateway.access.HostAccess;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.shield.ShieldSettings;
import io.margay.server.compression.CompressionConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One virtual host. Immutable.
///
/// @param names what it answers to; empty = any name that no other host at the same places has
/// @param accessLog its log, or null for none
/// @param at where requests must arrive; empty = at no place that another host names
/// @param rules asked before the routes, in this order; what none takes is left to the routes
/// @param sight what else is told of its requests
/// @param changes what is changed in requests and responses that pass
/// @param access who may ask for what
/// @param compression how responses of a route are compressed, where it says so itself
/// @param paths how paths are read that servers disagree about
/// @param limits how many requests it takes, asked in this order before the rules
/// @param shield what keeps clients out that cost too much, or pretend to be others; null = nothing
/// @param catalina the host of a `CATALINA_BASE` whose settings the applications have; null = none
@RecordBuilder
public record HostSettings(
        List<String> names,
        @Nullable AccessLogSettings accessLog,
        List<RouteSettings> routes,
        List<HostPlace> at,
        List<GatewayRule> rules,
        Sight sight,
        HostChanges changes,
        HostAccess access,
        Map<RouteSettings, CompressionConfig> compression,
        PathSettings paths,
        List<RequestLimit> limits,
        @Nullable ShieldSettings shield,
        @Nullable CatalinaHost catalina)
        implements HostSettingsBuilder.With {
    /// What is told of its requests beside its access log. Immutable.
    ///
    /// @param furtherLogs more logs of the same requests
    /// @param serverTiming whether responses say where the time went, in `Server-Timing`
    public record Sight(List<AccessLogSettings> furtherLogs, boolean serverTiming) {
        /// Nothing.
        public static final Sight NONE = new Sight(List.of(), false);

        public Sight {
            furtherLogs = List.copyOf(furtherLogs);
        }

        /// The logs of a host but the first one.
        public static Sight ofLogs(List<AccessLogSettings> all) {
            return all.size() < 2 ? NONE : new Sight(all.subList(1, all.size()), false);
        }
    }

    public HostSettings {
        names = List.copyOf(names);
        routes = List.copyOf(routes);
        at = List.copyOf(at);
        rules = List.copyOf(rules);
        compression = Map.copyOf(compression);
        limits = List.copyOf(limits);
    }

    /// A host for requests from anywhere, without rules.
    public HostSettings(
            List<String> names, @Nullable AccessLogSettings accessLog, List<RouteSettings> routes) {
        this(names, accessLog, routes, List.of());
    }

    /// The same for requests that arrive at some places.
    public HostSettings(
            List<String> names,
            @Nullable AccessLogSettings accessLog,
            List<RouteSettings> routes,
            List<HostPlace> at) {
        this(
                names,
                accessLog,
                routes,
                at,
                List.of(),
                Sight.NONE,
                HostChanges.NONE,
                HostAccess.NONE,
                Map.of(),
                PathSettings.STRICT,
                List.of(),
                null,
                null);
    }

    /// Whether responses may be compressed anywhere.
    public boolean compresses() {
        return !compression.isEmpty() || !changes.compression().isEmpty() || access.readsFolders();
    }

    /// The host for any name, without a log.
    public static HostSettings any(List<RouteSettings> routes) {
        return new HostSettings(List.of(), null, routes);
    }
}
