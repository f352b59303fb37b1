package io.margay.gateway.proxy;

import io.margay.gateway.retry.Hedging;
import io.margay.server.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/// Finds out where a request goes. Thread-safe; called on loop threads, so it must not wait.
@FunctionalInterface
public interface Router {
    /// The target, or null when the gateway has nothing to do with the request.
    @Nullable ProxyTarget route(Exchange exchange);

    /// The same, and a second peer is asked, too, where that is time.
    default Router hedged(Hedging how) {
        return exchange -> {
            ProxyTarget target = route(exchange);
            return target == null ? null : target.withHedging(how);
        };
    }
}
