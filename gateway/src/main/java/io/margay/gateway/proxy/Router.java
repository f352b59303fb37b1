package io.margay.gateway.proxy;

import io.margay.server.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/// Finds out where a request goes. Thread-safe; called on loop threads, so it must not wait.
@FunctionalInterface
public interface Router {
    /// The target, or null when the gateway has nothing to do with the request.
    @Nullable ProxyTarget route(Exchange exchange);
}
