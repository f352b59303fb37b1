package io.margay.servlet.engine;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.servlet.engine.application.Application;
import java.io.IOException;

/// Answers the requests of one application. Stateless but for the application.
public final class ServletEngine implements Handler {
    private final Application app;
    private final LoopFastPath ready;

    /// The engine of `app`.
    public ServletEngine(Application app) {
        this.app = app;
        ready = new LoopFastPath(app);
    }

    /// Answers a file that is in memory, and passes other requests to a thread that may wait: a
    /// servlet may.
    @Override
    public void handle(Exchange exchange) throws IOException {
        if (!ready.answer(exchange)) {
            exchange.dispatch(new RequestCycle(app, exchange));
        }
    }
}
