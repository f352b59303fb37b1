package io.margay.app.deploy;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/// Several versions of one application at one path (Tomcat's parallel deployment): a request goes
/// to the version that has its session, and without one to the newest. Immutable.
///
/// Versions are compared as texts; the one without a version is the oldest.
public final class AppVersions implements Handler {
    private final List<RunningApp> newestFirst;

    public AppVersions(List<RunningApp> versions) {
        newestFirst = newestFirst(versions);
    }

    public static List<RunningApp> newestFirst(List<RunningApp> versions) {
        return versions.stream()
                .sorted(Comparator.comparing((RunningApp app) -> app.name().version()).reversed())
                .toList();
    }

    /// The version for a request; never waits.
    public RunningApp select(Exchange exchange) {
        for (RunningApp app : newestFirst) {
            if (app.deployment().webApp().knowsSessionOf(exchange)) {
                return app;
            }
        }
        return newestFirst.getFirst();
    }

    /// What a request goes to: of several versions, one.
    public static Handler chosen(Handler found, Exchange exchange) {
        return found instanceof AppVersions versions ? versions.select(exchange) : found;
    }

    /// All of them, the newest first.
    public List<RunningApp> all() {
        return newestFirst;
    }

    public RunningApp newest() {
        return newestFirst.getFirst();
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        select(exchange).handle(exchange);
    }
}
