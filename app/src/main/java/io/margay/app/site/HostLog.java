package io.margay.app.site;

import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.server.exchange.Exchange;
import io.margay.server.log.AccessLog;
import org.jspecify.annotations.Nullable;

/// A log of a host. Thread-safe.
///
/// @param test which requests it has; null = all
record HostLog(AccessLog log, @Nullable RequestTest test) {
    void ended(Exchange exchange) {
        if (test == null || test.holds(exchange)) {
            log.ended(exchange);
        }
    }
}
