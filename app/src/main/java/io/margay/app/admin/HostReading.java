package io.margay.app.admin;

import java.util.List;

/// What a host has answered, as those see it who run the server. Immutable.
///
/// @param name its first name; `*` = any
/// @param statuses answers by class of status, from 1xx to 5xx
public record HostReading(String name, List<Long> statuses, List<Route> routes) {
    public HostReading {
        statuses = List.copyOf(statuses);
        routes = List.copyOf(routes);
    }

    /// A route of it, or a rule that leads to an upstream.
    ///
    /// @param path its pattern
    /// @param statuses as those of the host
    public record Route(String path, List<Long> statuses) {}
}
