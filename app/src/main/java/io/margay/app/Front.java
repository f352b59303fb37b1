package io.margay.app;

import io.margay.server.ExchangeObserver;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import java.io.IOException;

/// What all listeners hand requests to: the site in force, which a reload replaces between two
/// requests. Thread-safe.
final class Front implements Handler, ExchangeObserver {
    private volatile Site site;

    Front(Site first) {
        site = first;
    }

    /// The site in force.
    Site site() {
        return site;
    }

    /// Puts another site in force: each request that begins from now on meets it.
    void replace(Site next) {
        site = next;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        Site current = site;
        current.requests().begin();
        while (current != site) {
            // Replaced in this moment: its retirement may not have seen us.
            current.requests().end();
            current = site;
            current.requests().begin();
        }
        exchange.onEnd(current.requests());
        current.select(exchange).handle(exchange);
    }

    @Override
    public void ended(Exchange exchange) {
        site.log(exchange);
    }
}
