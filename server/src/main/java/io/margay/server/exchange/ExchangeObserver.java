package io.margay.server.exchange;

/// Is told of every exchange that has ended: the access log, metrics. Thread-safe.
@FunctionalInterface
public interface ExchangeObserver {
    /// Called once per exchange, on the thread that ended it; must not wait.
    void ended(Exchange exchange);
}
