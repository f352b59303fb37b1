package io.margay.app.config;

import io.margay.protocol.http.PathReading;
import java.util.Map;

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

    /// The same for all routes.
    public static PathSettings of(PathReading whole) {
        return new PathSettings(whole, Map.of());
    }
}
