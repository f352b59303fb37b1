package io.margay.servlet.engine;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;

/// Answers the requests of one application. Stateless but for the application.
public final class ServletEngine implements Handler {
    private final Application app;

    /// The engine of `app`.
    public ServletEngine(Application app) {
        this.app = app;
    }

    /// Passes the request to a thread that may wait: a servlet may.
    @Override
    public void handle(Exchange exchange) {
        exchange.dispatch(new RequestCycle(app, exchange));
    }
}
