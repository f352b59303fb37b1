package io.margay.app.deploy;

import io.margay.app.config.HostSettings;
import io.margay.app.config.RouteSettings;
import io.margay.gateway.canary.CanaryConfig;
import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.canary.CanarySides;
import io.margay.gateway.canary.DividedRoutes;
import io.margay.gateway.canary.DividedRoutes.Division;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Which requests of a site's routes are divided between versions, of upstreams and of
/// applications. Stateless.
public final class RouteDivisions {
    /// No upstream is called so.
    private static final String APPLICATION = "application ";

    private RouteDivisions() {}

    /// Those of all hosts.
    public static List<Division> of(List<HostSettings> hosts) {
        List<Division> all = new ArrayList<>();
        for (HostSettings host : hosts) {
            for (RouteSettings route : host.routes()) {
                if (route instanceof RouteSettings.Gateway one) {
                    all.add(
                            new Division(
                                    one.upstream(),
                                    one.prefix(),
                                    one.canary(),
                                    one.mirror(),
                                    one.hedge()));
                } else if (route instanceof RouteSettings.App app && app.canary() != null) {
                    all.add(new Division(name(host, app), "", canary(app), null, null));
                }
            }
        }
        return all;
    }

    private static String name(HostSettings host, RouteSettings.App app) {
        String path = app.contextPath().isEmpty() ? "/" : app.contextPath();
        return APPLICATION + (host.names().isEmpty() ? "" : host.names().getFirst()) + path;
    }

    private static @Nullable CanaryConfig canary(RouteSettings.App app) {
        CanaryConfig canary = app.canary();
        return canary == null ? null : canary.withTo("##" + app.version());
    }

    /// Which clients get the newest of several versions; null = all without a session.
    ///
    /// @param random makes the cookies of new clients; thread-safe
    public static @Nullable CanarySides sides(
            HostSettings host, RunningApp newest, DividedRoutes divided, RandomGenerator random) {
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.App app
                    && app.contextPath().equals(newest.name().contextPath())
                    && app.version().equals(newest.name().version())) {
                CanaryConfig canary = canary(app);
                return canary == null
                        ? null
                        : new CanarySides(
                                divided.canary(name(host, app), canary),
                                () -> "JSESSIONID",
                                random);
            }
        }
        return null;
    }

    /// How new versions of applications do, by host and path.
    public static Map<String, CanaryReading> applications(DividedRoutes divided) {
        return divided.named(APPLICATION);
    }
}
