package io.margay.app.site;

import io.margay.app.acme.OwnCertificates;
import io.margay.app.config.StartException;
import io.margay.app.deploy.AppVersions;
import io.margay.app.deploy.RunningApp;
import io.margay.app.shared.SharedSettings;
import io.margay.app.shared.SharedState;
import io.margay.app.slow.SlowRequests;
import io.margay.protocol.http.FieldList;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.exchange.Attempt;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.Relay;
import io.margay.server.meter.Meter;
import io.margay.server.sight.Sight;
import io.margay.server.sight.SightLimits;
import io.margay.server.telemetry.Telemetry;
import io.margay.server.telemetry.TelemetryProvider;
import io.margay.server.telemetry.TelemetrySettings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What all listeners hand requests to: the site in force, which a reload replaces between two
/// requests. Thread-safe.
public final class Front implements Handler, ExchangeObserver {
    private final OwnCertificates certificates;
    private final AcmeChallenges challenges;

    private final Sight sight =
            new Sight(SightLimits.defaults(), System::nanoTime, InstantSource.system());

    private final SlowRequests slow = new SlowRequests(sight);

    /// Who watches exchanges, in this order; others only before the first request.
    private ExchangeObserver observers = ExchangeObserver.all(List.of(sight, this::log));

    private @Nullable Telemetry telemetry;

    private volatile Site site;

    /// One of a server that shares nothing.
    public Front(Site first) {
        this(first, null);
    }

    /// @param shared null = nothing is shared
    public Front(Site first, @Nullable SharedSettings shared) {
        site = first;
        certificates = new OwnCertificates(AcmeLimits.defaults(), new SharedState(shared));
        challenges = certificates.challenges();
        sight.watch(() -> site().watched());
    }

    /// Has a collector told of requests from the first one on: before there are listeners.
    ///
    /// @param settings null = there is none
    /// @param meters all of the server
    /// @throws StartException when they make no sense
    public void tell(@Nullable TelemetrySettings settings, Supplier<List<Meter>> meters) {
        if (settings == null) {
            return;
        }
        try {
            Telemetry opened = TelemetryProvider.first(settings, meters);
            telemetry = opened;
            observers = ExchangeObserver.all(List.of(sight, opened, this::log));
        } catch (IllegalArgumentException e) {
            throw new StartException("telemetry: " + e.getMessage(), e);
        }
    }

    /// What is counted of requests.
    public List<Meter> meters() {
        List<Meter> meters = new ArrayList<>(sight.meters());
        if (telemetry != null) {
            meters.addAll(telemetry.meters());
        }
        return meters;
    }

    /// Nothing is served any more.
    public void close() {
        sight.close();
        if (telemetry != null) {
            telemetry.close();
        }
    }

    /// The certificates that the server gets by itself: what authorities look for is answered
    /// before any host is asked.
    public OwnCertificates certificates() {
        return certificates;
    }

    /// What the server shares with others.
    public SharedState shared() {
        return certificates.shared();
    }

    /// What the server remembers of its requests.
    public Sight sight() {
        return sight;
    }

    /// Why requests of it took long.
    public SlowRequests slow() {
        return slow;
    }

    /// The site in force.
    public Site site() {
        return site;
    }

    /// Puts another site in force: each request that begins from now on meets it.
    public void replace(Site next) {
        site = next;
        next.inForce();
        sight.follow();
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        if (challenges.answers(exchange)) {
            return;
        }
        while (!isTaken(exchange, site)) {
            // The site was replaced in this moment: its retirement may not have seen us.
        }
    }

    /// Has the host of a request take it.
    ///
    /// @return false when the site is not in force any more; then nothing was done
    private boolean isTaken(Exchange exchange, Site current) throws IOException {
        Handler host = current.host(exchange);
        if (!(host instanceof ServedHost served)) {
            host.handle(exchange);
            return true;
        }
        if (served.stages().length > 0) {
            current.passages().begin();
            if (current != site) {
                current.passages().end();
                return false;
            }
            new HostPassage(current, served, exchange).begin();
            return true;
        }
        Handler route = AppVersions.chosen(served.routes().select(exchange), exchange);
        Handler direct = route;
        if (route instanceof RunningApp app) {
            app.begin();
            if (current != site) {
                app.requests().end();
                return false;
            }
            direct = app.handler();
        }
        served.traffic().routed(exchange, route);
        direct.handle(exchange);
        return true;
    }

    private void log(Exchange exchange) {
        site.log(exchange);
    }

    @Override
    public void begun(Exchange exchange) {
        observers.begun(exchange);
    }

    @Override
    public void routed(Exchange exchange, Handler to, String route) {
        observers.routed(exchange, to, route);
    }

    @Override
    public void attempt(Exchange exchange, Relay to, FieldList fields) {
        observers.attempt(exchange, to, fields);
    }

    @Override
    public boolean followsAttempts() {
        return telemetry != null;
    }

    @Override
    public void attempted(Exchange exchange, Attempt attempt) {
        observers.attempted(exchange, attempt);
    }

    @Override
    public void ended(Exchange exchange) {
        observers.ended(exchange);
    }
}
