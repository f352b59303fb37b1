package io.margay.app.site;

import io.margay.app.acme.OwnCertificates;
import io.margay.app.deploy.RunningApp;
import io.margay.app.shared.SharedSettings;
import io.margay.app.shared.SharedState;
import io.margay.gateway.login.LoginCheck;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// What all listeners hand requests to: the site in force, which a reload replaces between two
/// requests. Thread-safe.
public final class Front implements Handler, ExchangeObserver {
    private static final int SERVER_ERROR = 500;

    private final OwnCertificates certificates;
    private final AcmeChallenges challenges;
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

    /// The site in force.
    public Site site() {
        return site;
    }

    /// Puts another site in force: each request that begins from now on meets it.
    public void replace(Site next) {
        site = next;
        next.inForce();
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        if (challenges.answers(exchange)) {
            return;
        }
        Site current = site;
        if (!current.isLimited() || current.admits(exchange, () -> resume(exchange))) {
            serve(exchange);
        }
    }

    private void serve(Exchange exchange) throws IOException {
        Site current = site;
        Handler rewritten = current.rewritten(exchange);
        Handler selected = rewritten == null ? current.select(exchange) : rewritten;
        Handler route = selected;
        while (selected instanceof RunningApp app) {
            app.requests().begin();
            if (current == site) {
                exchange.onEnd(app.requests());
                route = app;
                selected = app.handler();
                break;
            }
            // Replaced in this moment: its retirement may not have seen us.
            app.requests().end();
            current = site;
            selected = current.select(exchange);
        }
        if (selected instanceof PendingLogin(LoginCheck check)) {
            check.begin(() -> resume(exchange));
        } else {
            hand(current, exchange, current.answered(exchange, route), selected);
        }
    }

    /// Hands a request to what answers it, once the limits by user let it go on.
    ///
    /// @param answered what is handed over
    private static void hand(Site current, Exchange exchange, Exchange answered, Handler selected)
            throws IOException {
        if (!current.isLimited()
                || current.admitsUser(exchange, () -> handle(selected, answered))) {
            selected.handle(answered);
        }
    }

    private static void handle(Handler selected, Exchange answered) {
        try {
            selected.handle(answered);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Goes on with a request that has waited, or of which it is known now who sends it.
    private void resume(Exchange exchange) {
        try {
            serve(exchange);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void ended(Exchange exchange) {
        Site current = site;
        current.log(exchange);
        if (exchange.status() >= SERVER_ERROR
                && current.select(exchange) instanceof RunningApp app) {
            app.errors().increment();
        }
    }
}
