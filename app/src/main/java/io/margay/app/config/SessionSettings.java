package io.margay.app.config;

import io.margay.servlet.session.SessionIds;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where sessions live and how they are named: in memory, and over a restart in files. Immutable.
///
/// @param folder where they are kept over a restart, or null for `sessions` in the work folder
/// @param route what session identifiers end with, after a dot, for gateways that keep sessions
///   with their server; empty = nothing
/// @param drainDisabled whether a server that its load balancer has disabled sends clients without
///   a live session to another one
public record SessionSettings(@Nullable Path folder, String route, boolean drainDisabled) {
    public SessionSettings {
        if (!route.isEmpty() && !SessionIds.isRoute(route)) {
            throw new IllegalArgumentException(
                    "\"" + route + "\" is not a route: " + SessionIds.ROUTE_FORM);
        }
    }

    /// Kept over a restart in the work folder, without a route.
    public static SessionSettings defaults() {
        return new SessionSettings(null, "", false);
    }

    /// The same with another route.
    public SessionSettings withRoute(String other) {
        return new SessionSettings(folder, other, drainDisabled);
    }
}
