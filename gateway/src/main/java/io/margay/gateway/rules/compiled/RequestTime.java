package io.margay.gateway.rules.compiled;

import io.margay.server.exchange.ExchangeRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// When a request came, how long ago that is, and what it is called. Immutable.
///
/// @param startNanos when it came, by `nanos`
/// @param nanos as [System#nanoTime]
/// @param clock the time of day
/// @param exchange that knows what it is called; null = it has no name
public record RequestTime(
        long startNanos,
        LongSupplier nanos,
        InstantSource clock,
        @Nullable ExchangeRequest exchange) {
    /// By the clocks of the system.
    static RequestTime of(ExchangeRequest exchange) {
        return new RequestTime(
                exchange.startNanos(), System::nanoTime, InstantSource.system(), exchange);
    }

    /// Of one that is not served.
    static RequestTime unknown() {
        return new RequestTime(0, System::nanoTime, InstantSource.system(), null);
    }

    /// What logs and members call it.
    String requestId() {
        return exchange == null ? "" : exchange.requestId();
    }

    /// Since it came, microseconds.
    long takenMicros() {
        return Math.max(0, nanos.getAsLong() - startNanos) / 1000;
    }

    /// When it came, microseconds since 1970.
    long receivedMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()) - takenMicros();
    }
}
