package io.margay.gateway.rules.compiled;

import io.margay.protocol.http.HttpVersion;
import io.margay.server.exchange.ExchangeRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// How a request came, whatever rules have made of it: when, how long ago that is, and what it is
/// called. Immutable.
///
/// @param startNanos when it came, by `nanos`
/// @param nanos as [System#nanoTime]
/// @param clock the time of day
/// @param received path and query as the client has sent them
/// @param version by which it came
/// @param exchange that knows what it is called; null = it has no name
public record Arrival(
        long startNanos,
        LongSupplier nanos,
        InstantSource clock,
        String received,
        HttpVersion version,
        @Nullable ExchangeRequest exchange) {
    /// By the clocks of the system.
    static Arrival of(ExchangeRequest exchange, String received) {
        return new Arrival(
                exchange.startNanos(),
                System::nanoTime,
                InstantSource.system(),
                received,
                exchange.request().version(),
                exchange);
    }

    /// Of one that is not served, by HTTP/1.1.
    static Arrival unknown(String received) {
        return new Arrival(
                0, System::nanoTime, InstantSource.system(), received, HttpVersion.HTTP_1_1, null);
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
