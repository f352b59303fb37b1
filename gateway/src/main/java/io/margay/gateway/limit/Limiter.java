package io.margay.gateway.limit;

import io.margay.server.exchange.Exchange;
import java.io.IOException;

/// One thing that is limited: a rate, or what happens at once. Thread-safe.
sealed interface Limiter permits RateLimiter, ConcurrencyLimiter, LimitZones.ZoneLimiter {
    /// What becomes of a request.
    enum Outcome {
        /// It goes on.
        ADMITTED,

        /// It goes on later, by the callback.
        WAITS,

        /// It has been answered.
        REFUSED
    }

    /// Whether a request would not be refused now: where several limits are about it and one
    /// refuses it, the others do not count it. Without an own idea of that, true.
    default boolean hasRoom(Exchange exchange) {
        return true;
    }

    /// Asks for a request. On the loop thread of its connection.
    ///
    /// @param later run there when it has waited
    Outcome ask(Exchange exchange, Runnable later) throws IOException;
}
