package io.margay.gateway.rules.compiled;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/// When a request came, and how long ago that is. Immutable.
///
/// @param startNanos when it came, by `nanos`
/// @param nanos as [System#nanoTime]
/// @param clock the time of day
public record RequestTime(long startNanos, LongSupplier nanos, InstantSource clock) {
    /// By the clocks of the system.
    static RequestTime since(long startNanos) {
        return new RequestTime(startNanos, System::nanoTime, InstantSource.system());
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
