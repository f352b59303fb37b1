package io.margay.app.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One virtual host. Immutable.
///
/// @param names what it answers to; empty = any name that no other host has
/// @param accessLog its log, or null for none
public record HostSettings(
        List<String> names, @Nullable AccessLogSettings accessLog, List<RouteSettings> routes) {
    public HostSettings {
        names = List.copyOf(names);
        routes = List.copyOf(routes);
    }

    /// The host for any name, without a log.
    public static HostSettings any(List<RouteSettings> routes) {
        return new HostSettings(List.of(), null, routes);
    }
}
