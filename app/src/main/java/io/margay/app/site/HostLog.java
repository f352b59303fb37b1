package io.margay.app.site;

import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.LogFacts;
import io.margay.server.log.AccessLog;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A log of a host. Thread-safe.
///
/// @param test which requests it has; null = all
record HostLog(AccessLog log, @Nullable RequestTest test) {
    /// Whether it asks something of applications.
    boolean asks() {
        return !log.asks().isEmpty();
    }

    /// Has the application tell what the log shows of it.
    void note(Exchange exchange) {
        Set<String> asks = log.asks();
        if (!asks.isEmpty()) {
            LogFacts others = exchange.notes().logFacts();
            if (others == null) {
                exchange.notes().ask(asks);
            } else if (!others.asked().containsAll(asks)) {
                Set<String> all = new HashSet<>(asks);
                all.addAll(others.asked());
                exchange.notes().ask(all);
            }
        }
    }

    void ended(Exchange exchange) {
        if (test == null || test.holds(exchange)) {
            log.ended(exchange);
        }
    }
}
