package io.margay.app.site;

import io.margay.app.config.HostSettings;
import io.margay.app.config.PathSettings;
import io.margay.app.config.RouteSettings;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.PathReading.EncodedSlash;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.Passage;
import io.margay.server.host.Routes;
import io.margay.server.host.Stage;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How a host reads the paths that servers disagree about. It is decided before anybody looks at a
/// path, so that rules, access and what answers see one. Immutable.
///
/// Where routes say something themselves, the reading counts by which a path leads to a route that
/// reads so; with none, or with two, the request is refused.
final class HostPaths implements Stage {
    private final Routes routes;
    private final PathReading whole;
    private final Map<Handler, PathReading> own;
    private final Set<PathReading> readings = new LinkedHashSet<>();
    private final PathReading refusal;

    private HostPaths(Routes routes, PathReading whole, Map<Handler, PathReading> own) {
        this.routes = routes;
        this.whole = whole;
        this.own = Map.copyOf(own);
        readings.add(whole);
        readings.addAll(own.values());
        EncodedSlash slash = whole.slash();
        refusal =
                new PathReading(
                        slash == EncodedSlash.NOT_FOUND ? slash : EncodedSlash.REJECT, false);
    }

    /// That of a host; null where all are refused with 400.
    ///
    /// @param handlers of its routes, by their paths with `/*`
    static @Nullable HostPaths of(HostSettings host, Routes routes, Map<String, Handler> handlers) {
        PathSettings paths = host.paths();
        if (paths.equals(PathSettings.STRICT)) {
            return null;
        }
        Map<Handler, PathReading> own = new HashMap<>();
        paths.routes()
                .forEach((RouteSettings route, PathReading reading) -> {
                    Handler handler = handlers.get(route.prefix() + "/*");
                    if (handler != null) {
                        own.put(handler, reading);
                    }
                });
        return new HostPaths(routes, paths.whole(), own);
    }

    @Override
    public Outcome enter(Exchange exchange, Passage passage) {
        note(exchange);
        return Outcome.PASSES;
    }

    /// Notes how the path of a request is read.
    void note(Exchange exchange) {
        String raw = exchange.request().target().rawPath();
        if (PathReading.matters(raw)) {
            exchange.notes().reading(of(raw));
        }
    }

    private PathReading of(String raw) {
        PathReading found = null;
        for (PathReading reading : readings) {
            CanonicalPath path = CanonicalPath.of(raw, reading);
            Handler handler = path.error() == null ? routes.find(path.path()) : null;
            PathReading wanted = handler == null ? whole : own.getOrDefault(handler, whole);
            if (path.error() == null && wanted.equals(reading)) {
                if (found != null) {
                    return refusal;
                }
                found = reading;
            }
        }
        return found == null ? refusal : found;
    }
}
