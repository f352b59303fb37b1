package io.margay.app.config;

import io.margay.protocol.http.PathReading;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a host reads the paths that servers disagree about. Immutable.
///
/// @param whole for all that answers it
/// @param routes for what answers a route, where it says so itself
public record PathSettings(PathReading whole, Map<RouteSettings, PathReading> routes) {
    /// Refuses them with 400.
    public static final PathSettings STRICT = of(PathReading.STRICT);

    public PathSettings {
        routes = Map.copyOf(routes);
    }

    /// In place of the record's own, whose code the JVM makes at each start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PathSettings that
                && whole.equals(that.whole)
                && routes.equals(that.routes);
    }

    @Override
    public int hashCode() {
        return 31 * whole.hashCode() + routes.hashCode();
    }

    /// The same for all routes.
    public static PathSettings of(PathReading whole) {
        return new PathSettings(whole, Map.of());
    }
}
