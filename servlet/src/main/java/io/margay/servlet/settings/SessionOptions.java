package io.margay.servlet.settings;

import io.margay.servlet.session.SessionIds;
import io.margay.servlet.session.SessionStores;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How the sessions of an application are named and kept. Immutable.
///
/// @param stores where they live
/// @param version of an application of which several versions run at once; empty = none
/// @param file where they are kept while the application is down; null = they end with it
/// @param route what session identifiers end with, after a dot, so that a gateway knows this server
///   by it; empty = nothing
/// @param handoverWait how long a request waits for requests of the same session that were begun
///   before the application was deployed anew; then it goes on with the session as it is
/// @param drainDisabled whether a server that its load balancer has disabled sends clients without
///   a live session to another one
@RecordBuilder
public record SessionOptions(
        SessionStores stores,
        String version,
        @Nullable Path file,
        String route,
        Duration handoverWait,
        boolean drainDisabled)
        implements SessionOptionsBuilder.With {
    /// Long enough for usual requests, and short enough for a user to wait.
    public static final Duration HANDOVER_WAIT_DEFAULT = Duration.ofSeconds(5);

    public SessionOptions {
        Objects.requireNonNull(stores, "stores");
        Objects.requireNonNull(version, "version");
        if (!route.isEmpty() && !SessionIds.isRoute(route)) {
            throw new IllegalArgumentException(
                    "\"" + route + "\" is not a route: " + SessionIds.ROUTE_FORM);
        }
        if (handoverWait.isNegative()) {
            throw new IllegalArgumentException("handoverWait is negative");
        }
    }

    /// In memory, kept nowhere, without a route.
    public static SessionOptions defaults() {
        return new SessionOptions(SessionStores.MEMORY, "", null, "", HANDOVER_WAIT_DEFAULT, false);
    }
}
