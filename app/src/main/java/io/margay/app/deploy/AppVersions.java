package io.margay.app.deploy;

import io.margay.gateway.canary.CanarySides;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Several versions of one application at one path (Tomcat's parallel deployment): a request goes
/// to the version that has its session, and without one to the newest, or, where that is being
/// tried, to the one before for a part of the clients. Immutable but for what is counted.
///
/// Versions are compared as texts; the one without a version is the oldest.
public final class AppVersions implements Handler {
    /// Which version a request has got, so that all stages find the same.
    private static final ExchangeNotes.Key<RunningApp> CHOSEN =
            new ExchangeNotes.Key<>(RunningApp.class);

    private final List<RunningApp> newestFirst;
    private final @Nullable CanarySides sides;

    /// @param sides which clients get the newest; null = all without a session
    public AppVersions(List<RunningApp> versions, @Nullable CanarySides sides) {
        newestFirst = newestFirst(versions);
        this.sides = sides;
    }

    public static List<RunningApp> newestFirst(List<RunningApp> versions) {
        return versions.stream()
                .sorted(Comparator.comparing((RunningApp app) -> app.name().version()).reversed())
                .toList();
    }

    /// The version for a request; never waits.
    public RunningApp select(Exchange exchange) {
        CanarySides divided = sides;
        if (divided == null) {
            return undivided(exchange);
        }
        RunningApp known = exchange.notes().get(CHOSEN);
        if (known != null && newestFirst.contains(known)) {
            return known;
        }
        RunningApp made = divided(exchange, divided);
        exchange.notes().put(CHOSEN, made);
        return made;
    }

    /// The version of its session, or the newest, for what looks at a request before it is known
    /// where it goes, and who sends it. Nothing is counted, and no cookie is set.
    public RunningApp undivided(Exchange exchange) {
        RunningApp found = ofSession(exchange);
        return found == null ? newest() : found;
    }

    /// A session stays with its version, and its requests count as those of others do.
    private RunningApp divided(Exchange exchange, CanarySides divided) {
        RunningApp newest = newestFirst.getFirst();
        RunningApp before = newestFirst.get(1);
        RunningApp found = ofSession(exchange);
        if (found == null) {
            return divided.takesNew(exchange) ? newest : before;
        }
        if (found.equals(newest) || found.equals(before)) {
            divided.count(exchange, found.equals(newest));
        }
        return found;
    }

    private @Nullable RunningApp ofSession(Exchange exchange) {
        for (RunningApp app : newestFirst) {
            if (app.deployment().webApp().knowsSessionOf(exchange)) {
                return app;
            }
        }
        return null;
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
