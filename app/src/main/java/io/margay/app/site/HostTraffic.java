package io.margay.app.site;

import io.margay.app.admin.HostReading;
import io.margay.app.config.HostSettings;
import io.margay.app.deploy.AppVersions;
import io.margay.app.deploy.RunningApp;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleAction;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.host.StatusCounts;
import io.margay.server.meter.Meter;
import io.margay.server.meter.TrafficCounts;
import io.margay.server.sight.Sight;
import io.margay.server.sight.SightKey;
import io.margay.server.sight.Watched;
import io.margay.server.telemetry.TraceMarks;
import io.margay.server.timing.RequestPhase;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Counts the answers of a host: all of them, and those of each of its routes. A reload leaves what
/// it has counted. Its maps are not changed; counting is thread-safe.
final class HostTraffic {
    private static final RequestPhase[] PHASES = RequestPhase.values();

    private final Counts counts;

    /// By handler, or by the action of the rule that has chosen one.
    private final IdentityHashMap<Object, Route> chosen = new IdentityHashMap<>(4);

    private final Sight sight;

    /// What no route answers.
    private final Route unrouted;

    private HostTraffic(Counts counts, Sight sight, @Nullable Counts before) {
        this.counts = counts;
        this.sight = sight;
        unrouted = route("", null, null, before);
    }

    /// What is counted of a host. It refers to nothing that answers, and so keeps no application
    /// that was undeployed.
    ///
    /// @param name its first name
    /// @param routes by their patterns
    /// @param series of each route, and of each application that it leads to
    record Counts(
            String name,
            StatusCounts all,
            Map<String, StatusCounts> routes,
            Map<SightKey, TrafficCounts> series) {
        private static Counts of(String name, @Nullable Counts before) {
            StatusCounts all = before == null ? new StatusCounts() : before.all;
            return new Counts(name, all, new LinkedHashMap<>(4), new LinkedHashMap<>(4));
        }

        /// With that of another host of the same name.
        Counts with(Counts other) {
            Counts both = of(name, this);
            both.routes.putAll(routes);
            other.routes.forEach(both.routes::putIfAbsent);
            both.series.putAll(series);
            other.series.forEach(both.series::putIfAbsent);
            return both;
        }

        /// Of a route by its pattern, from 1xx to 5xx.
        List<Long> statuses(String path) {
            StatusCounts counts = routes.get(path);
            return counts == null ? List.of() : counts.read();
        }

        List<Meter> meters() {
            List<Meter> meters =
                    new ArrayList<>(
                            all.meters("margay_host_responses", "Answers of a host by class."));
            routes.forEach((path, counts) ->
                    meters.addAll(
                            Meter.with(
                                    counts.meters(
                                            "margay_route_responses",
                                            "Answers of a route by class."),
                                    "route",
                                    path)));
            series.forEach((key, traffic) -> {
                List<Meter> own = traffic.meters("margay_route_", "requests of a route");
                own = Meter.with(own, "route", key.name());
                meters.addAll(Meter.with(own, "application", key.application()));
            });
            return Meter.with(meters, "host", name);
        }

        /// Its routes, to be watched.
        void watched(List<Watched> all) {
            series.forEach((key, traffic) -> all.add(Watched.of(key, traffic)));
        }

        HostReading read() {
            List<HostReading.Route> read = new ArrayList<>();
            routes.forEach((path, counts) -> read.add(new HostReading.Route(path, counts.read())));
            return new HostReading(name, all.read(), read);
        }
    }

    /// Counts an exchange for the host and for one of its routes, and tells the application at its
    /// end: one observer of three, since each costs the request memory.
    private record Route(
            SightKey key,
            StatusCounts host,
            @Nullable StatusCounts own,
            TrafficCounts traffic,
            Sight sight,
            @Nullable RunningApp app)
            implements ExchangeObserver {
        @Override
        public void ended(Exchange exchange) {
            host.ended(exchange);
            if (own != null) {
                own.ended(exchange);
            }
            traffic.bytes(exchange.wireBytesIn(), exchange.wireBytesOut());
            for (RequestPhase phase : PHASES) {
                traffic.phase(phase, exchange.micros(phase) * 1_000);
            }
            traffic.end(
                    exchange.status(),
                    exchange.failure() != null,
                    sight.ended(exchange, key),
                    TraceMarks.of(exchange));
            if (app != null) {
                app.ended(exchange);
            }
        }
    }

    /// @param handlers of its routes, by their paths with `/*`
    /// @param before of the host of that name in the site before; null = there was none
    static HostTraffic of(
            HostSettings host,
            Map<String, Handler> handlers,
            @Nullable Counts before,
            Sight sight) {
        HostTraffic made = new HostTraffic(Counts.of(name(host), before), sight, before);
        for (GatewayRule rule : host.rules()) {
            if (rule.action() instanceof RuleAction.Forward forward) {
                made.choose(forward, StatusRoutes.pattern(rule.match()), before);
            }
        }
        handlers.forEach((path, handler) -> {
            made.choose(handler, path, before);
            if (handler instanceof AppVersions versions) {
                versions.all().forEach(app -> made.choose(app, path, before));
            }
        });
        return made;
    }

    /// What a host is called where it is counted: its first name.
    static String name(HostSettings host) {
        return host.names().isEmpty() ? "*" : host.names().getFirst();
    }

    private void choose(Object by, String path, @Nullable Counts before) {
        StatusCounts known = before == null ? null : before.routes.get(path);
        StatusCounts own =
                counts.routes.computeIfAbsent(
                        path, _ -> known == null ? new StatusCounts() : known);
        chosen.put(by, route(path, own, by instanceof RunningApp app ? app : null, before));
    }

    private Route route(
            String path,
            @Nullable StatusCounts own,
            @Nullable RunningApp app,
            @Nullable Counts before) {
        String application = app == null ? "" : app.name().toString();
        SightKey key = new SightKey(SightKey.Kind.ROUTE, counts.name, path, application);
        TrafficCounts known = before == null ? null : before.series.get(key);
        TrafficCounts traffic =
                counts.series.computeIfAbsent(
                        key, _ -> known == null ? new TrafficCounts() : known);
        return new Route(key, counts.all, own, traffic, sight, app);
    }

    /// What it counts.
    Counts counts() {
        return counts;
    }

    /// A stage holds an exchange, which has no route yet.
    void held(Exchange exchange) {
        sight.at(exchange, unrouted.key);
    }

    /// Has an exchange counted that was refused before a route was found.
    void refused(Exchange exchange) {
        unrouted.traffic.begin();
        exchange.onEnd(unrouted);
    }

    /// Has an exchange counted that a handler of the host is about to answer; an application, which
    /// has begun it, is told of its end, and observers of the route.
    void routed(Exchange exchange, Handler by) {
        Route route = chosen.get(by instanceof RuleFront.Forwarded rule ? rule.action() : by);
        Route counted = route == null ? unrouted : route;
        sight.at(exchange, counted.key);
        counted.traffic.begin();
        exchange.onEnd(counted);
        if (route == null && by instanceof RunningApp app) {
            exchange.onEnd(app);
        }
        exchange.observer().routed(exchange, by, counted.key.name());
    }
}
