package io.margay.server.exchange;

import io.margay.protocol.http.FieldList;
import java.util.List;

/// Watches exchanges from their beginning to their end: the access log, metrics, traces.
/// Thread-safe. Every method is called on the thread that works on the exchange, and must not wait.
@FunctionalInterface
public interface ExchangeObserver {
    /// Watches nothing.
    ExchangeObserver NONE = _ -> {};

    /// The head of a request has arrived and no handler has seen it. A request that the connection
    /// refuses itself, such as a malformed one, ends without it.
    default void begun(Exchange exchange) {}

    /// Every stage of the host has let the request pass, and `to` is about to answer it. At most
    /// once per exchange.
    ///
    /// @param route the path under which its host has that, as in `/shop/*`; empty = under none
    default void routed(Exchange exchange, Handler to, String route) {}

    /// The request is about to be sent to a member of an upstream: once per attempt.
    ///
    /// @param fields that the member gets; more may be added
    default void attempt(Exchange exchange, Relay to, FieldList fields) {}

    /// Whether it is to be told how attempts end.
    default boolean followsAttempts() {
        return false;
    }

    /// An attempt has ended; one that found no connection was not [told][#attempt] before.
    default void attempted(Exchange exchange, Attempt attempt) {}

    /// Called once per exchange, on the thread that ended it.
    void ended(Exchange exchange);

    /// Several, told in their order.
    static ExchangeObserver all(List<ExchangeObserver> observers) {
        return observers.size() == 1 ? observers.getFirst() : new All(List.copyOf(observers));
    }

    /// Several of them. Immutable.
    record All(List<ExchangeObserver> observers) implements ExchangeObserver {
        @Override
        public void begun(Exchange exchange) {
            for (int i = 0; i < observers.size(); i++) {
                observers.get(i).begun(exchange);
            }
        }

        @Override
        public void routed(Exchange exchange, Handler to, String route) {
            for (int i = 0; i < observers.size(); i++) {
                observers.get(i).routed(exchange, to, route);
            }
        }

        @Override
        public void attempt(Exchange exchange, Relay to, FieldList fields) {
            for (int i = 0; i < observers.size(); i++) {
                observers.get(i).attempt(exchange, to, fields);
            }
        }

        @Override
        public boolean followsAttempts() {
            for (int i = 0; i < observers.size(); i++) {
                if (observers.get(i).followsAttempts()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void attempted(Exchange exchange, Attempt attempt) {
            for (int i = 0; i < observers.size(); i++) {
                observers.get(i).attempted(exchange, attempt);
            }
        }

        @Override
        public void ended(Exchange exchange) {
            for (int i = 0; i < observers.size(); i++) {
                observers.get(i).ended(exchange);
            }
        }
    }
}
