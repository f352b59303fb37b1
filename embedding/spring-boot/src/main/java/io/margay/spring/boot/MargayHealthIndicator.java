package io.margay.spring.boot;

import io.margay.embed.Activity;
import io.margay.embed.EmbeddedServer;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;

/// The health of the server: it is up while it listens, as is seen from another port too.
/// Thread-safe.
final class MargayHealthIndicator extends AbstractHealthIndicator {
    private final ApplicationContext context;

    MargayHealthIndicator(ApplicationContext context) {
        this.context = context;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        if (!(context instanceof WebServerApplicationContext web)
                || !(web.getWebServer() instanceof MargayWebServer margay)) {
            health.unknown();
            return;
        }
        EmbeddedServer server = margay.server();
        if (!server.isListening()) {
            health.down();
            return;
        }
        Activity activity = server.activity();
        health.up()
                .withDetail("ports", server.ports())
                .withDetail("connections", activity.traffic().connectionsOpen())
                .withDetail("requests", activity.traffic().requestsActive())
                .withDetail("queued", activity.workers().queued());
    }
}
