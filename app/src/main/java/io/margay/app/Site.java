package io.margay.app;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.gateway.status.ServerFacts;
import io.margay.protocol.http.Authority;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.files.StaticFiles;
import io.margay.server.files.StaticFilesConfig;
import io.margay.server.host.Routes;
import io.margay.server.host.VirtualHosts;
import io.margay.server.log.AccessLog;
import io.margay.server.log.LogFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Everything that is served at one time: hosts with their routes, applications and logs. Immutable
/// but for its count of requests; a reload makes another and takes over what has not changed.
final class Site {
    /// Serves nothing.
    static final Site NONE =
            new Site(new VirtualHosts(Map.of()), List.of(), Map.of(), List.of(), Gateways.NONE, 0);

    private final VirtualHosts hosts;
    private final List<RunningApp> apps;
    private final Map<AccessLogSettings, AccessLog> logs;
    private final List<String> failures;
    private final Gateways gateways;
    private final int routes;
    private final RequestCount requests = new RequestCount();

    private Site(
            VirtualHosts hosts,
            List<RunningApp> apps,
            Map<AccessLogSettings, AccessLog> logs,
            List<String> failures,
            Gateways gateways,
            int routes) {
        this.hosts = hosts;
        this.gateways = gateways;
        this.routes = routes;
        this.apps = List.copyOf(apps);
        this.logs = Map.copyOf(logs);
        this.failures = List.copyOf(failures);
    }

    /// One host: where its requests go, and where they are logged.
    private record Host(Routes routes, @Nullable AccessLog log) implements Handler {
        @Override
        public void handle(Exchange exchange) throws IOException {
            routes.handle(exchange);
        }
    }

    /// Deploys what `before` does not have, in parallel. What cannot be deployed is a failure of
    /// the site, and the rest is served.
    ///
    /// @throws StartException when a folder of files or an access log cannot be opened; nothing new
    ///   is left running
    static Site build(
            MargayConfig config, Site before, ServerFacts facts, DeployProgress progress) {
        List<String> failures = new ArrayList<>();
        Map<AccessLogSettings, AccessLog> logs = new HashMap<>();
        List<RunningApp> apps = Deployments.deploy(config, before.apps, progress, failures);
        Gateways gateways = before.gateways.next(config.upstreams());
        StatusRoutes status = new StatusRoutes(config, gateways, facts);
        try {
            Map<String, Handler> table = new LinkedHashMap<>();
            int served = 0;
            for (HostSettings host : config.hosts()) {
                AccessLog log = log(host.accessLog(), before, logs);
                Map<String, Handler> routes = routes(host, apps, gateways, status, failures);
                served += routes.size();
                Host handler = new Host(Routes.of(routes), log);
                List<String> names =
                        host.names().isEmpty() ? List.of(VirtualHosts.ANY) : host.names();
                names.forEach(name -> table.put(name, handler));
            }
            return new Site(new VirtualHosts(table), apps, logs, failures, gateways, served);
        } catch (StartException e) {
            new Site(NONE.hosts, apps, logs, List.of(), gateways, 0).retire(before, Duration.ZERO);
            throw e;
        }
    }

    private static Map<String, Handler> routes(
            HostSettings host,
            List<RunningApp> apps,
            Gateways gateways,
            StatusRoutes status,
            List<String> failures) {
        Map<String, Handler> routes = new LinkedHashMap<>();
        for (RunningApp app : apps) {
            if (app.key().host().equals(host.names())) {
                put(
                        routes,
                        app.key().contextPath(),
                        app.handler(),
                        app.key().file().toString(),
                        failures);
            }
        }
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.StaticFiles files) {
                String folder = files.folder().toString();
                put(routes, files.prefix(), staticFiles(files), folder, failures);
            } else if (route instanceof RouteSettings.Gateway gateway) {
                String name = "the upstream " + gateway.upstream();
                put(routes, gateway.prefix(), gateways.handler(gateway), name, failures);
            } else if (route instanceof RouteSettings.Status page) {
                String name = "the page " + page.page().word();
                put(routes, page.prefix(), status.handler(page), name, failures);
            }
        }
        return routes;
    }

    private static void put(
            Map<String, Handler> routes,
            String path,
            Handler handler,
            String source,
            List<String> failures) {
        if (routes.putIfAbsent(path + "/*", handler) != null) {
            failures.add(
                    source + ": not served, because something else is served at " + path + "/");
        }
    }

    private static Handler staticFiles(RouteSettings.StaticFiles files) {
        try {
            return new StaticFiles(
                    StaticFilesConfig.of(files.folder(), files.prefix()), new SplittableRandom());
        } catch (IOException e) {
            throw new StartException(files.folder() + " cannot be served: " + e.getMessage(), e);
        }
    }

    private static @Nullable AccessLog log(
            @Nullable AccessLogSettings settings,
            Site before,
            Map<AccessLogSettings, AccessLog> logs) {
        if (settings == null) {
            return null;
        }
        AccessLog log = logs.get(settings);
        if (log == null) {
            log = before.logs.get(settings);
            if (log == null) {
                log = openLog(settings);
            }
            logs.put(settings, log);
        }
        return log;
    }

    private static AccessLog openLog(AccessLogSettings settings) {
        try {
            Path parent = settings.file().toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            return new AccessLog(settings.file().toString(), LogFormat.of(settings.format()));
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException(
                    "the access log " + settings.file() + " cannot be opened: " + e.getMessage(),
                    e);
        }
    }

    /// What answers a request: looked up here, so that nothing of the way to it stays on the stack.
    Handler select(Exchange exchange) {
        Handler host = hosts.select(exchange);
        return host instanceof Host one ? one.routes.select(exchange) : host;
    }

    /// The requests that this site has begun.
    RequestCount requests() {
        return requests;
    }

    /// Writes an exchange that has ended into the log of its host.
    void log(Exchange exchange) {
        if (!logs.isEmpty()
                && hosts.find(Authority.host(exchange.request().target().authority()))
                        instanceof Host host
                && host.log != null) {
            host.log.ended(exchange);
        }
    }

    /// What each application that could not be deployed suffers from.
    List<String> failures() {
        return failures;
    }

    /// Whether there is neither an application nor a folder of files.
    boolean isEmpty() {
        return routes == 0;
    }

    /// Takes the place of `before`: peers are checked from now on.
    void begin(Site before) {
        gateways.begin(before.gateways);
    }

    /// Stops what `next` does not use, after the requests that this site has begun. Waits.
    void retire(Site next, Duration deadline) {
        requests.awaitNone(deadline);
        gateways.retire(next.gateways);
        Deployments.stop(apps.stream().filter(app -> !next.apps.contains(app)).toList());
        logs.forEach((settings, log) -> {
            if (!next.logs.containsKey(settings)) {
                log.close();
            }
        });
    }
}
