package io.margay.app.site;

import io.margay.app.deploy.AppVersions;
import io.margay.app.deploy.RunningApp;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.Passage;
import io.margay.server.host.Routes;
import io.margay.server.host.Stage;
import io.margay.servlet.settings.RequestRewriting;
import org.jspecify.annotations.Nullable;

/// Tomcat's rules that make another target of a request, or answer it: those of a host before
/// anything else looks at the target, and those of an application once access has let the request
/// to it. Immutable.
record HostRewriting(RequestRewriting rules, Routes routes) implements Stage {
    @Override
    public Outcome enter(Exchange exchange, Passage passage) {
        Handler selected = routes.select(exchange);
        Handler found =
                selected instanceof AppVersions versions ? versions.undivided(exchange) : selected;
        rewrite(rules, found instanceof RunningApp app ? app : null, exchange, passage);
        return Outcome.PASSES;
    }

    /// The stage of applications.
    static Outcome ofApplication(Exchange exchange, Passage passage) {
        if (passage.handler() instanceof RunningApp app && app.deployment().rewriting() != null) {
            rewrite(app.deployment().rewriting(), app, exchange, passage);
        }
        return Outcome.PASSES;
    }

    private static void rewrite(
            RequestRewriting by, @Nullable RunningApp app, Exchange exchange, Passage passage) {
        RequestTarget before = exchange.request().target();
        Handler answer =
                by.rewrite(
                        exchange,
                        app == null ? "" : app.name().contextPath(),
                        app == null ? null : app.deployment().files());
        if (answer != null) {
            passage.answerBy(answer);
        } else if (!before.equals(exchange.request().target())) {
            passage.retargeted();
        }
    }
}
