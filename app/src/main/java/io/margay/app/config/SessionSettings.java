package io.margay.app.config;

import io.margay.servlet.session.SessionIds;
import io.margay.servlet.session.SessionWrite;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where sessions live and how they are named. Immutable.
///
/// @param folder where those in memory are kept over a restart, or null for `sessions` in the work
///   folder
/// @param route what session identifiers end with, after a dot, for gateways that keep sessions
///   with their server; empty = nothing
/// @param drainDisabled whether a server that its load balancer has disabled sends clients without
///   a live session to another one
/// @param shared the engine that keeps them for several servers; null = they are in memory
@RecordBuilder
public record SessionSettings(
        @Nullable Path folder, String route, boolean drainDisabled, @Nullable Shared shared)
        implements SessionSettingsBuilder.With {
    /// How several servers share their sessions. Immutable; never shown whole, for what is secret
    /// in it.
    ///
    /// @param store the name of the engine's kind
    /// @param url where the engine is; null = `resource` says it
    /// @param resource the name of a data source; null = `url` says it
    /// @param key what is written is signed with it
    /// @param sticky whether clients come back to the server whose route their session has, unless
    ///   it fails
    @RecordBuilder
    public record Shared(
            String store,
            @Nullable String url,
            @Nullable String resource,
            String key,
            SessionWrite write,
            Duration connectTimeout,
            Duration timeout,
            int connectionsMax,
            boolean sticky) {
        @Override
        public String toString() {
            return store;
        }
    }

    public SessionSettings {
        if (!route.isEmpty() && !SessionIds.isRoute(route)) {
            throw new IllegalArgumentException(
                    "\"" + route + "\" is not a route: " + SessionIds.ROUTE_FORM);
        }
    }

    /// Kept over a restart in the work folder, without a route.
    public static SessionSettings defaults() {
        return new SessionSettings(null, "", false, null);
    }
}
